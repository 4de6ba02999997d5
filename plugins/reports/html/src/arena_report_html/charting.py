"""The one chart of the first screen, as boxes that a page lays out: readable on a telephone, without any picture."""

from collections.abc import Sequence
from typing import Self

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
class Part:
    """One part of a bar, as a share of it in per cent."""

    name: str
    count: int
    share: float


@attrs.frozen(kw_only=True)
class Chart:
    """Rows with lines across them, or one bar in parts with an interval ``[left, width]`` below it."""

    title: str
    rows: tuple[Row, ...] = ()
    lines: tuple[Line, ...] = ()
    parts: tuple[Part, ...] = ()
    interval: tuple[float, float] | None = None

    @classmethod
    def of_parts(
        cls, title: str, parts: Sequence[tuple[str, int]], interval: tuple[float, float] | None
    ) -> Self | None:
        """A bar of counts; ``None`` if there are none. The interval is of the first one's share of points."""
        total = sum(count for _, count in parts)
        if not total:
            return None
        ends = None if interval is None else (100 * interval[0], 100 * (interval[1] - interval[0]))
        return cls(
            title=title,
            parts=tuple(Part(name=name, count=count, share=100 * count / total) for name, count in parts),
            interval=ends,
        )


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
    return Chart(title=title, rows=tuple(rows), lines=across)


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
