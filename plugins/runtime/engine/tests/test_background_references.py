"""References that a run lacks are played in a process of their own, and seen by whoever reads the run."""

import json

import pytest
from arena_engine import BackgroundReferences, Journal, current_games, load_benchmark, recorded_games
from arena_engine.execution.runner import create_run
from arena_engine.references.recorded_games import record_games


@pytest.fixture(autouse=True)
def _cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.slow
def test_missing_references_are_played_elsewhere(tmp_path):
    """A run that was begun without random matches has them once the process is over; its journal stays as it was."""
    plain = {"games": {"nim": "openspiel-nim"}, "agents": {"a": "random", "b": "random"}, "metrics": []}
    benchmark = load_benchmark(plain)
    with create_run(benchmark, tmp_path / "run") as journal:
        record_games(journal, benchmark.games, seconds=0.0)
    with Journal.open(tmp_path / "run") as journal:
        before, first = recorded_games(journal)["nim"], current_games(journal)["nim"]

        playing = BackgroundReferences(tmp_path / "run")
        playing.wait(120)
        after, recorded = current_games(journal)["nim"], recorded_games(journal)["nim"]

    assert first == before == recorded
    assert (first.is_enough, after.is_enough) == (False, True)
    assert (first.baseline.random_n, after.baseline.random_n) == (0, 400)
    assert after.baseline.optimal == first.baseline.optimal
    assert playing.is_over


def test_process_is_stopped(tmp_path):
    """A game that takes too long is given up."""
    folder = tmp_path / "nothing"
    folder.mkdir()
    (folder / "journal.sqlite").write_text(json.dumps("no journal"))

    playing = BackgroundReferences(folder)
    playing.stop()

    assert playing.is_over
