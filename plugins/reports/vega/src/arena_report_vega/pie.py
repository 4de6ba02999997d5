"""Pie charts: one for each series, side by side."""

import json
from collections.abc import Sequence
from textwrap import wrap
from typing import Any, Final

from arena.tables import Column, Estimate, Figure
from arena_report import format_cell, short_names

from arena_report_vega.encoding import LONGEST, colour, tooltip
from arena_report_vega.rows import JSONObject, number, places

_ACROSS: Final = 3
_RADIUS: Final = 80
_LETTERS: Final = 32
"""The most letters in a line of a pie's title."""

_THETA: Final = {"field": "value", "type": "quantitative", "stack": True}
_ORDER: Final = {"field": "place", "type": "quantitative"}


def pies(figure: Figure) -> JSONObject:
    """Return a pie for each series, with the percentage in each slice that is wide enough for it, and its legend."""
    told = [*tooltip(figure), {"field": "share", "type": "quantitative", "format": ".1%"}]
    shared = {"theta": _THETA, "order": _ORDER, "tooltip": told}
    return {
        "concat": [
            {
                "title": {"text": wrap(name, _LETTERS), "fontSize": 11, "fontWeight": "normal", "offset": 8},
                "transform": [{"filter": {"field": "order", "equal": order}}, *_transform()],
                "width": 2 * _RADIUS + 20,
                "height": 2 * _RADIUS + 20,
                "encoding": shared,
                "layer": _layers(figure, values),
            }
            for order, (name, values) in enumerate(figure.series.items())
        ],
        "columns": min(len(figure.series), _ACROSS) or 1,
        "resolve": {"scale": {"color": "independent"}, "legend": {"color": "independent"}},
    }


def _layers(figure: Figure, values: Sequence[float | Estimate | None]) -> list[JSONObject]:
    names = list(map(str, places(figure)))
    coloured = colour(names, "x")
    if "legend" not in coloured or any(isinstance(value, Estimate) for value in values):
        coloured["legend"] = {"orient": "bottom", "columns": 1, "labelLimit": 0, "labelExpr": _labels(names, values)}
    slices: JSONObject = {"mark": {"type": "arc", "outerRadius": _RADIUS, "stroke": "#ffffff"}}
    is_empty = not any(map(number, values))
    return [{**slices, "encoding": {"color": coloured}}, _shares(), *([_nothing()] if is_empty else [])]


def _labels(names: Sequence[str], values: Sequence[float | Estimate | None]) -> str:
    """An expression that gives each part its share with n and interval, if that is estimated."""
    column = Column(name="", title="", style="share")
    short = short_names(names, LONGEST)
    told = {
        name: f"{short[name]} {format_cell(value, column)}" if isinstance(value, Estimate) else short[name]
        for name, value in zip(names, values, strict=False)
    }
    return f"{json.dumps(told)}[datum.label]"


def _transform() -> list[Any]:
    total = {"op": "sum", "field": "value", "as": "total"}
    share = {"calculate": "datum.total > 0 ? datum.value / datum.total : 0", "as": "share"}
    return [{"joinaggregate": [total], "groupby": ["series"]}, share]


def _shares() -> JSONObject:
    text = {"field": "share", "type": "quantitative", "format": ".0%"}
    # A slice that is too thin keeps its place in the stack: only its words are transparent.
    is_wide = {"condition": {"test": "datum.share >= 0.05", "value": 1}, "value": 0}
    mark = {"type": "text", "radius": 0.65 * _RADIUS, "fill": "#000000", "fontSize": 10}
    return {"mark": mark, "encoding": {"text": text, "opacity": is_wide}}


def _nothing() -> JSONObject:
    """Return the text shown in place of a pie that has no parts."""
    transform = [{"filter": "datum.total == 0 && datum.place == 0"}]
    mark = {"type": "text", "radius": 0, "fill": "#000000"}
    return {"transform": transform, "mark": mark, "encoding": {"text": {"value": "nothing"}}}
