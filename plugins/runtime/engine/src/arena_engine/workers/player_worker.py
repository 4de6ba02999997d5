"""A worker process, in which one player of one match lives at a time; the run tells it what to do.

It imports nothing of the engine but the messages and how it ends, so that it starts quickly.
"""

import asyncio
import inspect
import os
import pickle
import socket
from collections.abc import Awaitable, Callable
from random import Random
from threading import Lock
from typing import Any, NoReturn

import attrs
from arena.agent import Completions, PlayerAgent, Seat
from arena.backend import Backend, Completion, CompletionRequest
from arena.errors import PluginError, StaleDecision
from arena.game import Decision, Game, Illegal, Options, PlayerView, Query
from arena.record import JSON, Action, Player

from arena_engine.foundation.channel import BlockingChannel, end_with_parent, framed
from arena_engine.workers.player_messages import READY, Act, Asked, Close, Done, Join, Raised

Ask = Callable[..., Any]
"""Asks the run by a word and arguments, waits for the answer and returns it, or raises the error that it raised."""


def seat_of(join: Join, ask: Ask) -> Seat:
    """The seat of the player who lives in this process."""

    async def query(name: str, arguments: JSON, **thought: Any) -> JSON | Illegal:
        return ask("query", name, arguments, thought)

    async def once(name: str, function: Callable[[], JSON | Awaitable[JSON]]) -> JSON:
        is_known, given = ask("once", name)
        if is_known:
            return given
        try:
            found: Any = function()
            value = await found if inspect.isawaitable(found) else found
        except BaseException:
            ask("once_failed", given)
            raise
        return ask("once_gave", given, value)

    return Seat(
        player=join.player,
        players=join.players,
        name=join.name,
        game=join.game,
        rules=join.rules,
        agents=join.agents,
        completions=_NoCompletions(),
        query=query,
        once=once,
        resample_hidden=lambda number: ask("resample_hidden", number),
        make_rng=lambda: join.rng,
    )


def decision_of(act: Act, game: Game, player: Player, ask: Ask) -> tuple[Decision, PlayerView]:
    """The decision that the player is asked, and the view through which it is read."""

    def sample(rng: Random) -> Action:
        action, state = ask("sample", rng)
        rng.setstate(state)
        return action

    view = PlayerView(_Match(ask), player)
    options = None if act.actions is None else Options(act.actions, lambda action: ask("label", action))
    decision = Decision(
        player=player,
        phase=act.phase,
        options=options,
        action_schema=act.action_schema,
        sampler=sample if act.has_sampler else None,
        aliases=(lambda value: ask("alias", value)) if act.has_aliases else None,
        skip=act.skip,
        queries=tuple(_answered(query, ask) for query in act.queries),
    )
    asked = decision.asked(
        view,
        turn=act.turn,
        attempt=act.attempt,
        news=act.news,
        rejected=act.rejected,
        refusals=act.refusals,
        refusals_left=act.refusals_left,
        forms=game.forms,
    )
    return asked, view


def _answered(query: Query, ask: Ask) -> Query:
    def answer(arguments: Any) -> Any:
        return ask("answer", query.name, arguments)

    return attrs.evolve(query, answer=answer)


class _Match:
    """Stands behind a view: the match, which is played in the process of the run."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def observe(self, player: Player | None) -> JSON:
        return self._ask("observe")

    def check(self, player: Player, action: Action) -> Illegal | None:
        return self._ask("check", action)


class _NoCompletions(Completions):
    """Refuses to ask models: keys stay in the process of the run."""

    async def complete(self, backend: Backend, request: CompletionRequest) -> Completion:
        _refuse()

    def branch(self, name: str) -> Completions:
        _refuse()


def _refuse() -> NoReturn:
    raise PluginError("an agent that plays in a process of its own asks no models; let it play in the run's process")


def main(channel: int, lifeline: int) -> None:
    """Serve the run at the other end of ``channel``, a socket, until it or the pipe ``lifeline`` is closed there."""
    end_with_parent(lifeline)
    worker = _Worker(BlockingChannel(socket.socket(fileno=channel)))
    try:
        worker.serve()
    except (EOFError, ConnectionError):
        os._exit(0)  # the run is over, and whatever else runs here with it


class _Worker:
    """Does what the run says, and asks it for what only the match knows."""

    def __init__(self, channel: BlockingChannel) -> None:
        self._channel = channel
        self._lock = Lock()
        self._is_busy = False
        self._agent: PlayerAgent | None = None
        self._game: Game | None = None
        self._player = Player(0)
        self._view: PlayerView | None = None
        self._loop: asyncio.Runner | None = None

    def serve(self) -> None:
        """Answer one message after another, until the channel is closed."""
        self._channel.send(framed(READY))
        while True:
            body = self._channel.receive()
            self._is_busy = True
            try:
                told = framed(Done(self._handle(body)))
            except (EOFError, ConnectionError):
                raise
            except BaseException as error:
                told = framed(Raised.of(error))
            self._is_busy = False
            self._channel.send(told)

    def _handle(self, body: bytes) -> Any:
        match self._loaded(body):
            case Join() as join:
                self._game, self._player = join.game, join.player
                found: Any = join.agent.join(seat_of(join, self._ask))
                if not isinstance(found, PlayerAgent):
                    return repr(found)
                self._agent = found
                return type(found).act.__module__, type(found).act.__qualname__
            case Act() as act:
                assert self._agent is not None  # the run lets an agent join first
                assert self._game is not None
                if self._view is not None and not act.attempt:
                    self._view.is_open = False
                decision, self._view = decision_of(act, self._game, self._player, self._ask)
                return self._sendable(self._waited(self._agent.act(decision)))
            case Close():
                agent, self._agent = self._agent, None
                if agent is not None:
                    self._waited(agent.close())
                if self._loop is not None:
                    self._loop.close()
                    self._loop = None
            case other:
                raise AssertionError(other)
        return None

    def _loaded(self, body: bytes) -> object:
        try:
            return pickle.loads(body)
        except Exception as error:
            raise PluginError(
                f"it plays in a process of its own, which cannot be handed the match: {type(error).__name__}: {error}; "
                "define agents and games in modules that can be imported"
            ) from error

    def _waited(self, found: Any) -> Any:
        if not inspect.isawaitable(found):
            return found

        async def wait() -> Any:
            return await found

        if self._loop is None:
            self._loop = asyncio.Runner()
        return self._loop.run(wait())

    def _sendable(self, response: Any) -> Any:
        try:
            pickle.dumps(response)
        except Exception as error:
            raise PluginError(
                f"act returned {response!r}, which cannot leave its process: {type(error).__name__}: {error}"
            ) from error
        return response

    def _ask(self, what: str, *arguments: Any) -> Any:
        if not self._is_busy:
            raise StaleDecision(f"{what}: a player may ask for this only while it joins a match, acts or closes")
        with self._lock:
            self._channel.send(framed(Asked(what, arguments)))
            told = pickle.loads(self._channel.receive())
        if isinstance(told, Raised):
            raise told.error()
        return told.value
