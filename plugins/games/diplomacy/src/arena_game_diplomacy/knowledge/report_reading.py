"""Reads reports of what a power knows, in the many ways in which models write them.

What a report says of a field becomes a set of short texts, its *items*, in which provinces have their usual
abbreviation and no coast: ``PAR`` (a place), ``A PAR`` (a unit; ``? PAR`` where its kind is not said), ``PAR-BUR`` (the
unit in Paris can move to Burgundy) and ``BUR=2`` (Burgundy takes two units). What cannot be read is an item as well,
one that begins with ``?!``: it is part of the answer, and it is wrong.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, cast

import attrs
from arena.record import JSON

from arena_game_diplomacy.knowledge.reports import FIELDS, WORST_CASE, report_fault
from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.places import PlaceError, read_place

_KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("a", "army", "armies"), "A"),
    **dict.fromkeys(("f", "fleet", "fleets"), "F"),
}
_KIND: Final = "|".join(_KINDS)
_KIND_FIRST: Final = re.compile(rf"({_KIND})\b[\s:.-]*(?:(?:in|at|of|on)\s)?\s*(.+)", re.IGNORECASE)
_KIND_LAST: Final = re.compile(rf"(.+?)\s*[:(\[]\s*({_KIND})\s*[)\]]?", re.IGNORECASE)
_FROM_TO: Final = re.compile(r"\s*(?::|=|-+>|\u2192|\u2013|-)\s*")
_PLACE_AND_NUMBER: Final = re.compile(r"(.+?)[\s:=(\u2192>-]+(\d{1,3})\D*")

# The keys under which objects in a list name a place, its neighbours, or a number.
_PLACE_KEYS: Final = ("location", "place", "province", "territory", "unit", "from", "name", "target", "region", "loc")
_MANY_KEYS: Final = ("adjacent", "adjacencies", "neighbours", "neighbors", "places", "provinces", "to", "borders")
_NUMBER_KEYS: Final = ("units", "number", "needed", "units_needed", "required", "value", "count", "n", "strength")
_KIND_KEYS: Final = ("type", "kind", "unit_type", "unit")

_DEPTH: Final = 4
"""How many lists and objects may stand in each other; a model's answer needs three."""


def field_named(key: str) -> str | None:
    """The field that a key of a report means: ``my_units`` is ``unit``; ``None`` for other keys."""
    name = _plain(key).removeprefix("my_")
    return next((field for field in (*FIELDS, WORST_CASE) if name in (field, f"{field}s")), None)


def read_report(report: Any, board: BoardMap) -> dict[str, frozenset[str]]:
    """The items of each field that a report holds, whatever it looks like; never raises.

    A report that is no object holds no field.
    """
    found: dict[str, frozenset[str]] = {}
    if isinstance(report, Mapping):
        reader = _Reader(board)
        for key, value in cast("Mapping[str, Any]", report).items():
            if (field := field_named(key)) is not None:
                found[field] = found.get(field, frozenset()) | frozenset(reader.items(field, value, 0))
    return found


def plain_report(answer: Any, fields: Sequence[str], board: BoardMap) -> Any:
    """The report that an answer means, in the form that its schema has; what has that form comes back unchanged.

    Fields that the answer leaves out are empty. ``None`` if it has none of these fields.
    """
    if report_fault(answer, fields) is None:
        return answer
    given = read_report(answer, board)
    if not given.keys() & set(fields):
        return None
    return {field: written(field, given.get(field, frozenset())) for field in fields}


def written(field: str, items: Iterable[str]) -> JSON:
    """The value of a field that holds these items, in alphabetical order.

    It is read as the same items, but for a place with two numbers, which says nothing and is written with 0.
    """
    value: dict[str, Any] = {}
    if field in _LISTS:
        return [item[2:] if item.startswith("?") else item for item in sorted(items)]  # "?!XYZ", "? PAR"
    for item in sorted(items):
        if field == "adjacent":
            place, _, other = item.removeprefix("?!").partition("-")
            value.setdefault(place, []).append(other or place)
        elif item.startswith("?!"):
            value[item[2:]] = 0
        else:
            place, number = item.split("=")
            value[place] = 0 if place in value else int(number)
    return value


@attrs.frozen
class _Reader:
    board: BoardMap

    def items(self, field: str, value: Any, depth: int) -> Iterator[str]:
        """The items of a field in a list, an object or a text; both may be nested, and be by power."""
        if value is None:
            return
        if depth > _DEPTH:
            yield _unread(value)
        elif isinstance(value, Mapping):
            entries = cast("Mapping[str, Any]", value)
            if (whole := self._entry(field, _lowered(entries), depth)) is not None:
                yield from whole
                return
            for key, inner in entries.items():
                if key.strip().upper() in self.board.powers:
                    yield from self.items(field, inner, depth + 1)
                elif inner is not False and inner is not None:
                    yield from self._keyed(field, key, inner)
        elif _is_list(value):
            if field not in _LISTS and len(value) == 2 and self._province(value[0]) is not None:
                yield from self._keyed(field, *value)
                return
            for inner in value:
                yield from self.items(field, inner, depth + 1)
        else:
            yield from self._text(field, value)

    def _entry(self, field: str, entries: Mapping[str, Any], depth: int) -> Iterator[str] | None:
        """The items of an object such as ``{"place": "BUR", "units": 2}``, which is one entry of a list."""
        kind = _kind_of(_first(entries, _KIND_KEYS))
        own = _first(entries, _PLACE_KEYS if kind is None else tuple(key for key in _PLACE_KEYS if key != "unit"))
        if own is None:
            return None
        if field == "unit":
            return iter([self._unit(own, kind)])
        if field in _LISTS:
            return self.items(field, own, depth + 1)
        beside = _first(entries, _MANY_KEYS if field == "adjacent" else _NUMBER_KEYS)
        return None if beside is None else self._keyed(field, own, beside)

    def _keyed(self, field: str, key: Any, value: Any) -> Iterator[str]:
        """The items of one entry of an object: of a place and what is said of it."""
        if field == "unit":
            if (kind := _kind_of(key)) is not None:  # {"armies": ["PAR"]}
                yield from (self._unit(place, kind) for place in (value if _is_list(value) else _split(value)))
            else:
                yield self._unit(key, _kind_of(value))
        elif field == "adjacent":
            own = self._place(key)
            for other in self.items("location", value, 1):
                yield f"?!{key}-{other}"[:60] if "?!" in own + other else f"{own}-{other}"
        elif field in _LISTS:
            yield self._place(key)
        else:
            yield self._number(key, _first(_lowered(value), _NUMBER_KEYS) if isinstance(value, Mapping) else value)

    def _text(self, field: str, value: Any) -> Iterator[str]:
        """The items of a text with commas, or of a value that is no text, list or object."""
        if field == "adjacent":
            for line in _split(value, "[;\n]"):
                parts = _FROM_TO.split(line, maxsplit=1) if isinstance(line, str) else [line]
                yield from self._keyed(field, *parts) if len(parts) == 2 else (_unread(line),)
        elif field == "unit":
            yield from (self._unit(part, None) for part in _split(value))
        elif field in _LISTS:
            yield from map(self._place, _split(value))
        else:
            for part in _split(value):
                found = _PLACE_AND_NUMBER.fullmatch(part) if isinstance(part, str) else None
                yield self._number(found[1], found[2]) if found else _unread(part)

    def _place(self, text: Any) -> str:
        """The province that a text names, with or without a coast or the kind of a unit before it."""
        if isinstance(text, str) and (unit := _KIND_FIRST.fullmatch(text.strip())):
            return self._province(unit[2]) or _unread(text)
        return self._province(text) or _unread(text)

    def _unit(self, text: Any, kind: str | None) -> str:
        """The unit that a text names; ``kind`` is what is said of its kind beside it."""
        if isinstance(text, str) and (found := _KIND_FIRST.fullmatch(text.strip())):
            kind, text = _KINDS[found[1].lower()], found[2]
        elif isinstance(text, str) and (found := _KIND_LAST.fullmatch(text.strip())):
            kind, text = _KINDS[found[2].lower()], found[1]
        province = self._province(text)
        return _unread(text) if province is None else f"{kind or '?'} {province}"

    def _number(self, place: Any, number: Any) -> str:
        if isinstance(number, str) and (found := re.search(r"\d{1,3}", number)):
            number = int(found[0])
        is_whole = isinstance(number, int | float) and not isinstance(number, bool) and number in range(1000)
        item = self._place(place)
        return f"{item}={int(number)}" if is_whole and "?!" not in item else _unread(f"{place}={number}")

    def _province(self, text: Any) -> str | None:
        return _province_named(self.board, text) if isinstance(text, str) else None


_LISTS: Final = ("location", "unit", "attackable")
"""The fields that are lists of places; the others say something of each place."""


@lru_cache(maxsize=1 << 12)
def _province_named(board: BoardMap, text: str) -> str | None:
    try:
        return board.province_of[read_place(board, text.strip(" .'\"`*"))]
    except PlaceError:
        return None


def _unread(value: Any) -> str:
    return f"?!{value!s:.40}"


def _kind_of(value: Any) -> str | None:
    return _KINDS.get(value.strip().lower()) if isinstance(value, str) else None


def _plain(key: str) -> str:
    return key.strip().lower().replace(" ", "_").replace("-", "_")


def _lowered(entries: Any) -> dict[str, Any]:
    return {_plain(key): value for key, value in entries.items()}


def _first(entries: Mapping[str, Any], keys: Sequence[str]) -> Any:
    return next((entries[key] for key in keys if key in entries), None)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _split(value: Any, marks: str = "[,;\n]") -> list[Any]:
    """The parts of a text, or the one value that is no text."""
    return [part for part in re.split(marks, value) if part.strip()] if isinstance(value, str) else [value]
