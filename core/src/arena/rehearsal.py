"""Play a part of a match for real, with the real referee, and write nothing down.

This is how lengths of matches are estimated, and another agent is asked about a position.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

import attrs

from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.backend import Backend
from arena.bus import Bus
from arena.connections import Connections
from arena.errors import StopRun
from arena.executor import Answer, Desk, Work
from arena.game import Decision
from arena.hookspecs import Hooks
from arena.opening import Relay
from arena.record import Event, MatchPlan, MatchRecord
from arena.referee import Match, Referee


@attrs.frozen
class StandIn(Agent):
    """Plays uniformly at random, and says ``reasoning`` with each action."""

    reasoning: str = ""

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down in somebody's place."""

        def draw(decision: Decision) -> Reply:
            return Reply(action=decision.sample(seat.rng), reasoning=self.reasoning)

        return Relay(draw, 0, None)


@attrs.frozen
class Cast(Agent):
    """Who plays in whose place, by player."""

    parts: tuple[Agent, ...]

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down as the one whose seat it is."""
        return self.parts[seat.player].join(seat)


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
    """What came of it: the events until the end or the stop, everything that was asked, and the match if it ended."""

    record: MatchRecord | None
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
    record = None
    try:
        match = Match(Referee(_recast(work, plan, parts), desk, connections), plan, {})
        with suppress(StopRun):
            record = await match.play()
        match.leave()
    finally:
        await connections.close()
    return Rehearsed(record=record, waves=match.waves, events=tuple(match.events), answers=tuple(desk.answers))


def _recast(work: Work, plan: MatchPlan, parts: Sequence[Agent]) -> Work:
    return attrs.evolve(work, agents=dict.fromkeys(plan.agents, Cast(tuple(parts))))
