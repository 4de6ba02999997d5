"""Pie charts: one for each series, side by side."""

from typing import Any, Final

from arena.tables import Figure

from arena_report_vega.encoding import colour, tooltip
from arena_report_vega.rows import JSONObject, number, places

_ACROSS: Final = 3
_RADIUS: Final = 80
_THETA: Final = {"field": "value", "type": "quantitative", "stack": True}
_ORDER: Final = {"field": "place", "type": "quantitative"}


def pies(figure: Figure) -> JSONObject:
    """Return a pie for each series, with the percentage in each slice that is wide enough for it."""
    colours = {"color": colour(map(str, places(figure)), "x")}
    slices: JSONObject = {"mark": {"type": "arc", "outerRadius": _RADIUS, "stroke": "#ffffff"}, "encoding": colours}
    empty = [name for name, values in figure.series.items() if not any(map(number, values))]
    layers = [slices, _shares()]
    if empty:
        layers.append(_nothing())
    told = [*tooltip(figure), {"field": "share", "type": "quantitative", "format": ".1%"}]
    shared = {"theta": _THETA, "order": _ORDER, "tooltip": told}
    return {
        "transform": _transform(),
        "facet": {"field": "series", "type": "nominal", "title": None, "sort": list(figure.series)},
        "columns": min(len(figure.series), _ACROSS) or 1,
        "spec": {"width": 2 * _RADIUS + 20, "height": 2 * _RADIUS + 20, "encoding": shared, "layer": layers},
    }


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
