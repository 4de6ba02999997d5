"""What metrics are handed while a run is played, and what their judges are."""

import asyncio
from typing import ClassVar

import attrs
from arena.agent import Reply
from arena.hookspecs import hookimpl
from arena.metric import FinishedMatch, Measurement, Metric
from arena.record import Player
from arena.testing import RANDOM, FunctionAgent, FunctionBackend
from arena_engine.execution.runner import create_run, play_run

from ....authoring.testing.tests.games_board import TicTacToe
from .test_runner import ask, benchmark, complain


@attrs.frozen
class Length(Metric):
    """Counts steps, and keeps every match that it was handed."""

    seen: list[FinishedMatch] = attrs.field(factory=list, eq=False)

    def measure(self, match):
        self.seen.append(match)
        return [Measurement("waves", match.record.steps)]

    def summarize(self, measurements):
        return ()


class Positions(Length):
    """A metric that needs the game to measure a match."""

    needs_game: ClassVar[bool] = True


class Calls(Length):
    """A metric that needs the calls of each match."""

    needs_calls: ClassVar[bool] = True


@attrs.frozen
class Jury(Metric):
    """Asks a model about each match, and keeps every match that it was handed."""

    backend: FunctionBackend
    seen: list[FinishedMatch] = attrs.field(factory=list, eq=False)

    def measure(self, match):
        return ()

    async def judge(self, match, completions):
        self.seen.append(match)
        completion = await completions.complete(self.backend, ask(match.record.id))
        return [Measurement("verdict", completion.text)]

    def summarize(self, measurements):
        return ()


class Accountant(Jury):
    """A judge that needs the calls."""

    needs_calls: ClassVar[bool] = True


class Watcher:
    """Keeps what was measured."""

    def __init__(self):
        self.found = []

    @hookimpl
    def measured(self, metric, measurements):
        self.found.append((metric, [found.value for found in measurements]))


def go(made, directory, watcher):
    """Play a run that somebody watches."""
    with create_run(made, directory) as journal:
        asyncio.run(play_run(journal, made, {"watcher": watcher}, complain))
        return list(journal.records())


def test_metrics_without_needs_measure_while_matches_are_played(run_dir):
    """Observers hear of metrics that need neither game nor calls, which are handed the record alone."""
    metrics = {"length": Length(), "positions": Positions(), "calls": Calls()}
    watcher = Watcher()

    records = go(benchmark({"a": RANDOM, "b": RANDOM}, repeats=1, metrics=metrics), run_dir, watcher)

    measured = metrics["length"].seen
    assert len(measured) == len(records)
    assert all(FinishedMatch(record, None, ()) in measured for record in records)
    assert watcher.found == [("length", [match.record.steps]) for match in measured]
    assert metrics["positions"].seen == metrics["calls"].seen == []


def test_judges_are_handed_the_game(run_dir, scripted_backend):
    """A judge gets the match with its game, and what players used only if it needs that."""

    async def asking(decision, seat):
        await seat.completions.complete(backend, ask("which?"))
        return Reply(action=decision.sample(seat.rng))

    backend = scripted_backend("fine")
    agent = FunctionAgent(asking)
    metrics = {"jury": Jury(backend), "accountant": Accountant(backend)}

    records = go(benchmark({"a": agent, "b": RANDOM}, repeats=1, metrics=metrics), run_dir, Watcher())

    assert [match.record for match in metrics["jury"].seen] == records
    assert {match.game for match in metrics["jury"].seen} == {TicTacToe()}
    assert {match.calls for match in metrics["jury"].seen} == {()}
    for match in metrics["accountant"].seen:
        asked = match.record.agents.index("a")
        assert {call.player for call in match.calls} == {Player(asked)}
