"""A run that is held from outside: paused, stopped, with matches that are cancelled and players who get up."""

import asyncio

import pytest
from arena.agent import Reply
from arena.errors import ConfigError
from arena.hookspecs import hookimpl
from arena.record import Ending
from arena.testing import RANDOM, FunctionAgent, playing
from arena_engine.execution.control import Control
from arena_engine.execution.runner import create_run, play_run
from arena_engine.job.executor import Limits
from arena_engine.journal.journal import Journal

from ....authoring.testing.tests.games_together import RockPaperScissors
from .test_runner import benchmark, complain


def go(made, directory, control, watchers=None):
    """Start a run with a handle, or go on with the one that is there."""
    is_new = not (directory / "journal.sqlite").exists()
    with create_run(made, directory) if is_new else Journal.open(directory, write=True) as journal:
        outcome = asyncio.run(play_run(journal, made, watchers or {}, complain, control=control))
        return outcome, list(journal.records())


def doing(act, *moves):
    """An agent that plays ``moves`` after it has called ``act(decision, seat)``, which may be awaited."""

    async def choose(decision, seat):
        if (waiting := act(decision, seat)) is not None:
            await waiting
        return Reply(action=moves[decision.turn] if moves else decision.sample(seat.rng))

    return FunctionAgent(choose)


class Told:
    """Notes which hooks were called, in order."""

    def __init__(self):
        self.hooks = []

    @hookimpl
    def run_paused(self, name):
        self.hooks.append("paused")

    @hookimpl
    def run_continued(self, name):
        self.hooks.append("continued")

    @hookimpl
    def player_left(self, plan, player):
        self.hooks.append((plan.id, player))


def test_paused_run_plays_no_step_until_it_goes_on(run_dir):
    """While a run is paused nobody is asked; when it goes on the matches end as they would have without."""
    control, told, asked = Control(), Told(), []

    def act(decision, seat):
        asked.append(control.state.is_paused)
        if len(asked) == 2:
            control.pause()
            asyncio.get_running_loop().call_later(0.05, proceed)
            return asyncio.sleep(0)
        return None

    def proceed():
        asked.append(control.state.is_paused)
        control.proceed()

    made = benchmark({"a": doing(act), "b": RANDOM}, repeats=2, limits=Limits(concurrency=1))

    outcome, records = go(made, run_dir, control, {"told": told})

    assert asked.count(True) == 1
    assert asked[2] is True
    assert told.hooks == ["paused", "continued"]
    assert (outcome.stopped, outcome.finished) == (None, len(records))


def test_run_may_be_paused_before_it_begins(run_dir):
    """A handle that is paused holds the run at its first match, where it can be stopped with nothing played."""
    control = Control()
    control.pause()

    class Stops:
        @hookimpl
        def run_paused(self, name):
            control.stop("enough")

    outcome, records = go(benchmark({"a": RANDOM, "b": RANDOM}), run_dir, control, {"stops": Stops()})

    assert (outcome.stopped, records) == ("enough", [])


def test_stopped_run_is_resumed(run_dir):
    """Stopping ends a run as a signal does: what is played is kept, and the rest is played later."""
    control = Control()
    first = doing(lambda decision, seat: control.stop() or asyncio.sleep(60))

    outcome, records = go(benchmark({"a": first, "b": RANDOM}), run_dir, control)

    assert outcome.stopped.startswith("stopped from outside")
    assert outcome.exit_status == 3
    assert records == []


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("game", [None, RockPaperScissors()])
def test_cancelled_match_ends_for_good(run_dir, game):
    """A match in progress is cut off and one that has not begun is not played; neither is when the run goes on."""
    control = Control()
    begun, later = "g/a,b/0.0", "g/b,a/2.1"

    def act(decision, seat):
        if control.state.playing == (begun,):
            control.cancel(later)
            control.cancel(begun)
            return asyncio.sleep(60)
        return None

    made = benchmark({"a": doing(act), "b": RANDOM}, game, limits=Limits(concurrency=1))

    _, records = go(made, run_dir, control)
    _, again = go(made, run_dir, Control())

    endings = {record.id: record.ending for record in records}
    assert {id_ for id_, ending in endings.items() if ending is Ending.CANCELLED} == {begun, later}
    assert len(endings) == 6
    assert again == records
    assert next(r for r in records if r.id == begun).returns is None


def test_player_who_gets_up_forfeits(run_dir):
    """The match ends with the game's returns of a forfeit, whatever the policy for illegal actions is."""
    control, told = Control(), Told()

    def act(decision, seat):
        if decision.turn == 1 and seat.player == 0:
            control.leave("g/a,b/0.0", 0)
            return asyncio.sleep(60)
        return None

    made = benchmark({"a": doing(act), "b": playing(3, 4, 5)}, repeats=1)

    _, records = go(made, run_dir, control, {"told": told})

    record = next(r for r in records if r.id == "g/a,b/0.0")
    assert (record.ending, record.returns, record.forfeited) == (Ending.FORFEIT_LEFT, (-1.0, 1.0), (0,))
    assert record.events[-1].data == {"kind": "left"}
    assert told.hooks == [("g/a,b/0.0", 0)]


def test_player_who_is_not_asked_leaves_in_its_turn(run_dir):
    """Who gets up while another player thinks is not asked again."""
    control, asked = Control(), []

    async def other(decision, seat):
        if decision.turn == 1 and seat.player == 1:
            control.leave("g/a,b/0.0", 0)
            for _ in range(5):  # until the loop has turned
                await asyncio.sleep(0)

    first = doing(lambda decision, seat: asked.append((seat.player, decision.turn)), 0, 1, 2)
    made = benchmark({"a": first, "b": doing(other, 3, 4, 5)}, repeats=1)

    _, records = go(made, run_dir, control)

    record = next(r for r in records if r.id == "g/a,b/0.0")
    assert record.ending is Ending.FORFEIT_LEFT
    assert [e.data["action"] for e in record.played()] == [0, 3, 1, 4]
    assert [turn for player, turn in asked if player == 0] == [0, 1]


@pytest.mark.slow
def test_that_a_player_left_is_replayed(run_dir):
    """A run that was stopped after a player got up lets it leave at the same place when it goes on."""
    control = Control()

    async def leave_and_stop(decision, seat):
        if decision.turn == 1 and seat.player == 0:
            control.leave("g/a,b/0.0", 0)
            await asyncio.sleep(60)
        return Reply(action=(0, 1, 2)[decision.turn])

    class Stops:
        @hookimpl
        def player_left(self, plan, player):
            from arena.errors import StopRun

            raise StopRun("just now")

    made = benchmark({"a": FunctionAgent(leave_and_stop), "b": playing(3, 4, 5)}, repeats=1)
    outcome, records = go(made, run_dir, control, {"stops": Stops()})
    _, records = go(benchmark({"a": playing(0, 1, 2), "b": playing(3, 4, 5)}, repeats=1), run_dir, Control())

    assert outcome.stopped == "just now"
    record = next(r for r in records if r.id == "g/a,b/0.0")
    assert (record.ending, [e.data["action"] for e in record.played()]) == (Ending.FORFEIT_LEFT, [0, 3])


def test_what_cannot_be_done_is_said(run_dir):
    """A match that is not in the plan, one that nobody plays, a player who is not there, a run that is over."""
    control, said = Control(), {}

    def act(decision, seat):
        if control.state.playing != ("g/a,b/0.0",):
            return
        for what, call in {
            "unknown": lambda: control.cancel("g/x/0.0"),
            "unbegun": lambda: control.leave("g/b,a/2.1", 0),
            "nobody": lambda: control.leave("g/a,b/0.0", 7),
        }.items():
            with pytest.raises(ConfigError) as error:
                call()
            said.setdefault(what, str(error.value))

    go(benchmark({"a": RANDOM, "b": doing(act)}, limits=Limits(concurrency=1)), run_dir, control)

    assert said == {
        "unknown": "no match 'g/x/0.0' in the run",
        "unbegun": "match 'g/b,a/2.1' is not being played",
        "nobody": "match 'g/a,b/0.0' has no player 7: there are 2",
    }
    with pytest.raises(ConfigError, match="the run is not being played"):
        control.cancel("g/a,b/0.0")
    assert not control.state.is_playing
