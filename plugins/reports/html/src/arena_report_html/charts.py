"""Plots each kind of figure with matplotlib."""

from collections.abc import Callable, Mapping, Sequence
from math import nan, pi
from textwrap import wrap
from typing import Any, cast

import matplotlib as mpl
import numpy as np
from arena.tables import Column, Estimate, Figure
from arena_report import format_cell
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure as Canvas
from matplotlib.projections.polar import PolarAxes
from matplotlib.ticker import MaxNLocator

from arena_report_html.palette import COLOURS, LONGEST, colour_of, short_name

INK = "#010203"
"""A placeholder for the colour of text, which the page decides."""

_PIES_ACROSS = 3
_PIE = 3.0  # the least width of a pie with its title, in inches

_LINES = ("--", ":", "-.")
_HATCHES = ("", "///", "...")  # tell apart what has the same colour


def size(figure: Figure) -> tuple[float, float]:
    """Width and height in inches; figures with more values are larger, within limits."""
    if figure.kind == "pie":
        across = min(max(len(figure.series), 1), _PIES_ACROSS)
        down = -(-max(len(figure.series), 1) // across)
        width = max(_PIE, 0.5 + 0.065 * max((len(name) for name in pie_legend(figure)), default=0))
        return width * across + 0.4, 0.5 + down * (3.0 + 0.18 * len(figure.x))
    if figure.kind == "radar":
        legend = 0.6 + 0.08 * max((len(short_name(name)) for name in (*figure.series, *figure.references)), default=0)
        return 3.3 + 2 * _beside(figure) + legend, 4.4
    if figure.kind == "heat-map":
        return min(3 + 0.8 * len(figure.x), 16), min(1.6 + 0.5 * len(figure.series), 16)
    bars = len(figure.x) * (len(figure.series) if figure.kind == "bar" else 1)
    return min(max(5.5, 2 + 0.5 * bars), 14), 3.6


def _beside(figure: Figure) -> float:
    """The width in inches of the longest name at the side of a radar chart."""
    return 0.3 + 0.085 * max((len(short_name(x)) for x in figure.x), default=0)


def plot(figure: Figure, canvas: Canvas) -> None:
    """Draw ``figure`` on the canvas; raises ``ValueError`` for an unknown kind."""
    if figure.kind not in _KINDS:
        raise ValueError(f"a figure of kind {figure.kind!r} cannot be drawn (known: {', '.join(_KINDS)})")
    for values in figure.series.values():
        if len(values) != len(figure.x):
            raise ValueError(f"{len(figure.x)} places along x, but {len(values)} values")
    _KINDS[figure.kind](figure, canvas)


def _bar(figure: Figure, canvas: Canvas) -> None:
    axes = _axes(figure, canvas)
    width = 0.8 / max(len(figure.series), 1)
    for i, (name, values) in enumerate(figure.series.items()):
        at = [place - 0.4 + width * (i + 0.5) for place in range(len(figure.x))]
        axes.bar(at, _values(values), width * 0.92, label=short_name(name), color=colour_of(i))
        _whiskers(axes, at, values)
    _finish(figure, axes, are_names=True)


def _stacked(figure: Figure, canvas: Canvas) -> None:
    axes = _axes(figure, canvas)
    floor = np.zeros(len(figure.x))
    for i, (name, values) in enumerate(figure.series.items()):
        heights = np.nan_to_num(np.array(_values(values)))
        look: dict[str, Any] = {"facecolor": colour_of(i), "hatch": _HATCHES[i // len(COLOURS) % len(_HATCHES)]}
        axes.bar(range(len(figure.x)), heights, 0.7, bottom=floor, label=short_name(name), edgecolor="#ffffff", **look)
        floor = floor + heights
    _finish(figure, axes, are_names=True)


def _line(figure: Figure, canvas: Canvas) -> None:
    axes = _axes(figure, canvas)
    at, are_names = _places(figure.x)
    for i, (name, values) in enumerate(figure.series.items()):
        axes.plot(at, _values(values), marker="o", markersize=4, label=short_name(name), color=colour_of(i))
        _whiskers(axes, at, values, colour_of(i))
    _finish(figure, axes, are_names=are_names)


def _scatter(figure: Figure, canvas: Canvas) -> None:
    axes = _axes(figure, canvas)
    at, are_names = _places(figure.x)
    for i, (name, values) in enumerate(figure.series.items()):
        axes.scatter(at, _values(values), s=24, label=short_name(name), color=colour_of(i))
        _whiskers(axes, at, values, colour_of(i))
    _finish(figure, axes, are_names=are_names)


def _pie(figure: Figure, canvas: Canvas) -> None:
    colours = [colour_of(i) for i in range(len(figure.x))]
    names = list(figure.series)
    across = min(len(names), _PIES_ACROSS)
    legends = pie_legend(figure)
    for i, name in enumerate(names):
        axes = canvas.add_subplot(-(-len(names) // max(across, 1)), across, i + 1)
        parts = np.nan_to_num(np.array(_values(figure.series[name])))
        if (parts < 0).any():
            raise ValueError("a pie has no negative parts")
        axes.set_title(pie_title(name), fontsize=10, pad=2)
        if parts.sum() > 0:
            edges = {"linewidth": 0.8, "edgecolor": "#ffffff"}
            slices = axes.pie(parts, colors=colours, startangle=90, counterclock=False, wedgeprops=edges)[0]
            _write_shares(axes, parts / parts.sum(), colours)
            told = legends[i * len(figure.x) : (i + 1) * len(figure.x)]
            place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.02)}
            axes.legend(slices, told, frameon=False, fontsize=8, **place)
        else:
            axes.text(0.5, 0.5, "nothing", ha="center", va="center", transform=axes.transAxes)
            axes.set_axis_off()
    canvas.suptitle(figure.title, fontsize=11)


def pie_title(name: str) -> str:
    """The name of a pie in at most four short lines: one that says what it is based on is long."""
    return "\n".join(wrap(name, LONGEST, max_lines=4, placeholder=" …"))


def pie_legend(figure: Figure) -> list[str]:
    """What the legends of all pies say, pie by pie: each part, with its share and interval if that is estimated."""
    column = Column(name="", title="", style="share")
    return [
        f"{short_name(x)} {format_cell(value, column)}" if isinstance(value, Estimate) else short_name(x)
        for values in figure.series.values()
        for x, value in zip(figure.x, values, strict=False)
    ]


def _write_shares(axes: Axes, shares: Sequence[float], colours: Sequence[str]) -> None:
    """Write the percentage into each slice that is wide enough for it."""
    middle = 0.0
    for share, colour in zip(shares, colours, strict=True):
        if share >= 0.04:
            angle = pi / 2 - 2 * pi * (middle + share / 2)
            reach = 0.0 if share > 0.999 else 0.65
            where = (reach * np.cos(angle), reach * np.sin(angle))
            axes.text(*where, f"{share:.0%}", ha="center", va="center", fontsize=8, color=_ink_on(to_rgb(colour)))
        middle += share


def _ink_on(colour: Sequence[float]) -> str:
    """Black or white, whichever can be read on this colour."""
    red, green, blue = colour[:3]
    return "#000000" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "#ffffff"


def _heat_map(figure: Figure, canvas: Canvas) -> None:
    axes = canvas.add_subplot()
    cells = np.array([_values(values) for values in figure.series.values()], dtype=float)
    cells = cells.reshape(len(figure.series), len(figure.x))
    known = cells[np.isfinite(cells)]
    reach = float(np.abs(known).max()) if known.size else 1.0
    are_signed = bool((known < 0).any())
    scale = mpl.colormaps["RdBu_r" if are_signed else "viridis"]
    low, high = (-reach, reach) if are_signed else (0.0, reach)
    # Cells are drawn as shapes: an image would be embedded as pixels.
    axes.pcolormesh(np.ma.masked_invalid(cells), cmap=scale, vmin=low, vmax=high or 1.0, edgecolors=INK, linewidth=0.3)
    for (row, column), value in np.ndenumerate(cells):
        if np.isfinite(value):
            ink = _ink_on(scale((value - low) / ((high - low) or 1.0)))
            words = f"{value + 0.0:.2g}"  # no sign before a zero: -0.0 + 0.0 is 0.0
            if not figure.blocks:
                axes.text(column + 0.5, row + 0.5, words, ha="center", va="center", color=ink, fontsize=9)
    _blocks(figure, axes)
    axes.set_xticks(np.arange(len(figure.x)) + 0.5, [short_name(x) for x in figure.x], **_turned(figure.x))
    axes.set_yticks(np.arange(len(figure.series)) + 0.5, list(figure.series))
    axes.invert_yaxis()
    axes.set(xlabel=figure.x_title, ylabel=figure.y_title)
    axes.set_title(figure.title, fontsize=11)


def _blocks(figure: Figure, axes: Axes) -> None:
    """Separate blocks of cells by lines and label the smallest; numbers would not be readable beside the labels."""
    for i, side in enumerate(figure.blocks):
        width = 0.8 + 1.2 * i
        axes.hlines(range(0, len(figure.series) + 1, side), 0, len(figure.x), colors=INK, linewidth=width)
        axes.vlines(range(0, len(figure.x) + 1, side), 0, len(figure.series), colors=INK, linewidth=width)
    if not figure.labels:
        return
    side = figure.blocks[0]
    across = len(figure.x) // side
    box = {"boxstyle": "round,pad=0.15", "facecolor": "#ffffff", "edgecolor": "none", "alpha": 0.75}
    for i, label in enumerate(figure.labels):
        row, column = divmod(i, across)
        words = label.replace(" ", "\n")
        place = (column + 0.5) * side, (row + 0.5) * side
        axes.text(*place, words, ha="center", va="center", color="#000000", fontsize=6, bbox=box, linespacing=0.9)


def _radar(figure: Figure, canvas: Canvas) -> None:
    axes = cast("PolarAxes", canvas.add_subplot(projection="polar"))
    angles = [2 * pi * i / max(len(figure.x), 1) for i in range(len(figure.x))]
    for i, (name, values) in enumerate(figure.series.items()):
        ring = [*_values(values)]
        axes.plot([*angles, *angles[:1]], [*ring, *ring[:1]], label=short_name(name), color=colour_of(i))
        axes.fill([*angles, *angles[:1]], np.nan_to_num([*ring, *ring[:1]]), color=colour_of(i), alpha=0.12)
        _whiskers(axes, angles, values, colour_of(i))
    circle = np.linspace(0, 2 * pi, 90)
    for i, (name, value) in enumerate(figure.references.items()):
        axes.plot(circle, np.full(90, value), _LINES[i % len(_LINES)], color=INK, linewidth=1, label=short_name(name))
    axes.set_theta_offset(pi / 2)
    axes.set_theta_direction(-1)
    axes.set_xticks(angles, [""] * len(angles))
    for angle, x in zip(angles, figure.x, strict=True):
        right, up = round(np.sin(angle), 6), round(np.cos(angle), 6)
        axes.text(
            0.5 + 0.53 * right,
            0.5 + 0.53 * up,
            short_name(x),
            transform=axes.transAxes,
            ha="left" if right > 0 else "right" if right < 0 else "center",
            va="bottom" if up > 0.5 else "top" if up < -0.5 else "center",
        )
    axes.tick_params(axis="y", labelsize=8)
    axes.set_rlabel_position(float(np.degrees(angles[1] / 2)) if len(angles) > 1 else 0.0)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.grid(color=INK, alpha=0.2, linewidth=0.6)
    axes.spines["polar"].set_alpha(0.3)
    # The layout leaves no room for what stands outside of the circle.
    canvas.set_layout_engine("none")
    width, height = canvas.get_size_inches()
    axes.set_position((_beside(figure) / width, 0.35 / height, 3.3 / width, 3.3 / height))
    canvas.suptitle(figure.title, fontsize=11, x=(_beside(figure) + 1.65) / width, y=0.99)
    if len(figure.series) > 1 or figure.references:
        canvas.legend(loc="upper right", frameon=False, fontsize=9)


def _axes(figure: Figure, canvas: Canvas) -> Axes:
    axes = canvas.add_subplot()
    axes.set(title=figure.title, xlabel=figure.x_title, ylabel=figure.y_title)
    axes.title.set_fontsize(11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=INK, alpha=0.15, linewidth=0.6)
    axes.set_axisbelow(True)
    return axes


def _finish(figure: Figure, axes: Axes, *, are_names: bool) -> None:
    if are_names:
        axes.set_xticks(range(len(figure.x)), [short_name(x) for x in figure.x], **_turned(figure.x))
    elif _are_few_integers(figure.x):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for i, (name, value) in enumerate(figure.references.items()):
        axes.axhline(value, linestyle=_LINES[i % len(_LINES)], color=INK, linewidth=1, label=short_name(name))
    _legend(figure, axes)


def _legend(figure: Figure, axes: Axes) -> None:
    if len(figure.series) > 1 or figure.references:
        options: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "frameon": False, "fontsize": 9}
        axes.legend(**options)


def _whiskers(axes: Axes, at: Sequence[float], values: Sequence[object], colour: str = INK) -> None:
    """Draw the intervals of those values that have one."""
    for place, value in zip(at, values, strict=True):
        if isinstance(value, Estimate) and None not in (value.value, value.low, value.high):
            axes.plot(
                [place, place], [cast("float", value.low), cast("float", value.high)], color=colour, linewidth=1.4
            )


def _values(values: Sequence[float | Estimate | None]) -> list[float]:
    bare = (value.value if isinstance(value, Estimate) else value for value in values)
    return [nan if value is None else float(value) for value in bare]


def _places(x: Sequence[str | float]) -> tuple[list[float], bool]:
    """Positions along x, and whether they are numeric; names are placed one after another."""
    if any(isinstance(value, str) for value in x):
        return [float(i) for i in range(len(x))], True
    return [float(value) for value in x], False


def _are_few_integers(x: Sequence[str | float]) -> bool:
    """Whether all values are integers within a span of 12, such as turns, with nothing between them."""
    values = [float(value) for value in x]
    return bool(values) and all(value.is_integer() for value in values) and max(values) - min(values) <= 12


def _turned(x: Sequence[str | float]) -> dict[str, Any]:
    """Text settings that slant long names, each ending at its tick."""
    if sum(len(short_name(value)) for value in x) > 60 or max(map(len, map(short_name, x)), default=0) > 14:
        return {"rotation": 30.0, "ha": "right", "rotation_mode": "anchor"}
    return {}


_KINDS: Mapping[str, Callable[[Figure, Canvas], None]] = {
    "bar": _bar,
    "stacked-bar": _stacked,
    "line": _line,
    "scatter": _scatter,
    "pie": _pie,
    "heat-map": _heat_map,
    "radar": _radar,
}
