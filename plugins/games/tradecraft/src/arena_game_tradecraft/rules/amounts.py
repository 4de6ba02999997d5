"""Exact amounts of items: fractions in memory, ``3`` or ``"2/3"`` in JSON."""

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from arena.record import JSON

AMOUNT_PATTERN: Final = "^[1-9][0-9]{0,8}/[1-9][0-9]{0,8}$"
"""The pattern of an amount that is no whole number, also used in JSON schemas."""

_TOO_MUCH: Final = 10**9

AMOUNT_SCHEMA: Final[JSON] = {
    "anyOf": [
        {"type": "integer", "minimum": 1, "maximum": _TOO_MUCH - 1},
        {"type": "string", "pattern": AMOUNT_PATTERN},
    ],
}
"""The JSON schema of one amount."""

_WRITTEN: Final = re.compile(r"\s*([0-9]{1,9})\s*(?:/\s*([0-9]{1,9})|\.([0-9]{1,9}))?\s*")


def read_amount(value: Any) -> Fraction | None:
    """Read an amount exactly; ``None`` if ``value`` is none.

    Whole numbers, numbers with a decimal point, ``"2/3"``, ``"0.5"`` and pairs ``[2, 3]`` are amounts. A number with a
    decimal point means just what it says: ``0.667`` is 667/1000, never two thirds.
    """
    if type(value) is int:
        return Fraction(value) if abs(value) < _TOO_MUCH else None
    if isinstance(value, Fraction):
        return value
    if isinstance(value, float):
        return Fraction(repr(value)) if abs(value) < _TOO_MUCH else None
    if isinstance(value, str):
        return _read_text(value)
    if isinstance(value, list | tuple) and len(value) == 2 and all(type(part) is int for part in value):
        above, below = value
        return Fraction(above, below) if 0 < below < _TOO_MUCH and abs(above) < _TOO_MUCH else None
    return None


def write_amount(amount: Fraction) -> int | str:
    """Write an amount as JSON: an integer, or a string with the fraction in lowest terms."""
    return amount.numerator if amount.denominator == 1 else f"{amount.numerator}/{amount.denominator}"


def write_amounts(amounts: Mapping[str, Fraction]) -> dict[str, JSON]:
    """Write amounts by name as JSON, sorted by name."""
    return {name: write_amount(amounts[name]) for name in sorted(amounts)}


def say_amounts(amounts: Mapping[str, Any]) -> str:
    """Put amounts by name into words, as in ``3 stick, 1/8 coal``; they may be numbers or their JSON form."""
    said = (f"{write_amount(a) if isinstance(a, Fraction) else a} {name}" for name, a in amounts.items())
    return ", ".join(said) or "nothing"


def _read_text(text: str) -> Fraction | None:
    found = _WRITTEN.fullmatch(text)
    if found is None:
        return None
    whole, below, decimals = found.groups()
    if below is not None:
        return Fraction(int(whole), int(below)) if int(below) else None
    return Fraction(f"{whole}.{decimals}") if decimals else Fraction(int(whole))
