"""Games whose rules do not explain them are marked wherever they are named, and need consent in a benchmark."""

import json

import attrs
import pytest
from arena.catalog import Catalog
from arena.errors import ConfigError
from arena_engine import build_benchmark, load_benchmark, run
from arena_engine.benchmark.entries import unconsenting
from arena_engine.benchmark.recorded_benchmark import open_benchmark
from arena_engine.execution.runner import create_run, extend_run, resume_run
from arena_engine.journal.journal import Journal

BT = {"use": "openspiel", "name": "clobber", "parameters": {"rows": 4, "columns": 3}}
SENTENCE = "rules: none in bt; models are not told how to play"


def plain(game):
    return {
        "name": "plain",
        "games": {"bt": game, "ttt": "tic-tac-toe"},
        "agents": {"random": "random", "first": "first-legal"},
        "schedule": {"use": "round-robin", "repeats": 1},
    }


CONSENTING = plain({**BT, "without-rules": True})


def test_a_benchmark_must_say_so():
    """Without consent it is one clear sentence by its path; it is consent to nothing else."""
    with pytest.raises(ConfigError) as refused:
        load_benchmark(plain(BT))
    assert refused.value.problems == (
        "games.bt: 'Clobber' has no rules here (rules: none), so a model is told nothing of how it is played; "
        "write 'without-rules: true' in this entry to play it all the same",
    )
    with pytest.raises(ConfigError, match=r"games\.bt\.without-rules: expected bool"):
        load_benchmark(plain({**BT, "without-rules": "yes"}))
    for spelt in ("without-rules", "without_rules"):
        assert load_benchmark(plain({**BT, spelt: True})).games["bt"].game.has_rules is False


def test_a_run_begun_before_goes_on(tmp_path):
    """A run whose journal has no consent is resumed, built again elsewhere, and extended by a file that consents."""
    old = build_benchmark(CONSENTING)
    old = attrs.evolve(old, plain={**old.plain, "games": unconsenting(old.plain["games"])})
    assert "without-rules" not in json.dumps(old.plain)
    create_run(old, tmp_path / "run").close()

    with Journal.open(tmp_path / "run") as journal:
        opened = open_benchmark(journal)
    journal, _ = resume_run(tmp_path / "run", Catalog())
    journal.close()

    assert build_benchmark(opened.plain).games.keys() == {"bt", "ttt"}
    extend_run(tmp_path / "run", build_benchmark(CONSENTING)).close()


@pytest.mark.slow
def test_the_report_and_the_journal_have_the_mark(tmp_path):
    """The report says which games models were not told how to play, also where the game has rules by now."""
    played = run(CONSENTING, output=tmp_path / "run")

    report = played.report()
    assert SENTENCE in report.notes
    assert SENTENCE in report.verdict.doubts
    with Journal.open(tmp_path / "run") as journal:
        assert journal.metadata("games")["bt"]["rules"] == "none"
        assert "rules" not in journal.metadata("games")["ttt"]


@pytest.mark.campaign
def test_lists_and_descriptions_have_the_mark(arena):
    """Where a plugin or a game is looked up, before anything is played, and with what a file has to say."""
    described = arena("describe", "openspiel").stdout
    listed = " ".join(arena("list-plugins", "--kind", "game").stdout.split())

    assert "rules: none; a benchmark must say 'without-rules: true' of it" in described
    assert "columns: 6}, without-rules: true}" in " ".join(described.split())
    assert "Any other game of OpenSpiel, by name and parameters (rules: none)." in listed
    assert listed.count("rules: none") == 1


@pytest.mark.campaign
def test_a_run_begins_with_the_mark(arena, tmp_path):
    """The first line of a run and the second of its forecast; two runs of the command line."""
    (tmp_path / "b.json").write_text(json.dumps(CONSENTING), "utf-8")

    assert arena("run", "b.json").stderr.splitlines()[0] == SENTENCE
    assert arena("run", "b.json", "--dry-run").stdout.splitlines()[1] == SENTENCE
