"""Simulates a match, or its beginning, with the real referee and without a journal.

Forecasts use it to estimate the lengths of matches, and replays to ask another agent about a position.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.backend import Backend
from arena.errors import StopRun
from arena.game import Decision
from arena.hookspecs import Hooks
from arena.record import Event, MatchPlan, MatchRecord

from arena_engine.job.bus import Bus
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Job
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call
from arena_engine.match.match import Match
from arena_engine.match.opening import HandoverPlayer
from arena_engine.match.referee import Referee
from arena_engine.models.pool import BackendPool


@attrs.frozen
class RandomAgent(Agent):
    """Plays uniformly at random, with ``reasoning`` in each of its replies."""

    reasoning: str = ""

    def join(self, seat: Seat) -> PlayerAgent:
        def draw(decision: Decision) -> Reply:
            return Reply(action=decision.sample(seat.rng), reasoning=self.reasoning)

        return HandoverPlayer(draw, 0, None)


@attrs.frozen
class PerSeat(Agent):
    """Gives each seat its own agent, by player."""

    agents: tuple[Agent, ...]

    def join(self, seat: Seat) -> PlayerAgent:
        return self.agents[seat.player].join(seat)


class InMemoryRun(RunContext):
    """A ``RunContext`` that keeps entries in memory, and stops a match after ``steps`` (``None``: at its end)."""

    def __init__(self, steps: int | None = None) -> None:
        super().__init__()
        self.is_held = True  # so that the referee asks before each step
        self.answers: list[JournalEntry] = []
        self._left = steps
        self._hooks = Bus({}, lambda name, hook, error: None).hooks

    @property
    def hooks(self) -> Hooks:
        return self._hooks

    @property
    def active_hooks(self) -> frozenset[str]:
        return frozenset()

    def check_stopped(self) -> None:
        if self._left is not None:  # the referee asks once before each step
            self._left -= 1
            if self._left < 0:
                raise StopRun("the simulation is over")

    def recorded(self, match: str) -> Mapping[str, JournalEntry]:
        return {}

    async def record(self, answer: JournalEntry) -> None:
        self.answers.append(answer)

    async def admit(self, backend: Backend, call: Call) -> None: ...

    def release(self, call: Call, *, is_paid: bool) -> None: ...


@attrs.frozen(kw_only=True)
class Simulated:
    """The outcome of a simulation: its events and all answers from outside, and the record if the match ended.

    ``warnings`` are problems that changed nothing of it, such as an agent that could not be closed.
    """

    record: MatchRecord | None
    steps: int
    events: tuple[Event, ...]
    answers: tuple[JournalEntry, ...]
    warnings: tuple[str, ...] = ()

    def turns(self, players: int) -> tuple[int, ...]:
        """The number of actions that each player took."""
        acted = [e.player for e in self.events if e.source == "referee" and e.kind == "played"]
        return tuple(acted.count(p) for p in range(players))  # type: ignore[arg-type]  # players are numbers


async def simulate(work: Job, plan: MatchPlan, agents: Sequence[Agent], steps: int | None = None) -> Simulated:
    """Play ``plan``, or its first ``steps``, with ``agents`` by player. Backends are really asked; errors pass."""
    context = InMemoryRun(steps)
    connections = BackendPool(context)
    record = None
    try:
        referee = Referee(_with_agents(work, plan, agents), context, connections)
        match = Match(referee, plan, {})
        try:
            with suppress(StopRun):
                record = await match.play()
        finally:
            await match.close()
            referee.workers.close()
    finally:
        await connections.close()
    return Simulated(
        record=record,
        steps=match.steps,
        events=tuple(match.events),
        answers=tuple(context.answers),
        warnings=tuple(context.warnings),
    )


def _with_agents(work: Job, plan: MatchPlan, agents: Sequence[Agent]) -> Job:
    return attrs.evolve(work, agents=dict.fromkeys(plan.agents, PerSeat(tuple(agents))))
