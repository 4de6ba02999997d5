"""Converts a figure's numbers to the data rows of a specification."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any, TypeAlias

from arena.tables import Estimate, Figure
from arena_report import format_cell

JSONObject: TypeAlias = dict[str, Any]
"""A part of a specification, or a row of its data, ready to be written as JSON."""


def rows(figure: Figure) -> list[JSONObject]:
    """Return one row for each value: series and place, the number, its interval and n, and all of it as text.

    ``place`` and ``order`` count the places along x and the series, from 0.
    """
    return [
        {"x": x, "series": name, "place": place, "order": order, **_row(value)}
        for order, (name, values) in enumerate(figure.series.items())
        for place, (x, value) in enumerate(zip(places(figure), values, strict=True))
    ]


def places(figure: Figure) -> list[str | float]:
    """Return the places along x: numbers if all are numbers and the kind is numeric, else names.

    A repeated name gets a number, except in a scatter, where equal names are one place.
    """
    if is_numeric(figure):
        return list(figure.x)
    names = [x if isinstance(x, str) else f"{x:.12g}" for x in figure.x]
    return list(names if figure.kind == "scatter" else _distinct(names))


def is_numeric(figure: Figure) -> bool:
    """Whether values stand at the numbers along x, rather than one after another."""
    return figure.kind in ("line", "scatter") and not any(isinstance(x, str) for x in figure.x)


def has_intervals(figure: Figure) -> bool:
    """Whether any value has an interval with two ends."""
    return any(_ends(value)[1] is not None for values in figure.series.values() for value in values)


def has_open_intervals(figure: Figure) -> bool:
    """Whether any value has an interval without an upper bound."""
    ends = [_ends(value) for values in figure.series.values() for value in values]
    return any(low is not None and high is None for low, high in ends)


def number(value: float | Estimate | None) -> float | None:
    """Return the bare number, or ``None`` if it is missing or infinite, which JSON cannot express."""
    bare = value.value if isinstance(value, Estimate) else value
    return None if bare is None or not isfinite(bare) else bare + 0  # no sign before a zero: -0.0 + 0 is 0.0


def _row(value: float | Estimate | None) -> JSONObject:
    row: JSONObject = {"value": number(value), "text": format_cell(value)}
    if isinstance(value, Estimate):
        low, high = _ends(value)
        row |= {"low": low, "high": high, "n": value.n, "unit": value.unit}
        row |= {} if low is None else {"level": value.level}
        row |= {"method": value.method} if value.method else {}
    return row


def _ends(value: float | Estimate | None) -> tuple[float | None, float | None]:
    """Return the ends of a value's interval; ``None`` for an end that is missing."""
    if not isinstance(value, Estimate) or number(value) is None:
        return None, None
    low, high = (end if end is None or isfinite(end) else None for end in (value.low, value.high))
    return (low, high) if low is not None else (None, None)


def _distinct(names: Sequence[str]) -> Iterator[str]:
    """Yield the names; a repeated name gets a number, since equal names would share a place."""
    seen: Counter[str] = Counter()
    for name in names:
        seen[name] += 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"
