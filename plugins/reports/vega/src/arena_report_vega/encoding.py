"""The parts that specifications of several kinds share: colours, tooltips, axes of names, reference lines."""

import json
from collections.abc import Iterable
from math import isfinite
from typing import Final

from arena.tables import Estimate, Figure
from arena_report import series_places, short_names

from arena_report_vega.rows import JSONObject, places

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933", "#888888")
"""Okabe and Ito's colours, which colour-blind readers can tell apart."""

INK = "#222222"

_DASHES = ([6, 4], [2, 3], [8, 3, 2, 3])

_LINES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [8, 2, 2, 2, 2, 2], [4, 1])
"""How the lines of series differ beside their colour."""

_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-left", "triangle-right")
"""How the points of series differ beside their colour."""

LONGEST: Final = 32
"""The most characters of a name in a drawing; the whole name is in the data and shown under the pointer."""


def tooltip(figure: Figure) -> list[JSONObject]:
    """Return what is shown of the value under the pointer: its series and place, interval, n and method."""
    shown = {"x": figure.x_title or "at", "series": "series", "text": figure.y_title or "value"}
    if any(isinstance(value, Estimate) for values in figure.series.values() for value in values):
        shown |= {"level": "level of the interval", "method": "method"}
    return [{"field": field, "type": "nominal", "title": title} for field, title in shown.items()]


def colour(names: Iterable[str], field: str = "series") -> JSONObject:
    """Return a colour scale for the names, in their order; it has a legend if there are several."""
    known = list(names)
    scale = {"domain": known, "range": [COLOURS[place] for place in series_places(known)]}
    encoded: JSONObject = {"field": field, "type": "nominal", "title": None, "scale": scale}
    if len(known) < 2:
        return encoded | {"legend": None}
    return encoded | ({"legend": short} if (short := short_labels(known)) else {})


def lines_apart(figure: Figure) -> JSONObject:
    """Return the dashes of lines, one kind for each series; empty for a single one."""
    return {channel: told | {"legend": None} for channel, told in _apart(figure, "strokeDash", _LINES).items()}


def shapes_apart(figure: Figure) -> JSONObject:
    """Return the shapes of points, one for each series; empty for a single one."""
    return _apart(figure, "shape", _SHAPES)


def _apart(figure: Figure, channel: str, many: Iterable[object]) -> JSONObject:
    known = list(figure.series)
    if len(known) < 2:
        return {}
    legend = {"legend": short} if (short := short_labels(known)) else {}
    return {channel: {"field": "series", "type": "nominal", "title": None, "scale": _scale(known, many), **legend}}


def short_labels(names: Iterable[str]) -> JSONObject:
    """Return what shows long names short at an axis or in a legend; empty if all are short enough."""
    short = {name: text for name, text in short_names(names, LONGEST).items() if text != name}
    return {"labelExpr": f"{json.dumps(short)}[datum.label] || datum.label"} if short else {}


def names_along(figure: Figure, *, angle: int = 0) -> JSONObject:
    """Return the x axis of names, in the figure's order."""
    axis: JSONObject = {"labelAngle": angle, "ticks": False, "labelPadding": 6, "labelOverlap": False}
    axis |= short_labels(map(str, places(figure)))
    scale = {"domain": list(dict.fromkeys(places(figure)))}
    return {"field": "x", "type": "nominal", "title": figure.x_title or None, "scale": scale, "axis": axis}


def measured(figure: Figure, field: str) -> JSONObject:
    """Return the axis of values, which begins at zero for kinds that compare lengths."""
    starts_at_zero = figure.kind in ("bar", "stacked-bar", "radar")
    title = figure.y_title or None
    return {"field": field, "type": "quantitative", "title": title, "scale": {"zero": starts_at_zero, "nice": True}}


def references(figure: Figure, channel: str) -> list[JSONObject]:
    """Return the reference lines across ``channel`` (``x`` or ``y``), named in a legend."""
    values: list[JSONObject] = [{"reference": name, "at": at} for name, at in figure.references.items() if isfinite(at)]
    if not values:
        return []
    dash: JSONObject = {"field": "reference", "type": "nominal", "title": None}
    dash |= {"scale": _scale([value["reference"] for value in values], _DASHES)}
    dash |= {"legend": {"symbolType": "stroke", "symbolStrokeColor": INK, "symbolSize": 400}}
    told = [{"field": "reference", "type": "nominal"}, {"field": "at", "type": "quantitative", "title": "value"}]
    encoding = {channel: measured(figure, "at"), "strokeDash": dash, "tooltip": told}
    return [{"data": {"values": values}, "mark": {"type": "rule", "color": INK}, "encoding": encoding}]


def _scale(names: list[str], many: Iterable[object]) -> JSONObject:
    known = list(many)
    return {"domain": names, "range": [known[i % len(known)] for i in range(len(names))]}
