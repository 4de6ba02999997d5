"""Benchmarks run, read and compared through the functions of ``arena``."""

import logging
from pathlib import Path

import arena
import pytest
import structlog
from arena.catalog import Catalog
from arena.errors import ConfigError, JournalError
from arena_engine.benchmark.benchmark import build_benchmark

PLAIN = {
    "name": "notebook",
    "games": {"kuhn": "kuhn-poker"},
    "agents": {"one": "random", "two": "first-legal"},
    "schedule": {"use": "round-robin", "repeats": 3},
}


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_plain_data_is_played():
    """A run knows its matches, its outcome and its directory."""
    run = arena.run(PLAIN)

    assert len(run.matches) == run.outcome.finished == 6
    assert run.outcome.exit_status == 0
    assert run.directory.parent == Path("runs")
    assert run.report().sections


def test_run_can_be_opened_again():
    """What was played is read from its directory."""
    run = arena.run(PLAIN, output="mine", overrides=["schedule.repeats=1"])

    assert arena.load("mine").matches == run.matches
    assert arena.load(run.directory).outcome == run.outcome


def test_whoever_calls_is_told_what_happens():
    """A logger of structlog is given as it is, and gets the events of the whole run in their order."""
    told = structlog.testing.LogCapture()
    logger = structlog.wrap_logger(
        structlog.testing.ReturnLogger(), [told], structlog.make_filtering_bound_logger(logging.DEBUG)
    )

    run = arena.run(PLAIN, log=logger)

    assert (told.entries[0]["event"], told.entries[0]["log_level"]) == ("run_started", "info")
    assert told.entries[0]["matches"] == len(run.matches)
    assert told.entries[-1]["event"] == "run_finished"
    assert [each["event"] for each in told.entries].count("match_finished") == len(run.matches)


def test_files_and_benchmarks_are_played_too(tmp_path):
    """A path, and what was made of a file before."""
    Path("bench.yaml").write_text("{games: {k: kuhn-poker}, agents: {a: random, b: random}, metrics: []}")

    by_path = arena.run("bench.yaml", output="one")
    by_value = arena.run(build_benchmark(PLAIN, Catalog()), output="two", overrides=["seed=3"])

    assert len(by_path.matches) == 2
    assert len(by_value.matches) == 6


async def test_running_loop_is_no_hindrance():
    """In a notebook a loop is running already; the run plays beside it."""
    run = arena.run(PLAIN, output="mine")

    assert run.outcome.finished == 6


def test_mistakes_are_raised_before_anything_is_written():
    """A mistake is a ``ConfigError``, and there is no directory."""
    with pytest.raises(ConfigError, match="did you mean 'games'"):
        arena.run({**PLAIN, "gmaes": {}})

    assert list(Path.cwd().iterdir()) == []
    with pytest.raises(JournalError, match="no such journal"):
        arena.load("nowhere")


def test_progress_goes_to_standard_error(capsys):
    """On demand; nothing is printed otherwise."""
    arena.run(PLAIN, output="quiet")
    silent = capsys.readouterr()
    arena.run(PLAIN, output="loud", progress=True)

    assert (silent.out, silent.err) == ("", "")
    assert "6/6 matches" in capsys.readouterr().err


@pytest.mark.slow
def test_results_are_data_frames():
    """One row a match."""
    frame = arena.run(PLAIN).to_pandas()

    assert len(frame) == 6
    assert set(frame["player_0"]) == {"one", "two"}
    assert frame["return_0"].sum() + frame["return_1"].sum() == 0


def test_unknown_name():
    """The package says what it does not have."""
    with pytest.raises(AttributeError, match="no attribute 'plya'"):
        arena.plya  # noqa: B018
