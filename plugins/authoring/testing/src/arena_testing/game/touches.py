"""Checks what can be touched in a scene: every option once, fills that keep to the schema, look-ups that there are."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, cast

from arena.game import Decision, Game, Illegal, PlayerView, Query, QueryAction
from arena.record import JSON, Player, canonical_json
from arena_engine.foundation import json_fault
from arena_scene import Touches, element_ids, scene_faults, schema_at, touches_faults, touches_of

from arena_testing.foundation.values import copied
from arena_testing.game.observations import SCENE
from arena_testing.game.position import ExaminedPosition

_NUMBERS = {"integer", "number"}


def check_touches(position: ExaminedPosition) -> None:
    """What can be touched has every option of a decision exactly once, and names what there is."""
    for player in position.state.to_act():
        decision = _asked(position, player)
        touches = touches_of(position.walk.game, decision)
        if touches is None:
            continue
        for what in _faults(position, decision, touches):
            raise position.fault("touches", what, player)


def check_query_actions(position: ExaminedPosition, player: Player, query: Query) -> None:
    """What an answer suggests to do is an action as the decision asks for one, and its drawing is sound."""
    decision, answer = _asked(position, player), query.answer(copied(query.example))
    if isinstance(answer, Illegal):
        return
    if what := next(_faults_of_answer(position, decision, query, answer), ""):
        raise position.fault("queries", f"the drawing of the answer of {query.name!r}: {what}", player)
    for offer in position.walk.game.query_actions(decision, query.name, copied(answer)):
        what = ""
        if not isinstance(offer, QueryAction) or not offer.label.strip():  # pyright: ignore[reportUnnecessaryIsInstance]
            what = f"is {offer!r}; give a QueryAction with a label"
        elif fault := json_fault(offer.action, "the action"):
            what = f"cannot be written down: {fault}"
        elif misfit := position.examination.schemas.misfit(decision.schema, copied(offer.action)):
            what = f"is {canonical_json(offer.action)}, against the schema of the decision: {misfit}"
        if what:
            raise position.fault("queries", f"an action that the answer of {query.name!r} suggests {what}", player)


def _faults_of_answer(position: ExaminedPosition, decision: Decision, query: Query, answer: JSON) -> Iterator[str]:
    drawn = position.walk.game.query_scene(decision, query.name, copied(answer))
    if drawn is None:
        return
    data, written = cast("Any", drawn[0].data), cast("Any", drawn[1].written())
    if faults := scene_faults(data):
        yield from faults
        return
    yield from touches_faults(written, element_ids(data))
    yield from _misfit_fills(position, decision, written)
    yield from _lost_queries(position, decision, written)


def seen_in_touches(game: Game, decision: Decision) -> str:
    """What can be touched as one text, to be compared; empty where the game says nothing of it."""
    touches = touches_of(game, decision)
    return "" if touches is None else canonical_json(touches.written())


def _asked(position: ExaminedPosition, player: Player) -> Decision:
    view = PlayerView(position.state, player)
    return position.state.decision(player).asked(view, forms=position.walk.game.forms)


def _faults(position: ExaminedPosition, decision: Decision, touches: object) -> Iterator[str]:
    game = position.walk.game
    if not isinstance(touches, Touches):
        yield f"touches() returns {touches!r}; it must return arena_scene.Touches, or None"
        return
    if SCENE not in game.forms:
        yield "something can be touched although the game has no form 'scene'"
        return
    written = touches.written()
    if canonical_json(written) != seen_in_touches(game, decision):
        yield "what can be touched is another each time; make it of the decision alone"
    yield from _misplaced_options(decision, touches)
    drawn: Any = decision.render(SCENE)
    yield from touches_faults(written, element_ids(drawn.data))
    yield from _misfit_fills(position, decision, written)
    yield from _lost_queries(position, decision, written)


def _misplaced_options(decision: Decision, touches: Touches) -> Iterator[str]:
    if decision.options is None:
        if touches.choices:
            yield "options can be touched although the decision has none; fills change the form of its schema"
        return
    if any(fill.do for fill in touches.fills):
        yield "a fill changes a form although the decision has options; give the options paths"
    offered = Counter(canonical_json([option.action, option.label]) for option in decision.options)
    named = Counter(canonical_json([choice.action, choice.label]) for choice in touches.choices)
    if odd := next(iter((named - offered) + (offered - named)), None):
        many = f"{named[odd]} times among what can be touched and {offered[odd]} times among the options"
        yield f"the option {odd} is {many}"


def _misfit_fills(position: ExaminedPosition, decision: Decision, written: Mapping[str, Any]) -> Iterator[str]:
    """Fills of places that the schema does not have, and values that may not stand there."""
    schema: Any = decision.schema
    for fill in written.get("fills", ()):
        for change in fill.get("do", ()):
            pointers = [] if "times" in change else [change.get("pointer", "")]
            for way in change.get("times", {}).get("ways", ()):
                if wrong := position.examination.schemas.misfit(schema, copied(way["once"])):
                    yield f"the fill {fill['label']!r} makes an action that does not fit the schema: {wrong}"
            for pointer in change.get("scale", {}).get("pointers", pointers):
                place = schema_at(schema, pointer)
                if place is None:
                    yield f"the fill {fill['label']!r} changes {pointer!r}, which the schema does not have"
                elif wrong := _misfit(position, place, change):
                    yield f"the fill {fill['label']!r} at {pointer!r}: {wrong}"
    for each in written.get("suggest", ()):
        if schema_at(schema, each["pointer"]) is None:
            yield f"what is typed at {each['pointer']!r} is completed, which the schema does not have"
    for pointer in written.get("names", ()):
        if schema_at(schema, pointer) is None:
            yield f"{pointer!r} has a name, which the schema does not have"


def _misfit(position: ExaminedPosition, place: Mapping[str, Any], change: Mapping[str, Any]) -> str:
    fits = position.examination.schemas.misfit
    if "set" in change:
        return fits(place, copied(change["set"])) or ""
    if "add" not in change:
        return ""
    more: Any = change["add"]
    types = {branch.get("type") for branch in place.get("anyOf", (place,))}
    if "array" in types:
        return fits(place.get("items", {}), copied(more)) or ""
    if isinstance(more, str):
        return "" if "string" in types else f"a line of text cannot be added to {' or '.join(map(str, types))}"
    is_number = isinstance(more, int | float) and not isinstance(more, bool)
    return "" if is_number and types & _NUMBERS else f"{more!r} cannot be added there"


def _lost_queries(position: ExaminedPosition, decision: Decision, written: Mapping[str, Any]) -> Iterator[str]:
    offered = {query.name: query for query in decision.queries}
    for asked in (*written.get("assist", ()), *(fill for fill in written.get("fills", ()) if "query" in fill)):
        query, arguments = offered.get(asked["query"]), asked.get("arguments", {})
        if query is None:
            yield f"{asked['query']!r} is looked up, which is none of: {', '.join(offered) or 'no look-up'}"
        elif misfit := position.examination.schemas.misfit(query.schema, copied(arguments)):
            yield f"{asked['query']!r} is looked up with arguments against its schema: {misfit}"
    for each in written.get("suggest", ()):
        query = offered.get(each["query"])
        schema: Any = None if query is None else query.schema
        if schema is None or schema_at(schema, f"/{each['argument']}") is None:
            yield f"{each['query']!r} completes what is typed, which has no argument {each['argument']!r}"


def suggested(game: Game, decision: Decision, query: Query) -> list[JSON]:
    """What the answer to a look-up's example suggests to do and how it is drawn, to be compared."""
    answer = query.answer(copied(query.example))
    if isinstance(answer, Illegal):
        return []
    offers = [[own.label, own.action, own.rank] for own in game.query_actions(decision, query.name, answer)]
    drawn = game.query_scene(decision, query.name, answer)
    return [*offers, *([] if drawn is None else [[drawn[0].data, drawn[1].written()]])]
