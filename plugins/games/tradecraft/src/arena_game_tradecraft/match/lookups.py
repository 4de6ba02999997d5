"""The queries of players: the rules of crafting, what a hand suffices for, and the events they saw."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, Final

from arena.game import Illegal, Query
from arena.record import JSON, Player

from arena_game_tradecraft.match import judging
from arena_game_tradecraft.match.actions import Done, Misread
from arena_game_tradecraft.match.position import Position
from arena_game_tradecraft.rules.amounts import AMOUNT_SCHEMA, write_amount, write_amounts
from arena_game_tradecraft.rules.crafting import find_craft, possible_crafts
from arena_game_tradecraft.rules.ruleset import Recipe, RuleSet

PAGE: Final = 30
"""The most recipes or crafts in one answer."""

FOUND: Final = 5
"""The most names that a search returns."""

_TEXT: Final[JSON] = {"type": "string", "minLength": 1, "maxLength": 100}
_NUMBER: Final[JSON] = {"type": "integer", "minimum": 0}
_AMOUNTS: Final[JSON] = {"type": "object", "additionalProperties": AMOUNT_SCHEMA}
_DIRECTIONS: Final = ("make", "use")


def queries(state: Position, player: Player) -> tuple[Query, ...]:
    """All queries; each has one limit for the phase, which all crafts and tries in it share."""
    limit = state.terms.lookups.limit(state.phase)
    if not limit:
        return ()
    item, tag = _examples(state.rules, state.wiki)
    look = partial(_query, limit, f"the {state.phase} phase of turn {state.turn}")
    return (
        look("item", "what an item is made of, what it goes into, and which tags it belongs to",
             {"item": _TEXT}, ["item"], {"item": item}, partial(_item, state)),
        look("recipes", f"recipes that make or use an item, {PAGE} at a time, 'skip' of them left out",
             {"item": _TEXT, "that": {"enum": list(_DIRECTIONS)}, "skip": _NUMBER}, ["item", "that"],
             {"item": item, "that": "use"}, partial(_recipes, state)),
        *([look("tag", "the items that may fill a tag, and how many of each count as one",
                {"tag": _TEXT}, ["tag"], {"tag": tag}, partial(_tag, state))] if tag else []),
        look("possible_crafts", f"crafts that a hand (your own unless given) suffices for, {PAGE} at a time",
             {"hand": _AMOUNTS, "skip": _NUMBER}, [], {}, partial(_possible, state, player)),
        look("check_craft", "whether inputs and an output are a craft that you could do now; nothing is crafted",
             {"inputs": _AMOUNTS, "output": _AMOUNTS}, ["inputs", "output"],
             {"inputs": {item: 1}, "output": {item: 1}}, partial(_check_craft, state, player)),
        look("search", f"up to {FOUND} items whose names are like a text", {"text": _TEXT}, ["text"],
             {"text": item}, partial(_search, state)),
        look("history", "what you have seen happen, from a turn on", {"turn": _NUMBER}, [], {},
             partial(_history, state, player)),
    )  # fmt: skip


def _query(
    limit: int,
    period: str,
    name: str,
    summary: str,
    properties: Mapping[str, JSON],
    required: list[str],
    example: JSON,
    answer: Callable[[dict[str, Any]], JSON],
) -> Query:
    schema: JSON = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return Query(
        name=name,
        summary=summary,
        schema=schema,
        answer=lambda arguments: _answered(answer, arguments, properties, required),
        limit=limit,
        example=example,
        budget_scope=period,
    )


def _answered(
    answer: Callable[[dict[str, Any]], JSON], arguments: Any, known: Mapping[str, Any], required: Sequence[str]
) -> JSON | Illegal:
    try:
        if not isinstance(arguments, dict):
            raise Misread("schema", f"expected an object with {', '.join(known)}")
        for key in required:
            if key not in arguments:
                raise Misread("schema", f"{key!r} is missing; expected an object with {', '.join(known)}")
        for key, value in arguments.items():
            _check_argument(key, value, known)
        return answer(arguments)
    except Misread as misread:
        return misread.illegal


def _check_argument(key: str, value: Any, known: Mapping[str, Any]) -> None:
    schema = known.get(key)
    if schema is None:
        raise Misread("schema", f"unknown argument {key[:40]!r}; expected {', '.join(known)}")
    if schema is _TEXT and not (isinstance(value, str) and 1 <= len(value) <= 100):
        raise Misread("schema", f"{key}: expected a text of 1 to 100 characters")
    if schema is _NUMBER and (type(value) is not int or value < 0):
        raise Misread("schema", f"{key}: expected a whole number of at least 0")
    if "enum" in schema and value not in schema["enum"]:
        raise Misread("schema", f"{key}: expected {' or '.join(map(repr, schema['enum']))}")


def _item(state: Position, arguments: dict[str, Any]) -> JSON:
    item = _known(state, arguments["item"])
    making = [_written(r) for r in _in_wiki(state, state.rules.makes.get(item, ()))]
    uses = sorted({r.output for r in _in_wiki(state, state.rules.uses.get(item, ()))})
    return {
        "item": item,
        "made_by": making[:PAGE],
        "goes_into": uses,
        "tags": {tag: write_amount(state.rules.tags[tag][item]) for tag in state.rules.tags_of.get(item, ())},
    }


def _recipes(state: Position, arguments: dict[str, Any]) -> JSON:
    item = _known(state, arguments["item"])
    graph = state.rules.makes if arguments["that"] == "make" else state.rules.uses
    return _page("recipes", [_written(r) for r in _in_wiki(state, graph.get(item, ()))], arguments)


def _tag(state: Position, arguments: dict[str, Any]) -> JSON:
    name = arguments["tag"]
    tag = name if name.startswith("#") else f"#{name}"
    if tag not in state.rules.tags:
        close = get_close_matches(tag, state.rules.tags, n=FOUND)
        raise Misread("unknown-tag", f"there is no tag {name!r}" + (f"; there is {', '.join(close)}" if close else ""))
    members = {item: n for item, n in state.rules.tags[tag].items() if item in state.wiki}
    return {"tag": tag, "members": write_amounts(members)}


def _possible(state: Position, player: Player, arguments: dict[str, Any]) -> JSON:
    hand = state.hands[player]
    if "hand" in arguments:
        hand = _amounts(state, arguments, "hand")
    crafts = [
        {
            **_written(possible.recipe),
            "most": possible.most,
            "example": {
                "inputs": write_amounts(possible.once),
                "output": {possible.recipe.output: possible.recipe.count},
            },
        }
        for possible in possible_crafts(state.rules, hand)
    ]
    return _page("crafts", crafts, arguments)


def _check_craft(state: Position, player: Player, arguments: dict[str, Any]) -> JSON:
    for part in ("inputs", "output"):
        _amounts(state, arguments, part)
    making = state.reader.making({"inputs": arguments["inputs"], "output": arguments["output"]})
    if isinstance(making, Done):
        raise Misread("schema", "inputs and an output are needed")
    is_recipe = find_craft(state.rules, making.inputs, making.output, making.amount) is not None
    reason = ""
    try:
        if state.phase == "craft":
            judging.find(state, player, making)
        else:
            judging.check_held(state, player, making)
    except Misread as misread:
        reason = misread.illegal.reason
    return {"is_recipe": is_recipe, "is_possible": not reason, "reason": reason}


def _search(state: Position, arguments: dict[str, Any]) -> JSON:
    text = "_".join(arguments["text"].strip().lower().split())
    return {"items": like(text, state.wiki)}


def _history(state: Position, player: Player, arguments: dict[str, Any]) -> JSON:
    since = arguments.get("turn", 0)
    events = [(turn, event) for turn, event in state.log if turn >= since and event.is_visible(player)]
    return {"events": [{"turn": turn, "kind": event.kind, "data": event.data} for turn, event in events]}


def like(text: str, items: Iterable[str]) -> Sequence[str]:
    """The names most similar to ``text``: first those that contain it, the closest in length first, then others."""
    names = sorted(items)
    containing = sorted((name for name in names if text in name), key=lambda name: (len(name), name))
    close = get_close_matches(text, names, n=FOUND, cutoff=0.65)
    return list(dict.fromkeys([*containing, *close]))[:FOUND]


def _known(state: Position, name: str) -> str:
    item = state.reader.item(name)
    if item is not None and item in state.wiki:
        return item
    close = ", ".join(like("_".join(name.lower().split()), state.wiki))
    here = "in this match" if item else "in this rule set"
    raise Misread("unknown-item", f"there is no item {name!r} {here}" + (f"; there is {close}" if close else ""))


def _amounts(state: Position, arguments: dict[str, Any], key: str) -> dict[str, Fraction]:
    """Amounts in the one form that the schema of a query allows."""
    amounts = state.reader.amounts(arguments[key], key)
    if write_amounts(amounts) != arguments[key] or any(type(n) not in (int, str) for n in arguments[key].values()):
        raise Misread("schema", f"{key}: write amounts as 3 or, in lowest terms, as '2/3'")
    return amounts


def _in_wiki(state: Position, recipes: Iterable[Recipe]) -> list[Recipe]:
    """The recipes that may be looked up: those whose ingredients can all be filled by items of the wiki."""
    return [r for r in recipes if all(not i.members.keys().isdisjoint(state.wiki) for i in r.ingredients)]


def _written(recipe: Recipe) -> dict[str, JSON]:
    return {
        "makes": {recipe.output: recipe.count},
        "needs": {i.name: write_amount(i.amount) for i in recipe.ingredients},
        "kind": recipe.kind,
    }


def _page(name: str, entries: Sequence[JSON], arguments: Mapping[str, Any]) -> JSON:
    skip = arguments.get("skip", 0)
    return {name: entries[skip : skip + PAGE], "total": len(entries)}


@lru_cache(maxsize=64)
def _examples(rules: RuleSet, wiki: frozenset[str]) -> tuple[str, str]:
    """An item and a tag that can be looked up in a match with this wiki, for examples."""
    return min(wiki), next((tag for item in sorted(wiki) for tag in rules.tags_of.get(item, ())), "")
