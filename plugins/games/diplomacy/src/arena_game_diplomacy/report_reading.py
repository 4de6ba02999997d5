"""Reads reports of what a power knows, in the many ways in which models write them.

What a report says of a field becomes a set of short texts, its *items*, in which provinces have their usual
abbreviation and no coast: ``PAR`` (a place), ``A PAR`` (a unit; ``? PAR`` where its kind is not said), ``PAR-BUR`` (the
unit in Paris can move to Burgundy) and ``BUR=2`` (Burgundy takes two units). What cannot be read is an item as well,
one that begins with ``?`` or holds ``?``: it is part of the answer, and it is wrong.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

from arena_game_diplomacy.board import POWERS
from arena_game_diplomacy.notation import read_province
from arena_game_diplomacy.reports import FIELDS, WORST_CASE

_ARMY: Final = re.compile(r"(?:a|army|armies)\b[\s:.-]*(?:(?:in|at|of)\s)?\s*(.+)", re.IGNORECASE)
_FLEET: Final = re.compile(r"(?:f|fleet|fleets)\b[\s:.-]*(?:(?:in|at|of)\s)?\s*(.+)", re.IGNORECASE)
_KIND_LAST: Final = re.compile(r"(.+?)\s*[:(\[]\s*(a|army|f|fleet)\s*[)\]]?", re.IGNORECASE)
_KINDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("a", "army", "armies"), "A"),
    **dict.fromkeys(("f", "fleet", "fleets"), "F"),
}
_FROM: Final = ("location", "place", "province", "territory", "unit", "from", "name", "target", "region", "loc")
_TO: Final = ("adjacent", "adjacents", "adjacencies", "neighbours", "neighbors", "places", "provinces", "to", "borders")
_NUMBER: Final = ("units", "number", "needed", "units_needed", "required", "value", "count", "n", "strength")
_DEPTH: Final = 4


def read_report(report: Any) -> dict[str, frozenset[str]]:
    """The items of each field that a report holds, whatever it looks like; never raises.

    Names of fields are read as those of the paper, too (``my_location``). A report that is no object holds no field.
    """
    found: dict[str, frozenset[str]] = {}
    if isinstance(report, Mapping):
        for key, value in cast("Mapping[str, Any]", report).items():
            if (field := field_named(key)) is not None:
                found[field] = found.get(field, frozenset()) | frozenset(_READERS[field](value, 0))
    return found


def field_named(key: str) -> str | None:
    """The field that a key of a report means: ``my_units`` is ``unit``; ``None`` for other keys."""
    name = key.strip().lower().replace("-", "_").replace(" ", "_").removeprefix("my_")
    return next((field for field in (*FIELDS, WORST_CASE) if name in (field, f"{field}s")), None)


def place_item(text: Any) -> str:
    """The province that a text names, with or without a coast or the letter of a unit before it."""
    if not isinstance(text, str):
        return _unread(text)
    province = read_province(text.strip(" .'\"`"))
    if province is None and (unit := _ARMY.fullmatch(text.strip()) or _FLEET.fullmatch(text.strip())):
        province = read_province(unit[1])
    return province or _unread(text)


def _unread(value: Any) -> str:
    return f"?{value!s:.40}"


def _places(value: Any, depth: int) -> Iterator[str]:
    """Places from a list, a text with commas, or an object whose keys are places or one of whose values is one."""
    if depth > _DEPTH:
        yield _unread(value)
    elif isinstance(value, Mapping):
        entries = _lowered(value)
        if (own := _first(entries, _FROM)) is not None:
            yield from _places(own, depth + 1)
            return
        for key, inner in cast("Mapping[str, Any]", value).items():
            if _is_power(key):
                yield from _places(inner, depth + 1)
            elif inner is not False and inner is not None:
                yield place_item(key)
    elif _is_list(value):
        for inner in value:
            yield from _places(inner, depth + 1)
    else:
        yield from map(place_item, _split(value))


def _units(value: Any, depth: int) -> Iterator[str]:
    """Units from texts such as ``A PAR`` and ``army in Paris``, and from objects by place or by kind."""
    if depth > _DEPTH:
        yield _unread(value)
    elif isinstance(value, Mapping):
        entries = _lowered(value)
        kind = _KINDS.get(str(_first(entries, ("type", "kind", "unit_type", "unit")) or "").strip().lower())
        place = _first(entries, _FROM if kind is None else tuple(name for name in _FROM if name != "unit"))
        if place is not None:
            yield _unit_item(place, kind)
            return
        for key, inner in cast("Mapping[str, Any]", value).items():
            if _is_power(key):
                yield from _units(inner, depth + 1)
            elif (kind := _KINDS.get(key.strip().lower())) is not None:
                for place in inner if _is_list(inner) else _split(inner):
                    yield _unit_item(place, kind)
            elif isinstance(inner, str) and (kind := _KINDS.get(inner.strip().lower())) is not None:
                yield _unit_item(key, kind)
            elif inner is not False and inner is not None:
                yield _unit_item(key, None)
    elif _is_list(value):
        for inner in value:
            yield from _units(inner, depth + 1)
    else:
        for text in _split(value):
            yield _unit_item(text, None)


def _unit_item(text: Any, kind: str | None) -> str:
    """The unit that a text names; ``kind`` is what is said of its kind elsewhere."""
    if not isinstance(text, str):
        return _unread(text)
    text = text.strip(" .'\"`")
    province = read_province(text)
    if province is None:
        for pattern, letter in ((_ARMY, "A"), (_FLEET, "F")):
            if found := pattern.fullmatch(text):
                province, kind = read_province(found[1]), letter
        if province is None and (found := _KIND_LAST.fullmatch(text)):
            province, kind = read_province(found[1]), _KINDS[found[2].lower()]
    return _unread(text) if province is None else f"{kind or '?'} {province}"


def _pairs(value: Any, depth: int) -> Iterator[str]:
    """Pairs of neighbours from an object by place, a list of such objects, pairs, or texts such as ``PAR: BUR, GAS``."""
    if depth > _DEPTH:
        yield _unread(value)
    elif isinstance(value, Mapping):
        entries = _lowered(value)
        own, others = _first(entries, _FROM), _first(entries, _TO)
        if own is not None and others is not None:
            yield from _from_to(own, others)
            return
        for key, inner in cast("Mapping[str, Any]", value).items():
            if _is_power(key):
                yield from _pairs(inner, depth + 1)
            else:
                yield from _from_to(key, inner)
    elif _is_list(value):
        entry = list(value)
        if len(entry) == 2 and isinstance(entry[0], str) and read_province(entry[0]) is not None:
            yield from _from_to(entry[0], entry[1])
            return
        for inner in entry:
            yield from _pairs(inner, depth + 1)
    else:
        for line in _split(value, "[;\n]"):
            parts = re.split(r"\s*(?::|=|-+>|→|–|-)\s*", line, maxsplit=1) if isinstance(line, str) else [line]
            yield from _from_to(*parts) if len(parts) == 2 else (_unread(line),)


def _from_to(own: Any, others: Any) -> Iterator[str]:
    place = place_item(own)
    for other in _places(others, 0):
        yield _unread(f"{place}-{other}") if "?" in place + other else f"{place}-{other}"


def _numbers(value: Any, depth: int) -> Iterator[str]:
    """Places with numbers from an object by place, a list of such objects, pairs, or texts such as ``BUR: 2``."""
    if depth > _DEPTH:
        yield _unread(value)
    elif isinstance(value, Mapping):
        entries = _lowered(value)
        own, number = _first(entries, _FROM), _first(entries, _NUMBER)
        if own is not None and number is not None:
            yield _number_item(own, number)
            return
        for key, inner in cast("Mapping[str, Any]", value).items():
            if _is_power(key):
                yield from _numbers(inner, depth + 1)
            else:
                yield _number_item(key, _first(_lowered(inner), _NUMBER) if isinstance(inner, Mapping) else inner)
    elif _is_list(value):
        entry = list(value)
        if len(entry) == 2 and isinstance(entry[0], str) and read_province(entry[0]) is not None:
            yield _number_item(entry[0], entry[1])
            return
        for inner in entry:
            yield from _numbers(inner, depth + 1)
    else:
        for text in _split(value):
            found = re.fullmatch(r"(.+?)[\s:=(-]+(\d+)\D*", text) if isinstance(text, str) else None
            yield _number_item(found[1], found[2]) if found else _unread(text)


def _number_item(place: Any, number: Any) -> str:
    found = re.search(r"\d+", number) if isinstance(number, str) else None
    if found:
        number = int(found[0][:9])
    item = place_item(place)
    is_number = isinstance(number, int | float) and not isinstance(number, bool) and number == number // 1
    return f"{item}={int(number)}" if is_number and "?" not in item else _unread(f"{place}={number}")


def _lowered(entries: Any) -> dict[str, Any]:
    return {key.strip().lower().replace(" ", "_").replace("-", "_"): value for key, value in entries.items()}


def _first(entries: Mapping[str, Any], names: Iterable[str]) -> Any:
    return next((entries[name] for name in names if name in entries), None)


def _is_power(key: str) -> bool:
    return key.strip().upper() in POWERS


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _split(value: Any, marks: str = "[,;\n]") -> list[Any]:
    """The parts of a text, or the one value that is no text."""
    return [part for part in re.split(marks, value) if part.strip()] if isinstance(value, str) else [value]


_READERS: Final[Mapping[str, Callable[[Any, int], Iterator[str]]]] = {
    "location": _places,
    "unit": _units,
    "adjacent": _pairs,
    "attackable": _places,
    "attack_analysis": _numbers,
    WORST_CASE: _numbers,
}
