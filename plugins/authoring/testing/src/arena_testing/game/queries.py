"""Checks of queries: each answers its own example, refuses nonsense, and changes nothing."""

from typing import Any

from arena.game import Illegal, Query
from arena.record import JSON, Player, canonical_json
from arena_engine.foundation import json_fault

from arena_testing.foundation.values import NONSENSE, copied, extremes, near_misses
from arena_testing.game.position import ExaminedPosition
from arena_testing.game.touches import check_query_actions


def check_queries(position: ExaminedPosition, player: Player) -> None:
    """Every query of the player's decision answers as its schema says and leaves the state unchanged."""
    queries = position.state.decision(player).queries
    names = [query.name for query in queries]
    if len(set(names)) < len(names) or not all(names):
        raise position.fault("queries", f"the queries are called {names!r}; give each a name of its own", player)
    for query in queries:
        with position.undisturbed("queries", f"the query {query.name!r} changes the state", player):
            _check_query(position, player, query)
            check_query_actions(position, player, query)


def answered(query: Query, arguments: JSON) -> JSON:
    """The query's answer, or its refusal, as JSON that can be compared."""
    answer = query.answer(arguments)
    return {"refused": [answer.kind, answer.reason]} if isinstance(answer, Illegal) else [answer]


def _check_query(position: ExaminedPosition, player: Player, query: Query) -> None:
    schemas, name = position.examination.schemas, query.name
    if not query.summary.strip() or query.limit < 1:
        raise position.fault("queries", f"the query {name!r} needs a summary and a limit of at least 1", player)
    if fault := json_fault(query.schema, "schema") or schemas.fault(query.schema):
        raise position.fault("queries", f"the query {name!r}: {fault}", player)
    if misfit := schemas.misfit(query.schema, copied(query.example)):
        raise position.fault("queries", f"the example of the query {name!r} does not fit its schema: {misfit}", player)
    if isinstance(refused := _answer(position, player, query, query.example), Illegal):
        raise position.fault("queries", f"the query {name!r} refuses its own example: {refused.reason}", player)
    for probe in (*NONSENSE, *near_misses(query.example), *extremes(query.schema, query.example)):
        answer = _answer(position, player, query, probe)
        if not isinstance(answer, Illegal) and (misfit := schemas.misfit(query.schema, copied(probe))):
            what = f"the query {name!r} answers {canonical_json(probe)} against its schema: {misfit}"
            raise position.fault("queries", what, player)


def _answer(position: ExaminedPosition, player: Player, query: Query, arguments: JSON) -> Any:
    try:
        answer, again = query.answer(arguments), answered(query, arguments)
    except Exception as error:
        what = f"the query {query.name!r} raises {type(error).__name__} for {arguments!r}: {error}"
        raise position.fault("queries", what, player) from error
    if isinstance(answer, Illegal):
        if not answer.kind or not answer.reason.strip():
            raise position.fault("queries", f"the query {query.name!r} refuses {arguments!r} without a reason", player)
    elif fault := json_fault(answer, "the answer"):
        raise position.fault("queries", f"the query {query.name!r} to {arguments!r}: {fault}", player)
    elif canonical_json([answer]) != canonical_json(again):
        raise position.fault("queries", f"the query {query.name!r} answers {arguments!r} differently each time", player)
    return answer
