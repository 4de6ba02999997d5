"""Plots each kind of figure with matplotlib."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from math import pi
from textwrap import wrap
from typing import Any, cast

import numpy as np
from arena.tables import Column, Estimate, Figure
from arena_report import format_cell, series_places
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas, FigureBase, SubFigure
from matplotlib.projections.polar import PolarAxes
from matplotlib.ticker import MaxNLocator

from arena_report_html.heat_map import heat_map, size as heat_map_size
from arena_report_html.look import Look
from arena_report_html.palette import LONGEST, label_of, turned, values_of, with_short_names

_PIES_ACROSS = 3
_PIE = 3.0  # the least width of a pie with its title, in inches

_LETTERS = 11  # of a title on an inch

_LINES = ("--", ":", "-.")
_DASHES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (3, 1)))
_MARKS = ("o", "s", "^", "D", "v", "P", "X", "*")
_TURN = 5  # points of a line before one at the same place takes its turn
_HATCHES = ("", "///", "...")  # tell apart what has the same colour


def size(figure: Figure) -> tuple[float, float]:
    """Width and height in inches; figures with more values are larger, within limits."""
    sizes = [_size(with_short_names(panel)) for panel in figure.panels]
    return sum(width for width, _ in sizes), max(height for _, height in sizes)


def _size(figure: Figure) -> tuple[float, float]:
    if figure.kind == "pie":
        across = min(max(len(figure.series), 1), _PIES_ACROSS)
        down = -(-max(len(figure.series), 1) // across)
        width = max(_PIE, 0.5 + 0.065 * max((len(name) for name in pie_legend(figure)), default=0))
        return width * across + 0.4, 0.5 + down * (3.0 + 0.18 * len(figure.x))
    if figure.kind == "radar":
        legend = 0.6 + 0.08 * max((len(name) for name in (*figure.series, *figure.references)), default=0)
        return 3.3 + 2 * _beside(figure) + legend, 4.4
    if figure.kind == "heat-map":
        return heat_map_size(figure)
    bars = len(_names(figure)) * (len(figure.series) if figure.kind == "bar" else 1)
    longest = max((len(label_of(x)) for x in figure.x), default=0) if turned(figure.x) else 0
    return min(max(5.5, 2 + 0.5 * bars), 14), 3.6 + 0.05 * longest


def _beside(figure: Figure) -> float:
    """The width in inches of the longest name at the side of a radar chart."""
    return 0.3 + 0.085 * max((len(label_of(x)) for x in figure.x), default=0)


def plot(figure: Figure, canvas: Canvas, look: Look) -> None:
    """Draw ``figure`` on the canvas, with what is beside it; raises ``ValueError`` for an unknown kind."""
    if figure.beside:
        widths = [_size(with_short_names(panel))[0] for panel in figure.panels]
        parts: Sequence[SubFigure] = canvas.subfigures(1, len(widths), width_ratios=widths, squeeze=False)[0]
        for panel, part in zip(figure.panels, parts, strict=True):
            _plot(panel, part, look)
    else:
        _plot(figure, canvas, look)


def _plot(figure: Figure, canvas: FigureBase, look: Look) -> None:
    if figure.kind not in _KINDS:
        raise ValueError(f"a figure of kind {figure.kind!r} cannot be drawn (known: {', '.join(_KINDS)})")
    for values in figure.series.values():
        if len(values) != len(figure.x):
            raise ValueError(f"{len(figure.x)} places along x, but {len(values)} values")
    _KINDS[figure.kind](with_short_names(figure), canvas, look)


def _bar(figure: Figure, canvas: FigureBase, look: Look) -> None:
    axes = _axes(figure, canvas, look)
    width = 0.8 / max(len(figure.series), 1)
    colours = _colours(figure, look)
    for i, (name, values) in enumerate(figure.series.items()):
        at = [place - 0.4 + width * (i + 0.5) for place in range(len(figure.x))]
        axes.bar(at, values_of(values), width * 0.92, label=name, color=colours[i])
        _whiskers(axes, at, values, look.ink)
    _finish(figure, axes, look, are_names=True)


def _stacked(figure: Figure, canvas: FigureBase, look: Look) -> None:
    axes = _axes(figure, canvas, look)
    floor, colours = np.zeros(len(figure.x)), _colours(figure, look)
    for i, (name, values) in enumerate(figure.series.items()):
        heights = np.nan_to_num(np.array(values_of(values)))
        hatch = _HATCHES[i // len(look.series) % len(_HATCHES)]
        parts: dict[str, Any] = {"facecolor": colours[i], "hatch": hatch, "edgecolor": look.ground}
        axes.bar(range(len(figure.x)), heights, 0.7, bottom=floor, label=name, **parts)
        floor = floor + heights
    _finish(figure, axes, look, are_names=True)


def _line(figure: Figure, canvas: FigureBase, look: Look) -> None:
    axes = _axes(figure, canvas, look)
    at, are_names = _places(figure.x)
    colours = _colours(figure, look)
    same = Counter(tuple(values_of(values)) for values in figure.series.values())
    seen: Counter[tuple[float, ...]] = Counter()
    for i, (name, values) in enumerate(figure.series.items()):
        numbers, times = tuple(values_of(values)), same[tuple(values_of(values))]
        style: dict[str, Any] = {"linestyle": _DASHES[i % len(_DASHES)]}
        own = at
        if any(map(_has_interval, values)):
            own = _beside_others(at, i, len(figure.series))
        elif times > 1:
            # Lines at the same place take turns, and so do their marks.
            place = seen[numbers]
            style = {"linestyle": (place * _TURN, (_TURN, _TURN * (times - 1))), "markevery": (place, times)}
        seen[numbers] += 1
        axes.plot(own, numbers, marker=_MARKS[i % len(_MARKS)], markersize=5, label=name, color=colours[i], **style)
        _whiskers(axes, own, values, colours[i])
    _finish(figure, axes, look, are_names=are_names)


def _beside_others(at: Sequence[float], place: int, count: int) -> list[float]:
    """Places a little to the side, so that the intervals of several series stand beside one another."""
    step = min((b - a for a, b in pairwise(sorted(set(at)))), default=1.0)
    return [x + step * 0.3 * ((place + 0.5) / count - 0.5) for x in at]


def _has_interval(value: object) -> bool:
    return isinstance(value, Estimate) and None not in (value.value, value.low, value.high)


def _scatter(figure: Figure, canvas: FigureBase, look: Look) -> None:
    axes = _axes(figure, canvas, look)
    at, are_names = _places(figure.x)
    if are_names:
        names = _names(figure)
        at = [float(names.index(x)) for x in figure.x]
    for i, (name, values) in enumerate(figure.series.items()):
        places = list(dict.fromkeys(zip(at, values_of(values), strict=True)))  # equal points are seen once
        style: dict[str, Any] = {"marker": _MARKS[i % len(_MARKS)], "color": look.colour(i)}
        axes.scatter([x for x, _ in places], [y for _, y in places], s=28, label=name, **style)
        _whiskers(axes, at, values, look.colour(i))
    _finish(figure, axes, look, are_names=are_names)


def _pie(figure: Figure, canvas: FigureBase, look: Look) -> None:
    places = series_places(map(label_of, figure.x))
    colours = [look.colour(place) for place in places]
    names = list(figure.series)
    across = min(len(names), _PIES_ACROSS)
    legends = pie_legend(figure)
    for i, name in enumerate(names):
        axes = canvas.add_subplot(-(-len(names) // max(across, 1)), across, i + 1)
        parts = np.nan_to_num(np.array(values_of(figure.series[name])))
        if (parts < 0).any():
            raise ValueError("a pie has no negative parts")
        axes.set_title(pie_title(name), fontsize=10, pad=2)
        if parts.sum() > 0:
            edges = {"linewidth": 0.8, "edgecolor": look.ground}
            slices = axes.pie(parts, colors=colours, startangle=90, counterclock=False, wedgeprops=edges)[0]
            _write_shares(axes, parts / parts.sum(), [look.ink_on(place) for place in places])
            told = legends[i * len(figure.x) : (i + 1) * len(figure.x)]
            place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0.02)}
            axes.legend(slices, told, frameon=False, fontsize=8, **place)
        else:
            axes.text(0.5, 0.5, "nothing", ha="center", va="center", transform=axes.transAxes)
            axes.set_axis_off()
    canvas.suptitle(_wrapped(figure.title, _size(figure)[0]), fontsize=11)


def _wrapped(title: str, width: float) -> str:
    """A title in lines that are no wider than so many inches."""
    return "\n".join(wrap(title, max(int(width * _LETTERS), 20)))


def _colours(figure: Figure, look: Look) -> list[str]:
    """The colour of each series."""
    return [look.colour(place) for place in series_places(figure.series)]


def pie_title(name: str) -> str:
    """The name of a pie in at most four short lines: one that says what it is based on is long."""
    return "\n".join(wrap(name, LONGEST, max_lines=4, placeholder=" …"))


def pie_legend(figure: Figure) -> list[str]:
    """What the legends of all pies say, pie by pie: each part, with its share and interval if that is estimated."""
    column = Column(name="", title="", style="share")
    return [
        f"{label_of(x)} {format_cell(value, column)}" if isinstance(value, Estimate) else label_of(x)
        for values in figure.series.values()
        for x, value in zip(figure.x, values, strict=False)
    ]


def _write_shares(axes: Axes, shares: Sequence[float], inks: Sequence[str]) -> None:
    """Write the percentage into each slice that is wide enough for it."""
    middle = 0.0
    for i, share in enumerate(shares):
        if share >= 0.04:
            angle = pi / 2 - 2 * pi * (middle + share / 2)
            reach = 0.0 if share > 0.999 else 0.65
            where = (reach * np.cos(angle), reach * np.sin(angle))
            axes.text(*where, f"{share:.0%}", ha="center", va="center", fontsize=8, color=inks[i])
        middle += share


def _radar(figure: Figure, canvas: FigureBase, look: Look) -> None:
    axes = cast("PolarAxes", canvas.add_subplot(projection="polar"))
    angles = [2 * pi * i / max(len(figure.x), 1) for i in range(len(figure.x))]
    for i, (name, values) in enumerate(figure.series.items()):
        ring = [*values_of(values)]
        style: dict[str, Any] = {"linestyle": _DASHES[i % len(_DASHES)], "marker": _MARKS[i % len(_MARKS)]}
        axes.plot([*angles, *angles[:1]], [*ring, *ring[:1]], label=name, color=look.colour(i), markersize=4, **style)
        axes.fill([*angles, *angles[:1]], np.nan_to_num([*ring, *ring[:1]]), color=look.colour(i), alpha=0.12)
        _whiskers(axes, angles, values, look.colour(i))
    circle = np.linspace(0, 2 * pi, 90)
    for i, (name, value) in enumerate(figure.references.items()):
        axes.plot(circle, np.full(90, value), _LINES[i % len(_LINES)], color=look.ink, linewidth=1, label=name)
    axes.set_theta_offset(pi / 2)
    axes.set_theta_direction(-1)
    axes.set_xticks(angles, [""] * len(angles))
    for angle, x in zip(angles, figure.x, strict=True):
        right, up = round(np.sin(angle), 6), round(np.cos(angle), 6)
        axes.text(
            0.5 + 0.53 * right,
            0.5 + 0.53 * up,
            label_of(x),
            transform=axes.transAxes,
            ha="left" if right > 0 else "right" if right < 0 else "center",
            va="bottom" if up > 0.5 else "top" if up < -0.5 else "center",
        )
    axes.tick_params(axis="y", labelsize=8)
    axes.set_rlabel_position(float(np.degrees(angles[1] / 2)) if len(angles) > 1 else 0.0)
    axes.set_ylim(bottom=min(0.0, axes.get_ylim()[0]))
    axes.yaxis.set_major_locator(MaxNLocator(4))
    axes.grid(color=look.ink, alpha=0.2, linewidth=0.6)
    axes.spines["polar"].set_alpha(0.3)
    # The layout leaves no room for what stands outside of the circle.
    whole = canvas.get_figure(root=True)
    if whole is None:
        raise ValueError("a part of a figure belongs to none")
    whole.set_layout_engine("none")
    box = cast("SubFigure", canvas).bbox  # a whole figure has one too
    width, height = box.width / whole.dpi, box.height / whole.dpi
    axes.set_position((_beside(figure) / width, 0.35 / height, 3.3 / width, 3.3 / height))
    canvas.suptitle(_wrapped(figure.title, width - 0.5), fontsize=11, x=(_beside(figure) + 1.65) / width, y=0.99)
    if len(figure.series) > 1 or figure.references:
        canvas.legend(loc="upper right", frameon=False, fontsize=9)


def _axes(figure: Figure, canvas: FigureBase, look: Look) -> Axes:
    axes = canvas.add_subplot()
    axes.set(title=_wrapped(figure.title, _size(figure)[0]), xlabel=figure.x_title, ylabel=figure.y_title)
    axes.title.set_fontsize(11)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", color=look.ink, alpha=0.15, linewidth=0.6)
    axes.set_axisbelow(True)
    return axes


def _finish(figure: Figure, axes: Axes, look: Look, *, are_names: bool) -> None:
    if are_names:
        names = _names(figure)
        axes.set_xticks(range(len(names)), [label_of(x) for x in names], **turned(names))
    elif _are_few_integers(figure.x):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    for i, (name, value) in enumerate(figure.references.items()):
        axes.axhline(value, linestyle=_LINES[i % len(_LINES)], color=look.ink, linewidth=1, label=name)
    _legend(figure, axes)


def _legend(figure: Figure, axes: Axes) -> None:
    if len(figure.series) > 1 or figure.references:
        options: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0), "frameon": False, "fontsize": 9}
        axes.legend(**options)


def _whiskers(axes: Axes, at: Sequence[float], values: Sequence[object], colour: str) -> None:
    """Draw the intervals of those values that have one."""
    for place, value in zip(at, values, strict=True):
        if isinstance(value, Estimate) and _has_interval(value):
            axes.plot(
                [place, place], [cast("float", value.low), cast("float", value.high)], color=colour, linewidth=1.4
            )


def _places(x: Sequence[str | float]) -> tuple[list[float], bool]:
    """Positions along x, and whether they are numeric; names are placed one after another."""
    if any(isinstance(value, str) for value in x):
        return [float(i) for i in range(len(x))], True
    return [float(value) for value in x], False


def _names(figure: Figure) -> list[str | float]:
    """What stands along x; in a scatter equal names are one place."""
    return list(dict.fromkeys(figure.x)) if figure.kind == "scatter" else list(figure.x)


def _are_few_integers(x: Sequence[str | float]) -> bool:
    """Whether all values are integers within a span of 12, such as turns, with nothing between them."""
    values = [float(value) for value in x]
    return bool(values) and all(value.is_integer() for value in values) and max(values) - min(values) <= 12


_KINDS: Mapping[str, Callable[[Figure, FigureBase, Look], None]] = {
    "bar": _bar,
    "stacked-bar": _stacked,
    "line": _line,
    "scatter": _scatter,
    "pie": _pie,
    "heat-map": heat_map,
    "radar": _radar,
}
