"""An agent that starts with given moves and then hands over: to play on from a position of a recorded match.

Whoever takes over has seen everything its player saw so far, and remembers no thoughts of its own.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs

from arena.agent import Agent, PlayerAgent, Refusal, Reply, Seat, Turn
from arena.backend import Backend
from arena.errors import PluginError
from arena.game import Decision, Game
from arena.record import JSON, GameEvent, RefusalKind
from arena.threads import in_thread


@attrs.frozen(kw_only=True)
class Opening(Agent):
    """Plays ``moves`` first, whatever happens, then lets ``agent`` play on."""

    agent: Agent = attrs.field(metadata={"help": "who plays on"})
    moves: tuple[tuple[Mapping[str, Any], ...], ...] = attrs.field(
        metadata={"help": "for each player, one entry a turn: {play: ACTION}, or {refuse: KIND} to fail in that turn"}
    )

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down with the moves of the seat."""
        moves = self.moves[seat.player] if seat.player < len(self.moves) else ()
        return Relay(partial(_given, moves), len(moves), self.agent.join(seat))

    def backends(self) -> Mapping[str, Backend]:
        """Those of the agent that plays on."""
        return self.agent.backends()

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """What the agent that plays on needs."""
        return self.agent.needs(game, players)

    def forms(self) -> frozenset[str]:
        """The forms the agent that plays on asks for."""
        return self.agent.forms()


def _given(moves: Sequence[Mapping[str, JSON]], decision: Decision) -> Turn:
    move = moves[decision.turn]
    if "refuse" in move:
        return Refusal(kind=RefusalKind(str(move["refuse"])), reason="this turn was given up in the opening")
    if decision.attempt:
        raise PluginError(
            f"the opening's move {move['play']!r} in turn {decision.turn + 1} is refused; "
            "use the version of the game it was recorded with"
        )
    return Reply(action=move["play"], note={"opening": True})


class Relay(PlayerAgent):
    """Lets ``first`` play the first ``turns`` turns and ``then`` the rest; ``first`` plays on where nobody follows."""

    def __init__(self, first: Callable[[Decision], Turn], turns: int, then: PlayerAgent | None) -> None:
        self._first = first
        self._turns = turns
        self._then = then
        self._seen: list[GameEvent] = []

    async def act(self, decision: Decision) -> Turn:
        """Play, or hand over with all that was seen so far as news."""
        if self._then is None or decision.turn < self._turns:
            if decision.attempt == 0:
                self._seen += decision.news
            return self._first(decision)
        if self._seen:
            decision.news = (*self._seen, *decision.news)
            self._seen = []
        return await acted(self._then, decision)

    def left(self) -> None:
        """Let the other one go."""
        if self._then is not None:
            self._then.left()


async def acted(mind: PlayerAgent, decision: Decision) -> Turn:
    """What it chooses; one that does not await is asked in a thread."""
    if inspect.iscoroutinefunction(type(mind).act):
        turn = mind.act(decision)
    else:
        turn = await in_thread(partial(mind.act, decision))
    return await turn if inspect.isawaitable(turn) else turn
