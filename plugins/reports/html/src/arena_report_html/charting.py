"""The one chart of the first screen, as boxes that a page lays out: readable on a telephone, without any picture."""

from collections.abc import Sequence
from math import ceil, floor, log10

import attrs

_ROOM = 0.06
"""How much of the scale is left free on either side."""


@attrs.frozen(kw_only=True)
class Mark:
    """One agent: a value with its interval, whose open ends are ``None``; the value is where it is bounded."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    n: int


@attrs.frozen(kw_only=True)
class Row:
    """One row of the chart; places are per cent of its width, ``None`` where there is nothing to draw."""

    name: str
    point: float | None
    left: float | None
    width: float | None
    is_open_left: bool
    is_open_right: bool
    label: str
    n: str


@attrs.frozen(kw_only=True)
class Line:
    """A line across all rows."""

    name: str
    place: float
    label: str


@attrs.frozen(kw_only=True)
class Tick:
    """A label below the rows, at a place in per cent of their width."""

    place: float
    label: str


@attrs.frozen(kw_only=True)
class Chart:
    """Rows with lines across them, and the labels of their one axis."""

    title: str
    rows: tuple[Row, ...] = ()
    lines: tuple[Line, ...] = ()
    ticks: tuple[Tick, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all rows."""
        return tuple(row.name for row in self.rows)


def chart_of(title: str, marks: Sequence[Mark], lines: Sequence[tuple[str, float]], digits: int) -> Chart | None:
    """A row for each mark on one scale; ``None`` if there is nothing to draw."""
    numbers = [n for mark in marks for n in (mark.value, mark.low, mark.high) if n is not None]
    numbers += [value for _, value in lines]
    if not numbers:
        return None
    least, greatest = min(numbers), max(numbers)
    span = (greatest - least) or 1.0
    least, span = least - _ROOM * span, span * (1 + 2 * _ROOM)

    def place(value: float) -> float:
        return round(100 * (value - least) / span, 2)

    rows: list[Row] = []
    for mark in marks:
        is_bounded = mark.low is not None or mark.high is not None
        left = 0.0 if mark.low is None else place(mark.low)
        right = 100.0 if mark.high is None else place(mark.high)
        rows.append(
            Row(
                name=mark.name,
                point=None if mark.value is None else place(mark.value),
                left=left if is_bounded else None,
                width=round(right - left, 2) if is_bounded else None,
                is_open_left=is_bounded and mark.low is None,
                is_open_right=is_bounded and mark.high is None,
                label=_label(mark, digits),
                n=f"{mark.n:,}",
            )
        )
    across = tuple(Line(name=name, place=place(value), label=f"{value:.{digits}f}") for name, value in lines)
    ticks = tuple(Tick(place=place(value), label=label) for value, label in _ticks(least, least + span))
    return Chart(title=title, rows=tuple(rows), lines=across, ticks=ticks)


def _ticks(least: float, greatest: float) -> list[tuple[float, str]]:
    """Three to seven round numbers on a scale, with their labels."""
    rough = (greatest - least) / 6
    power = 10.0 ** floor(log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    digits = max(-floor(log10(step)), 0)
    first = ceil(least / step)
    return [(i * step, f"{i * step:,.{digits}f}") for i in range(first, floor(greatest / step) + 1)]


def _label(mark: Mark, digits: int) -> str:
    """The value with its interval in words, for who cannot see the drawing."""
    value = "" if mark.value is None else f"{mark.value:.{digits}f}"
    if (mark.low is None and mark.high is None) or mark.low == mark.high:
        return value
    if mark.low is None:
        return f"{value} at most {mark.high:.{digits}f}".strip()
    if mark.high is None:
        return f"{value} at least {mark.low:.{digits}f}".strip()
    return f"{value} [{mark.low:.{digits}f}, {mark.high:.{digits}f}]".strip()
