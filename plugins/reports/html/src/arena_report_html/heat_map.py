"""Plots heat maps: cells, a bar of their colours, lines between blocks, names outside, and outlines."""

from collections import defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
from arena.tables import Figure
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, to_hex
from matplotlib.figure import FigureBase
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from arena_report_html.look import Look
from arena_report_html.palette import ink_on, label_of, turned, values_of

_BLOCK = 0.26
"""The side of a smallest block in inches, where blocks are named outside."""

_STEPS = 12
"""How many colours the bar shows; one for each would be many shapes."""

_FORM = (Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY)


def size(figure: Figure) -> tuple[float, float]:
    """Width and height in inches."""
    if figure.block_names is not None:
        names = figure.block_names
        room = 1.7 + 0.07 * max(map(len, (*names.ends, "")), default=0)
        return room + _BLOCK * len(names.columns), 1.3 + _BLOCK * len(names.rows)
    return min(3.6 + 0.8 * len(figure.x), 16), min(1.6 + 0.5 * len(figure.series), 16)


def limits_of(figure: Figure) -> tuple[float, float, bool]:
    """The ends of the scale of colours, and whether they are for values of both signs."""
    values = np.array([value for own in figure.series.values() for value in values_of(own)], dtype=float)
    known = values[np.isfinite(values)]
    if figure.limits is not None:
        low, high = figure.limits
        return low, high, low < 0
    reach = float(np.abs(known).max()) if known.size else 1.0
    is_signed = bool((known < 0).any())
    return (-reach if is_signed else 0.0), (reach or 1.0), is_signed


def heat_map(figure: Figure, canvas: FigureBase, look: Look) -> None:
    """Draw the cells in their colours, positive ones blue and negative ones red, with the bar that tells the values."""
    axes = canvas.add_subplot()
    low, high, is_signed = limits_of(figure)
    scale = look.scale(is_signed=is_signed)
    cells = np.array([values_of(values) for values in figure.series.values()], dtype=float)
    cells = cells.reshape(len(figure.series), len(figure.x))
    parts = (np.clip(cells, low, high) - low) / ((high - low) or 1.0)
    axes.set_facecolor(look.missing)
    _fill(axes, parts, scale)
    if not figure.blocks:
        _write(axes, cells, parts, scale)
        _lines(figure, axes, 1, 0.3, look.ink)
    _blocks(figure, axes, look)
    _names(figure, axes)
    for line in figure.outlines:
        right, below = zip(*line.points, strict=True)
        is_open = line.points[0] != line.points[-1]
        axes.plot(right, below, color=look.ink, linewidth=1.0 if is_open else 2.4, linestyle="--" if is_open else "-")
    down, across = (max(size, 1) for size in cells.shape)
    axes.set(xlim=(0, across), ylim=(down, 0), xlabel=figure.x_title, ylabel=figure.y_title)
    axes.set_title(figure.title, fontsize=11)
    if figure.block_names is not None:
        axes.set_aspect("equal")
    _bar(axes, canvas, scale, low, high)


def _fill(axes: Axes, parts: Any, scale: Colormap) -> None:
    """Fill the cells in as few shapes as can be.

    Those of one colour are one shape, and neighbours in a row one rectangle. Where every cell has a value, the colour
    that takes most rectangles is the ground on which the others are drawn.
    """
    places: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for row, values in enumerate(parts):
        column = 0
        while column < len(values):
            end = column + 1
            while end < len(values) and values[end] == values[column]:
                end += 1
            if np.isfinite(values[column]):
                places[to_hex(scale(float(values[column])))].append((row, column, end))
            column = end
    look: dict[str, Any] = {"edgecolor": "none", "linewidth": 0}
    if places and np.isfinite(parts).all():
        ground = max(places, key=lambda colour: len(places[colour]))
        down, across = parts.shape
        axes.add_patch(Rectangle((0, 0), across, down, facecolor=ground, **look))
        del places[ground]
    for colour, own in places.items():
        corners = [point for r, c, e in own for point in ((c, r), (e, r), (e, r + 1), (c, r + 1), (c, r))]
        axes.add_patch(PathPatch(Path(corners, list(_FORM) * len(own)), facecolor=colour, **look))


def _write(axes: Axes, cells: Any, parts: Any, scale: Colormap) -> None:
    for (row, column), value in np.ndenumerate(cells):
        if np.isfinite(value):
            words = f"{value + 0.0:.2g}"  # no sign before a zero: -0.0 + 0.0 is 0.0
            ink = ink_on(scale(float(parts[row, column])))
            axes.text(column + 0.5, row + 0.5, words, ha="center", va="center", color=ink, fontsize=9)


def _blocks(figure: Figure, axes: Axes, look: Look) -> None:
    """Separate blocks of cells by lines, and name the smallest in a corner unless names stand outside."""
    for i, side in enumerate(figure.blocks):
        _lines(figure, axes, side, 0.5 + 1.3 * i, look.ink)
    if figure.block_names is not None or not figure.labels:
        return
    side = figure.blocks[0]
    for i, label in enumerate(figure.labels):
        row, column = divmod(i, len(figure.x) // side)
        place = column * side + 0.06, row * side + 0.06
        axes.text(*place, label, ha="left", va="top", color=look.on_cells, fontsize=5)


def _lines(figure: Figure, axes: Axes, side: int, width: float, colour: str) -> None:
    """Draw lines between squares of so many cells as one shape."""
    across, down = len(figure.x), len(figure.series)
    ends = [point for row in range(0, down + 1, side) for point in ((0, row), (across, row))]
    ends += [point for column in range(0, across + 1, side) for point in ((column, 0), (column, down))]
    path = Path(ends, [Path.MOVETO, Path.LINETO] * (len(ends) // 2))
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=colour, linewidth=width))


def _names(figure: Figure, axes: Axes) -> None:
    names = figure.block_names
    if names is None:
        axes.set_xticks(np.arange(len(figure.x)) + 0.5, [label_of(x) for x in figure.x], **turned(figure.x))
        axes.set_yticks(np.arange(len(figure.series)) + 0.5, list(figure.series))
        return
    side = figure.blocks[0]
    axes.tick_params(length=0, labelsize=7)
    axes.set_xticks((np.arange(len(names.columns)) + 0.5) * side, list(names.columns), **turned(names.columns))
    axes.set_yticks((np.arange(len(names.rows)) + 0.5) * side, list(names.rows))
    for i, end in enumerate(names.ends):
        axes.text(len(figure.x) + 0.4, (i + 0.5) * side, end, ha="left", va="center", fontsize=7)


def _bar(axes: Axes, canvas: FigureBase, scale: Colormap, low: float, high: float) -> None:
    """Draw the bar of colours below the map."""
    bar = axes.inset_axes((0.1, -0.2, 0.8, 0.035)) if axes.get_aspect() == 1.0 else axes.inset_axes((1.02, 0, 0.02, 1))
    is_flat = axes.get_aspect() == 1.0
    steps = np.linspace(low, high, _STEPS + 1)
    for i, (start, end) in enumerate(pairwise(steps)):
        colour = to_hex(scale((i + 0.5) / _STEPS))
        draw = bar.axvspan if is_flat else bar.axhspan
        draw(start, end, facecolor=colour, edgecolor="none", linewidth=0)
    bar.tick_params(labelsize=7)
    ticks = np.linspace(low, high, 5)
    told = [f"{tick + 0.0:.3g}" for tick in ticks]
    if is_flat:
        bar.set(xlim=(low, high), yticks=())
        bar.set_xticks(ticks, told)
    else:
        bar.set(ylim=(low, high), xticks=())
        bar.yaxis.tick_right()
        bar.set_yticks(ticks, told)
