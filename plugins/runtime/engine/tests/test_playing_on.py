"""What playing on from a turn of a recorded match is expected to take, until the match is over."""

import asyncio
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from arena.catalog import Catalog
from arena.turns import turns
from arena_cli import playing_on_words
from arena_engine import run
from arena_engine.execution.replay import branch
from arena_engine.forecast.branches import PlayingOn, playing_on
from arena_engine.journal.journal import Journal
from arena_engine.journal.usage import Range

MODEL = {"use": "llm", "backend": {"use": "scripted", "price-usd-per-1k-tokens": 0.01}}
BENCH = {
    "name": "on",
    "seed": 4,
    "games": {"ttt": "tic-tac-toe"},
    "agents": {"model": MODEL, "dear": MODEL, "random": "random"},
    "schedule": {"use": "fixed", "seatings": [["model", "random"]], "repeats": 8},
    "metrics": [],
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of eight matches of one lineup."""
    folder = tmp_path_factory.mktemp("on") / "run"
    run(BENCH, output=folder, check=False)
    return folder


def forecast(folder: Path, number: int, *names: str) -> tuple[PlayingOn, Any]:
    """What playing on in the first match is expected to take, and all matches of the run."""
    with Journal.open(folder) as journal:
        records = list(journal.records())
        made, plan = branch(journal, records[0], number, names, Catalog())
        return asyncio.run(playing_on(journal, made, plan)), records


def test_lengths_are_those_of_the_lineup(played):
    """With enough matches of the same agents in the same seats, the turns that follow are those of these matches."""
    found, records = forecast(played, 4, "model", "random")

    lengths = [turns(record) for record in records if len(turns(record)) > 3]
    left = [len(own) - 3 for own in lengths]
    model = [sum(turn.player == 0 for turn in own) - 2 for own in lengths]
    (caller,) = found.callers
    assert (found.is_recorded, found.n) == (True, len(left))
    assert found.turns == Range(min(left), fmean(left), max(left))
    assert (caller.caller, caller.calls.low, caller.calls.likely) == ("model", min(model), fmean(model))
    assert found.cost_usd is not None
    assert 0 < found.cost_usd.low <= found.cost_usd.likely < found.cost_usd.high


def test_lengths_that_may_not_be_known_are_left_out(played):
    """Without the matches whose length is not told, playing on is forecast from random continuations."""
    with Journal.open(played) as journal:
        records = list(journal.records())
        made, plan = branch(journal, records[0], 4, ["model", "random"], Catalog())
        found = asyncio.run(playing_on(journal, made, plan, {record.plan.id for record in records}))

    assert not found.is_recorded


def test_what_is_played_on_lies_within_the_forecast(arena, played, tmp_path):
    """Both agents that ask models are counted, from the turn on until the match is over: as it then comes."""
    found, records = forecast(played, 2, "model", "dear")
    done = arena(
        "replay", played, "-m", records[0].id, "--turn", 2, "--branch", "model,dear", "-o", tmp_path / "branch"
    )
    assert done.exit_code == 0, done.stderr
    with Journal.open(tmp_path / "branch") as journal:
        calls = journal.totals().calls
        (new,) = journal.records()

    assert (found.is_recorded, found.n) == (False, 10)
    assert {caller.caller for caller in found.callers} == {"model", "dear"}
    assert found.turns.low <= len(turns(new)) - 1 <= found.turns.high
    assert sum(own.calls.low for own in found.callers) <= calls <= sum(own.calls.high for own in found.callers)


def test_who_asks_no_model_costs_nothing(played):
    """Without models there is nothing to pay, however long the match is."""
    found, _ = forecast(played, 3, "random", "random")

    assert (found.callers, found.unseen) == ((), ())
    assert found.cost_usd == Range()
    assert found.turns.high > 0


def test_words_say_how_many_matches_they_rest_on(arena, played):
    """In a terminal and for pages the same sentences: turns with their bounds and n, each caller, and the sum."""
    with Journal.open(played) as journal:
        record = next(iter(journal.records()))
        told = playing_on_words(journal, record, 4, ["model", "random"], Catalog())
        free = playing_on_words(journal, record, 4, ["random", "random"], Catalog())
    done = arena("replay", played, "-m", "1", "--turn", 4, "--branch", "model,random", "--dry-run")
    asked = arena("replay", played, "-m", "1", "--turn", 4, "--ask", "model", "--dry-run")
    neither = arena("replay", played, "-m", "1", "--dry-run")

    assert "the fewest and the most of n=8 ended matches of this run with this game and lineup" in told[0]
    assert free == ("No model is asked: nothing is paid.",)
    assert told[1].startswith("model: ")
    assert told[2].startswith("Until the end: $")
    assert " ".join(done.stdout.split()) == " ".join(told)
    assert asked.stdout.startswith("One try has 1 call")
    assert "give one of them" in neither.stderr
    assert [path.name for path in played.parent.iterdir()] == ["run"]
