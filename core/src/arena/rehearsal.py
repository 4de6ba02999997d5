"""Play a part of a match for real, with the real referee, and write nothing down.

This is how prompts are shown before they are paid for, runs are estimated, and another agent is asked about a position.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

import attrs

from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.backend import Backend, Completion, CompletionRequest
from arena.bus import Bus
from arena.connections import Connections
from arena.errors import StopRun
from arena.executor import Answer, Desk, Work
from arena.game import Decision
from arena.hookspecs import Hooks
from arena.opening import Relay
from arena.record import Event, MatchPlan
from arena.referee import Match, Referee

if TYPE_CHECKING:
    from arena.completions import Clock


@attrs.frozen
class StandIn(Agent):
    """Plays uniformly at random: all turns, or ``turns`` of them before ``agent`` plays on."""

    agent: Agent | None = None
    turns: int = 0

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down in somebody's place."""

        def draw(decision: Decision) -> Reply:
            return Reply(action=decision.sample(seat.rng))

        return Relay(draw, self.turns, self.agent and self.agent.join(seat))


@attrs.frozen
class Cast(Agent):
    """Who plays in whose place, by player."""

    parts: tuple[Agent, ...]

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down as the one whose seat it is."""
        return self.parts[seat.player].join(seat)


@attrs.frozen
class Request:
    """A request that was not sent, and whom it was for."""

    backend: Backend
    request: CompletionRequest


class Unsent(Connections):
    """Catches the first request, and ends the rehearsal with it."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.caught: Request | None = None

    async def complete(self, backend: Backend, request: CompletionRequest, clock: "Clock | None" = None) -> Completion:
        """Send nothing."""
        self.caught = Request(backend, request)
        raise StopRun("the request was caught")


class Scratch(Desk):
    """A desk that keeps answers only as long as it lives, and stops the match after ``waves`` of it."""

    def __init__(self, waves: int | None = None) -> None:
        super().__init__()
        self.answers: list[Answer] = []
        self._left = waves
        self._hooks = Bus({}, lambda name, hook, error: None).hooks

    @property
    def hooks(self) -> Hooks:
        """Nobody watches."""
        return self._hooks

    @property
    def heard(self) -> frozenset[str]:
        """Nothing."""
        return frozenset()

    def check(self) -> None:
        """Count waves."""
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                raise StopRun("the rehearsal is over")

    def known(self, match: str) -> Mapping[str, Answer]:
        """Nothing."""
        return {}

    async def keep(self, answer: Answer) -> None:
        """Hold it in memory."""
        self.answers.append(answer)

    async def admit(self, backend: Backend) -> None:
        """Everything is admitted."""


@attrs.frozen(kw_only=True)
class Rehearsed:
    """What came of it: the events until the end or the stop, and everything that was asked."""

    waves: int
    events: tuple[Event, ...]
    answers: tuple[Answer, ...]

    def turns(self, players: int) -> tuple[int, ...]:
        """How often each player acted."""
        acted = [e.player for e in self.events if e.source == "referee" and e.kind == "played"]
        return tuple(acted.count(p) for p in range(players))  # type: ignore[arg-type]  # players are numbers


async def rehearse(work: Work, plan: MatchPlan, parts: Sequence[Agent], waves: int | None = None) -> Rehearsed:
    """Play ``plan``, or its first ``waves``, with ``parts`` by player; backends are asked for real, errors pass."""
    desk = Scratch(waves)
    connections = Connections(desk)
    try:
        match = Match(Referee(_recast(work, plan, parts), desk, connections), plan, {})
        with suppress(StopRun):
            await match.play()
        match.leave()
    finally:
        await connections.close()
    return Rehearsed(waves=match.waves, events=tuple(match.events), answers=tuple(desk.answers))


async def catch(work: Work, plan: MatchPlan, parts: Sequence[Agent]) -> Request | None:
    """Play ``plan`` until a backend would be asked; ``None`` where none is."""
    desk = Scratch()
    unsent = Unsent(desk)
    with suppress(StopRun):
        await Match(Referee(_recast(work, plan, parts), desk, unsent), plan, {}).play()
    return unsent.caught


def _recast(work: Work, plan: MatchPlan, parts: Sequence[Agent]) -> Work:
    return attrs.evolve(work, agents=dict.fromkeys(plan.agents, Cast(tuple(parts))))
