"""Reports of what a power knows of a position: their fields, the words that ask for them, and their JSON schema."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.record import JSON

FIELDS: Final = ("location", "unit", "adjacent", "attackable", "attack_analysis")
"""The fields of a report, in their order."""

ONE_HOP: Final = FIELDS[:3]
"""Fields whose answers can be read off the position or the map."""

MULTI_HOP: Final = FIELDS[3:]
"""Fields whose answers combine the position with the map."""

WORST_CASE: Final = "worst_case"
"""A field that is asked on request: how many units an attack needs if every foreign unit nearby helps the defence."""


@attrs.frozen
class _Shape:
    """What the value of a field looks like: as a JSON schema, in words, and as a test."""

    schema: JSON
    expected: str
    fits: Callable[[Any], bool]


def _are_texts(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str) and all(isinstance(each, str) for each in value)


def _are_lists(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_are_texts, cast("Mapping[str, Any]", value).values()))


def _are_numbers(value: Any) -> bool:
    return isinstance(value, Mapping) and all(map(_is_whole, cast("Mapping[str, Any]", value).values()))


def _is_whole(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0


_TEXTS: Final = _Shape({"type": "array", "items": {"type": "string"}}, "a list of texts", _are_texts)
_BY_PLACE: Final = _Shape(
    {"type": "object", "additionalProperties": _TEXTS.schema}, "an object of lists of texts", _are_lists
)
_COUNTS: Final = _Shape(
    {"type": "object", "additionalProperties": {"type": "integer"}}, "an object of whole numbers", _are_numbers
)
_SHAPES: Final[Mapping[str, _Shape]] = {
    "location": _TEXTS,
    "unit": _TEXTS,
    "adjacent": _BY_PLACE,
    "attackable": _TEXTS,
    "attack_analysis": _COUNTS,
    WORST_CASE: _COUNTS,
}

_WORDS: Final[Mapping[str, str]] = {
    "location": 'the provinces under your influence, a list such as ["PAR", "BRE"]; a province is under the influence '
    "of the power whose unit stands there or was the last to stand there",
    "unit": 'your units, a list such as ["A PAR", "F BRE"]',
    "adjacent": "for the province of each of your units, the provinces to which the unit could move without a convoy, "
    'whoever stands there, such as {"PAR": ["BRE", "BUR", "GAS", "PIC"]}',
    "attackable": "the provinces to which at least one of your units could move without a convoy and in which no "
    'unit of yours stands, a list such as ["BUR", "PIC"]',
    "attack_analysis": "for each attackable province, how many of your units it takes to get there if nobody helps "
    'the unit that stands there and nobody else moves there: 1 if it is empty, 2 if not, such as {"BUR": 1, "PIC": 2}',
    WORST_CASE: "for each attackable province, how many of your units it takes if every foreign unit that could "
    "support the unit there to hold does so: 1 if it is empty; otherwise 2, and 1 more for each other foreign unit "
    'that could move there without a convoy, such as {"BUR": 1, "PIC": 3}',
}


def report_schema(fields: Sequence[str] = FIELDS) -> dict[str, JSON]:
    """The JSON schema of a report with these fields, all of them required."""
    return {
        "type": "object",
        "properties": {field: _SHAPES[field].schema for field in fields},
        "required": list(fields),
        "additionalProperties": False,
    }


def explanation(fields: Sequence[str] = FIELDS) -> str:
    """The words that say what each of these fields asks for, one line for each."""
    return "\n".join(f'- "{field}": {_WORDS[field]}' for field in fields)


def report_fault(report: Any, fields: Sequence[str] = FIELDS) -> str | None:
    """Why a value does not fit the schema of a report with these fields, in one sentence; ``None`` if it does."""
    if not isinstance(report, Mapping):
        return f"expected an object with {_listed(fields)}"
    entries = cast("Mapping[str, Any]", report)
    if missing := [field for field in fields if field not in entries]:
        return f"the report lacks {_listed(missing)}"
    if extra := sorted(set(entries) - set(fields)):
        return f"the report has {extra[0]!a}, which is not asked for"
    for field in fields:
        if not _SHAPES[field].fits(entries[field]):
            return f'"{field}": expected {_SHAPES[field].expected}'
    return None


def _listed(fields: Sequence[str]) -> str:
    return ", ".join(f'"{field}"' for field in fields)
