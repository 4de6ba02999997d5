"""Writes a figure as a Vega-Lite specification."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from textwrap import wrap
from typing import Final

from arena.errors import ArenaError
from arena.tables import Figure
from arena_report import figure_table, footnotes

from arena_report_vega.axis_figures import bars, dots, lines, points, stacked_bars
from arena_report_vega.heat_map import heat_map
from arena_report_vega.pie import pies
from arena_report_vega.rows import JSONObject, number, rows

SCHEMA: Final = "https://vega.github.io/schema/vega-lite/v6.json"

_CHARACTERS: Final = 80
"""The most characters in each line below a title."""

_KINDS: Final[Mapping[str, Callable[[Figure], JSONObject]]] = {
    "bar": bars,
    "stacked-bar": stacked_bars,
    "line": lines,
    "pie": pies,
    "heat-map": heat_map,
    # Vega-Lite has no axes around a circle; the same values stand beside one another on one common axis.
    "radar": dots,
    "scatter": points,
}


def specification(figure: Figure, section: str, notes: Sequence[str] = ()) -> JSONObject:
    """Return the figure with its data, complete in itself; its section and ``notes`` stand below the title.

    Raises ``ArenaError`` if the figure cannot be drawn.
    """
    for fault in (fault for panel in figure.panels for fault in _faults(panel)):
        raise ArenaError(f"figure {figure.title!r}: {fault}; report with other metrics (--metric), and tell its author")
    return {
        "$schema": SCHEMA,
        "title": _title(figure, section, notes),
        **_drawn(figure),
        "config": {"axis": {"labelLimit": 260}, "legend": {"labelLimit": 260}, "view": {"stroke": None}},
    }


def _drawn(figure: Figure) -> JSONObject:
    """Return the figure's data and marks, or a column for it and each figure beside it, with scales of their own."""
    views = [{"data": {"values": rows(panel)}, **_KINDS[panel.kind](panel)} for panel in figure.panels]
    if len(views) == 1:
        return views[0]
    titled = [{"title": panel.title, **view} for panel, view in zip(figure.panels, views, strict=True)]
    return {"hconcat": titled, "resolve": {"scale": {"color": "independent"}}}


def _title(figure: Figure, section: str, notes: Sequence[str]) -> JSONObject:
    """Return the title, and below it what a reader of the figure must know."""
    said = (section, *footnotes(figure_table(figure)), *notes)
    return {
        "text": figure.title,
        "subtitle": [line for text in said for line in wrap(text, _CHARACTERS)],
        "anchor": "start",
        "offset": 12,
        "subtitlePadding": 4,
        "subtitleColor": "#555555",
    }


def _faults(figure: Figure) -> Iterator[str]:
    if figure.kind not in _KINDS:
        yield f"a figure of kind {figure.kind!r} cannot be drawn (known: {', '.join(_KINDS)})"
    if not all(isinstance(x, str) or isfinite(x) for x in figure.x):
        yield "a number along x is infinite or none"
    for name, values in figure.series.items():
        if len(values) != len(figure.x):
            yield f"{name!r} has {len(values)} values for {len(figure.x)} places along x"
        negative = next((v for v in map(number, values) if v is not None and v < 0), None)
        if figure.kind == "pie" and negative is not None:
            yield f"a pie has no negative parts, got {negative} in {name!r}"
