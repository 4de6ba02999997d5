"""The values of which metrics build reports: estimates with n and interval, tables, figures and sections."""

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import attrs


@attrs.frozen(kw_only=True)
class Estimate:
    """An estimated number with its sample size and confidence interval.

    ``n`` is how many independent units it was computed from, ``unit`` what they are; ``low`` and ``high`` bound the
    interval at ``level``, and ``method`` says how it was computed; ``low`` without ``high`` is a one-sided interval.
    ``value`` is ``None`` if n is too small to say anything.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    standard_error: float | None = None
    level: float = 0.95
    unit: str = "matches"
    method: str = ""


Cell: TypeAlias = str | int | float | bool | Estimate | None


@attrs.frozen(kw_only=True)
class Column:
    """A column's key, heading, and how its numbers are to be shown.

    ``style`` is ``"text"``, ``"count"``, ``"number"``, ``"share"`` (shown in per cent), ``"money"`` or ``"seconds"``.
    ``unit`` says what its numbers without an interval are in, for instance ``"points"``; counts are counts of what the
    heading says, shares are shares, money is in US dollars and seconds are seconds, unless it says otherwise.
    """

    name: str
    title: str
    style: Literal["text", "count", "number", "share", "money", "seconds"] = "text"
    help: str = ""
    unit: str = ""


@attrs.frozen(kw_only=True)
class Table:
    """A table to be shown: every row has one cell per column, in the same order."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""


@attrs.frozen(kw_only=True)
class Outline:
    """A line over the cells of a heat map, such as a box or a diagonal, through ``points`` from first to last.

    A point is ``(across, down)``, counted in cells from the upper left corner.
    """

    name: str
    points: tuple[tuple[float, float], ...]


@attrs.frozen(kw_only=True)
class BlockNames:
    """What stands outside a heat map at its smallest blocks.

    ``columns`` stand below them from left to right, ``rows`` at their left from top to bottom, ``ends`` at their right.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    ends: tuple[str, ...] = ()


@attrs.frozen(kw_only=True)
class Figure:
    """A plot as data; the report format that renders it decides how it looks.

    ``kind`` is ``"bar"``, ``"stacked-bar"``, ``"line"``, ``"pie"``, ``"heat-map"``, ``"radar"`` or ``"scatter"``.
    ``series`` maps a name to values along ``x`` (for a heat map: a row's name to its cells). Values may be estimates,
    whose intervals are drawn; ``unit`` says what the others are in. In a scatter, equal names in ``x`` are one place.
    ``references`` are lines drawn across, by name. In a heat map, ``blocks`` groups cells into squares of so many cells
    a side, each number with stronger lines than the one before; ``labels`` name the smallest squares, row by row, and
    stand in a corner of each unless ``block_names`` stand outside. ``limits`` are the ends of the scale of its colours
    (shares have 0 and 1); without them it reaches as far as the values. Negative values are red, positive ones blue, if
    there may be negative ones. ``outlines`` are drawn over the cells. ``beside`` are figures at the right of this one.
    """

    kind: Literal["bar", "stacked-bar", "line", "pie", "heat-map", "radar", "scatter"]
    title: str
    x: tuple[str | float, ...]
    series: Mapping[str, tuple[float | Estimate | None, ...]]
    x_title: str = ""
    y_title: str = ""
    unit: str = ""
    references: Mapping[str, float] = attrs.field(factory=dict[str, float])
    blocks: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    block_names: BlockNames | None = None
    limits: tuple[float, float] | None = None
    outlines: tuple[Outline, ...] = ()
    beside: tuple["Figure", ...] = ()
    note: str = ""

    @property
    def panels(self) -> tuple["Figure", ...]:
        """This figure and those beside it, from left to right."""
        return (self, *self.beside)


@attrs.frozen(kw_only=True)
class Section:
    """One part of a report: tables and figures under a title, and what must be said about them."""

    title: str
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    text: str = ""
    data: Mapping[str, Any] = attrs.field(factory=dict[str, Any])
