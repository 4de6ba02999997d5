"""An agent that plays given moves and then hands over to another one, to play on from a recorded position.

The second agent gets every event that its player has seen so far as news of its first decision.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import attrs
from arena.agent import Agent, Outside, PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.backend import Backend
from arena.errors import PluginError
from arena.game import Decision, Game
from arena.record import JSON, GameEvent

from arena_engine.match.calling import in_thread


@attrs.frozen(kw_only=True)
class Opening(Agent):
    """Plays ``moves`` first, whatever happens, then lets ``agent`` play the rest of the match."""

    agent: Agent = attrs.field(metadata={"help": "who plays on"})
    moves: tuple[tuple[Mapping[str, Any], ...], ...] = attrs.field(
        metadata={"help": "for each player, one entry a turn: {play: ACTION}, or {refuse: KIND} to fail in that turn"}
    )

    def join(self, seat: Seat) -> PlayerAgent:
        moves = self.moves[seat.player] if seat.player < len(self.moves) else ()
        return HandoverPlayer(partial(_given, moves), len(moves), self.agent.join(seat))

    @property
    def outside(self) -> Outside | None:
        return self.agent.outside

    def backends(self) -> Mapping[str, Backend]:
        return self.agent.backends()

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        return self.agent.needs(game, players)

    def forms(self) -> frozenset[str]:
        return self.agent.forms()

    def prompt_version(self) -> str:
        return self.agent.prompt_version()


def _given(moves: Sequence[Mapping[str, JSON]], decision: Decision) -> Response:
    move = moves[decision.turn]
    if "refuse" in move:
        return Refusal(kind=RefusalKind(str(move["refuse"])), reason="this turn was given up in the opening")
    if decision.attempt:
        raise PluginError(
            f"the opening's move {move['play']!r} in turn {decision.turn + 1} is refused; "
            "use the version of the game it was recorded with"
        )
    return Reply(action=move["play"], note={"opening": True})


class HandoverPlayer(PlayerAgent):
    """Lets ``first`` play the first ``turns`` turns and ``then`` the rest; without ``then``, ``first`` plays all."""

    def __init__(self, first: Callable[[Decision], Response], turns: int, then: PlayerAgent | None) -> None:
        self._first = first
        self._turns = turns
        self._then = then
        self._seen: list[GameEvent] = []

    async def act(self, decision: Decision) -> Response:
        if self._then is None or decision.turn < self._turns:
            if decision.attempt == 0:
                self._seen += decision.news
            return self._first(decision)
        if self._seen:
            decision = decision.with_news((*self._seen, *decision.news))
            self._seen = []
        return await call_agent(self._then, decision)

    async def receive(self, message: JSON) -> JSON:
        return await (super() if self._then is None else self._then).receive(message)

    async def close(self) -> None:
        if self._then is not None:
            await close_agent(self._then)


async def call_agent(agent: PlayerAgent, decision: Decision) -> Response:
    """Call an agent's ``act``, in a thread if it is a plain function that is not quick."""
    if agent.is_quick or inspect.iscoroutinefunction(type(agent).act):
        turn = agent.act(decision)
    else:
        turn = await in_thread(partial(agent.act, decision))
    return await turn if inspect.isawaitable(turn) else turn


async def close_agent(agent: PlayerAgent) -> None:
    """Call an agent's ``close``, which may be a plain function or a coroutine function."""
    closing = agent.close()
    if inspect.isawaitable(closing):
        await closing
