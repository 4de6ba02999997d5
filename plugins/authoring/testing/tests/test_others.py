"""The checks of solvers, executors, observers and schedules: what is sound passes, and a planted fault is named."""

import attrs
import pytest
from arena.hookspecs import Observer, hookimpl
from arena.schedule import Lineup, Schedule
from arena.solver import ActionValue, ActionValues, Solution, Solver
from arena.testing import (
    RANDOM,
    REFERENCE_GAME,
    ConformanceError,
    check_agent,
    check_executor,
    check_game,
    check_observer,
    check_schedule,
    check_solver,
)
from arena_engine.execution.asyncio_executor import Asyncio
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Executor
from arena_engine.job.schedules import Against, Fixed, RoundRobin, SelfPlay
from arena_observer_progress.progress import Progress


@pytest.mark.slow
def test_yardstick_is_sound():
    """The tiny game keeps the contract of games, and an agent can be tried in it."""
    assert check_game(REFERENCE_GAME).untested == ()
    assert check_agent(RANDOM, REFERENCE_GAME).illegal == 0


@pytest.mark.parametrize(
    "schedule", [RoundRobin(), SelfPlay(), Against(agent="me"), Fixed(seatings=(("a", "b"),))], ids=repr
)
def test_schedules_of_the_core_are_sound(schedule):
    """The core's own schedules have lineups for some number of players, their agents by name included."""
    assert sum(check_schedule(schedule).lineups.values()) > 0


class Neighbours(Schedule):
    """Everybody plays who comes next in the list, so one more agent takes a match away."""

    def lineups(self, agents, players):
        names = list(agents)
        return [Lineup(tuple((names * 2)[i : i + players])) for i in range(len(names))] if players <= len(names) else []


def test_schedule_that_shifts_is_found():
    """A schedule in which one more agent takes away a match cannot be extended."""
    with pytest.raises(ConformanceError, match=r"lineups: .* is no longer there with one more agent"):
        check_schedule(Neighbours())


class Strangers(Schedule):
    """Seats somebody who is not there."""

    def lineups(self, agents, players):
        return [Lineup(("nobody",) * players)]


def test_schedule_with_strangers_is_found():
    """Whoever is seated must be an agent."""
    with pytest.raises(ConformanceError, match=r"lineups: .*'nobody'"):
        check_schedule(Strangers())


def test_executor_of_the_core_is_sound():
    """The default executor plays every match, and every answer passes the desk."""
    report = check_executor(Asyncio())

    assert report.matches == 7
    assert report.answers > 0


class Forgetful(Executor):
    """Loses the last match."""

    async def play(self, work, context):
        async for record in Asyncio().play(attrs.evolve(work, plans=work.plans[:-1]), context):
            yield record


class Reseeding(Executor):
    """Plays by luck of its own."""

    async def play(self, work, context):
        async for record in Asyncio().play(attrs.evolve(work, seed=work.seed + 1), context):
            yield record


class Tireless(Executor):
    """Plays on although the run is to end."""

    async def play(self, work, context):
        RunContext.__init__(context)  # and forgets that the run is to end
        async for record in Asyncio().play(work, context):
            yield record


@pytest.mark.parametrize(
    ("executor", "check"),
    [(Forgetful(), "matches"), (Reseeding(), "records"), (Tireless(), "stop")],
    ids=["lost", "reseeded", "tireless"],
)
def test_faults_of_executors_are_named(executor, check):
    """A lost match, other luck and playing on after the end are found."""
    with pytest.raises(ConformanceError) as caught:
        check_executor(executor)

    assert caught.value.check == check


def test_observer_of_the_core_is_sound(capsys):
    """The progress line hears of a run, and says so on standard error."""
    assert "match_finished" in check_observer(Progress(plain=True)).active_hooks
    assert capsys.readouterr().out == ""


class Watching(Observer):
    """Watches with an object of some class."""

    def __init__(self, watcher):
        self.watcher = watcher

    def start(self):
        return self.watcher()


class Misspelt:
    @hookimpl
    def match_finish(self, record): ...


class Raising:
    @hookimpl
    def measured(self, metric):
        raise KeyError(metric)


class Printing:
    @hookimpl
    def match_finished(self, record):
        print(record.id)  # noqa: T201 -- the fault


class Deaf:
    """An observer that implements no hook at all."""


class Shared:
    @hookimpl
    def match_finished(self, record): ...


ONE = Shared()


@pytest.mark.parametrize(
    ("watcher", "check"),
    [(Misspelt, "hooks"), (Raising, "crash"), (Printing, "output"), (Deaf, "hooks"), (lambda: ONE, "watch")],
)
def test_faults_of_observers_are_named(watcher, check):
    """Unknown hooks, errors, results' own stream, silence and an object for all runs are found."""
    with pytest.raises(ConformanceError) as caught:
        check_observer(Watching(watcher))

    assert caught.value.check == check


class Equal(Solution):
    """Takes every action for a win, the same to all."""

    method = "a hunch"

    def action_values(self, state, player):
        actions = state.decision(player).options.actions
        return ActionValues(
            values=tuple(ActionValue(action=a, value=-1.0, probability=1 / len(actions)) for a in actions)
        )


class Half(Equal):
    """Leaves out an action."""

    def action_values(self, state, player):
        return ActionValues(values=Equal.action_values(self, state, player).values[1:])


class Playing(Equal):
    """Plays on in the state it is given."""

    def action_values(self, state, player):
        found = Equal.action_values(self, state, player)
        state.apply({player: 1})
        return found


class Fixedly(Solver):
    """Has one solution for everything."""

    def __init__(self, solution):
        self.solution = solution

    def unsupported_reason(self, game, players):
        return None

    def solve(self, game, players):
        return self.solution()


@pytest.mark.parametrize("solution", [Equal, Half, Playing])
def test_faults_of_solvers_are_named(solution):
    """Values that contradict the game, actions left out and a changed state are found."""
    with pytest.raises(ConformanceError) as caught:
        check_solver(Fixedly(solution))

    assert caught.value.check == "assess"
