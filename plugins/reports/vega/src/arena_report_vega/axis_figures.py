"""Figures along an axis: bars, lines, points, and the rows of dots that replace a radar chart."""

from typing import Final

from arena.tables import Figure

from arena_report_vega.encoding import (
    INK,
    LONGEST,
    colour,
    lines_apart,
    measured,
    names_along,
    references,
    shapes_apart,
    tooltip,
)
from arena_report_vega.rows import JSONObject, has_intervals, has_open_intervals, is_numeric, places

_HEIGHT: Final = 300
_LETTER: Final = 6.5
"""The approximate width in pixels of a letter in a label."""
_POINT: Final = {"type": "point", "filled": True, "size": 60, "opacity": 1}
_WHISKER: Final = {"type": "rule", "strokeWidth": 1.5}
_BY_PLACE: Final = {"field": "place", "type": "quantitative"}
_BY_SERIES: Final = {"field": "order", "type": "quantitative"}


def bars(figure: Figure) -> JSONObject:
    """Return grouped bars with intervals, one bar for each series at each place."""
    mark: JSONObject = {"mark": {"type": "bar"}, "encoding": {"y": measured(figure, "value")}}
    return _upright(figure, [mark, *_whiskers(figure, "y", INK)], is_beside=True)


def stacked_bars(figure: Figure) -> JSONObject:
    """Return stacked bars, the first series lowest; intervals are shown only in tooltips."""
    encoding = {"y": measured(figure, "value"), "order": _BY_SERIES}
    return _upright(figure, [{"mark": {"type": "bar"}, "encoding": encoding}])


def lines(figure: Figure) -> JSONObject:
    """Return a line with points for each series, in the order of the values along x."""
    y, last = measured(figure, "value"), max(len(figure.series) - 1, 1)
    line: JSONObject = {"mark": {"type": "line"}, "encoding": {"y": y, "order": _BY_PLACE, **lines_apart(figure)}}
    point: JSONObject = {"mark": _POINT, "encoding": {"y": y, **shapes_apart(figure)}}
    if is_numeric(figure) and len(set(figure.series.values())) < len(figure.series):
        # Some lie at the same place: the later ones are thinner, so that the others are seen on both sides.
        scale = {"domain": [0, last], "zero": False}
        thin = {"strokeWidth": _BY_SERIES | {"scale": scale | {"range": [2 * last, 1.5]}, "legend": None}}
        small = {"size": _BY_SERIES | {"scale": scale | {"range": [60 * last, 30]}, "legend": None}}
        line, point = _with(line, thin), _with(point, small)
    drawn = _upright(figure, [line, point, *_whiskers(figure, "y")], is_beside=not is_numeric(figure))
    return drawn | {"resolve": {"scale": {"strokeDash": "independent"}}}


def _with(layer: JSONObject, encoding: JSONObject) -> JSONObject:
    return layer | {"encoding": layer["encoding"] | encoding}


def points(figure: Figure) -> JSONObject:
    """Return points; series that have a value at the same name stand side by side."""
    mark: JSONObject = {"mark": _POINT, "encoding": {"y": measured(figure, "value"), **shapes_apart(figure)}}
    return _upright(figure, [mark, *_whiskers(figure, "y")], is_beside=not is_numeric(figure))


def dots(figure: Figure) -> JSONObject:
    """Return a row of dots for each name along x, all on one axis, with their intervals."""
    axis = names_along(figure)
    # A line across each row leads the eye from the dots to their name.
    axis["axis"] |= {"grid": True, "gridDash": [1, 3]}
    mark: JSONObject = {"mark": _POINT, "encoding": {"x": measured(figure, "value"), **shapes_apart(figure)}}
    encoding = {"y": axis, "yOffset": _beside(figure), "color": colour(figure.series), "tooltip": tooltip(figure)}
    height = max(24, 12 * len(figure.series)) * max(len(figure.x), 1)
    layers = [{"encoding": encoding, "layer": [mark, *_whiskers(figure, "x")]}, *references(figure, "x")]
    return {"width": 420, "height": height, "layer": layers}


def _upright(figure: Figure, marks: list[JSONObject], *, is_beside: bool = False) -> JSONObject:
    """Return marks over places along x, and reference lines across them."""
    width = _width(figure)
    encoding: JSONObject = {"x": _numbers_along(figure) if is_numeric(figure) else _leaning(figure, width)}
    if is_beside and len(figure.series) > 1:
        encoding["xOffset"] = _beside(figure)
    encoding |= {"color": colour(figure.series), "tooltip": tooltip(figure)}
    layers = [{"encoding": encoding, "layer": marks}, *references(figure, "y")]
    return {"width": width, "height": _HEIGHT, "layer": layers}


def _whiskers(figure: Figure, channel: str, ink: str | None = None) -> list[JSONObject]:
    """Return intervals as rules; one without an upper bound ends in an arrow at the edge."""
    low, more = measured(figure, "low"), {} if ink is None else {"color": {"value": ink}}
    found: list[JSONObject] = []
    if has_intervals(figure):
        encoding = {channel: low, f"{channel}2": {"field": "high"}, **more}
        found.append({"transform": [{"filter": "isValid(datum.high)"}], "mark": _WHISKER, "encoding": encoding})
    if has_open_intervals(figure):
        is_open = [{"filter": "isValid(datum.low) && !isValid(datum.high)"}]
        edge, shape = ({"value": 0}, "triangle-up") if channel == "y" else ({"value": "width"}, "triangle-right")
        rule = {"mark": _WHISKER, "encoding": {channel: low, f"{channel}2": edge, **more}}
        arrow = {"mark": _POINT | {"shape": shape}, "encoding": {channel: edge, **more}}
        found += [{"transform": is_open, **rule}, {"transform": is_open, **arrow}]
    return found


def _beside(figure: Figure) -> JSONObject:
    return {"field": "series", "type": "nominal", "scale": {"domain": list(figure.series)}}


def _numbers_along(figure: Figure) -> JSONObject:
    axis: JSONObject = {"grid": False}
    if all(float(x).is_integer() for x in figure.x):
        axis |= {"tickMinStep": 1, "format": "~d"}
    title = figure.x_title or None
    return {"field": "x", "type": "quantitative", "title": title, "scale": {"zero": False}, "axis": axis}


def _leaning(figure: Figure, width: int) -> JSONObject:
    """Return the axis of names along x, slanted if they would overlap."""
    longest = min(max((len(str(place)) for place in places(figure)), default=0), LONGEST)
    return names_along(figure, angle=-30 if longest * _LETTER > width / max(len(set(places(figure))), 1) else 0)


def _width(figure: Figure) -> int:
    """Return the width in pixels; figures with more values are wider, within limits."""
    side_by_side = len(figure.series) if figure.kind == "bar" else 1
    return 420 if is_numeric(figure) else min(max(320, len(set(places(figure))) * max(48, 20 * side_by_side)), 1200)
