"""A player's seat and decisions as they are in a worker process: what only the match knows is asked for."""

import inspect
from collections.abc import Awaitable, Callable
from random import Random
from typing import Any, NoReturn

import attrs
from arena.agent import Completions, Seat
from arena.backend import Backend, Completion, CompletionRequest
from arena.errors import PluginError
from arena.game import Decision, Game, Illegal, Options, PlayerView, Query
from arena.record import JSON, Action, Player

from arena_engine.match.worker_messages import Act, Join

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
        aliases=(lambda value: ask("interpret", value)) if act.has_aliases else None,
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
