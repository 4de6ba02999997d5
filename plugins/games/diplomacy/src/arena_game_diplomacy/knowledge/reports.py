"""Reports of what a power knows of a position: their fields, the words that ask for them, and their JSON schema."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena.record import JSON

from arena_game_diplomacy.fitting import misfit

FIELDS: Final = ("location", "unit", "adjacent", "attackable", "attack_analysis")
"""The fields of a report, in their order."""

ONE_HOP: Final = FIELDS[:3]
"""Fields whose answers can be read off the position or the map."""

MULTI_HOP: Final = FIELDS[3:]
"""Fields whose answers combine the position with the map."""

WORST_CASE: Final = "worst_case"
"""A field that is asked on request: how many units an attack needs if every foreign unit nearby helps the defence."""


_TEXTS: Final[JSON] = {"type": "array", "items": {"type": "string"}}
_NUMBERS: Final[JSON] = {"type": "object", "additionalProperties": {"type": "integer"}}
_SCHEMAS: Final[Mapping[str, JSON]] = {
    "location": _TEXTS,
    "unit": _TEXTS,
    "adjacent": {"type": "object", "additionalProperties": _TEXTS},
    "attackable": _TEXTS,
    "attack_analysis": _NUMBERS,
    WORST_CASE: _NUMBERS,
}

# The examples name no province of the map, so that nobody earns anything by copying them.
_WORDS: Final[Mapping[str, str]] = {
    "location": 'the provinces under your influence, a list such as ["ABC", "DEF"]; a province is under the influence '
    "of the power whose unit stands there or was the last to stand there",
    "unit": 'your units, a list such as ["A ABC", "F DEF"]',
    "adjacent": "for the province of each of your units, the provinces to which the unit could move without a convoy, "
    'whoever stands there, such as {"ABC": ["DEF", "GHI"]}',
    "attackable": "the provinces to which at least one of your units could move without a convoy and in which no "
    'unit of yours stands, a list such as ["DEF", "GHI"]',
    "attack_analysis": "for each attackable province, how many of your units it takes to get there if nobody helps "
    'the unit that stands there and nobody else moves there: 1 if it is empty, 2 if not, such as {"DEF": 1, "GHI": 2}',
    WORST_CASE: "for each attackable province, how many of your units it takes if every foreign unit that could "
    "support the unit there to hold does so: 1 if it is empty; otherwise 2, and 1 more for each other foreign unit "
    'that could move there without a convoy, such as {"DEF": 1, "GHI": 3}',
}


def report_schema(fields: Sequence[str] = FIELDS) -> dict[str, JSON]:
    """The JSON schema of a report with these fields, all of them required."""
    return {
        "type": "object",
        "properties": {field: _SCHEMAS[field] for field in fields},
        "required": list(fields),
        "additionalProperties": False,
    }


def explanation(fields: Sequence[str] = FIELDS) -> str:
    """The words that say what each of these fields asks for, one line for each."""
    return "\n".join(f'- "{field}": {_WORDS[field]}' for field in fields)


def report_fault(report: Any, fields: Sequence[str] = FIELDS) -> str | None:
    """Why a value does not fit the schema of a report with these fields, in one sentence; ``None`` if it does."""
    return misfit(report, report_schema(fields), "the report")
