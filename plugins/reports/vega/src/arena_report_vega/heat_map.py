"""Heat maps, with lines between blocks of cells and names for the blocks."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from arena.tables import Figure

from arena_report_vega.encoding import names_along, short_labels, tooltip
from arena_report_vega.rows import JSONObject, number, places

_LETTER: Final = 6.5
"""The approximate width in pixels of a letter in a label."""
_LARGE: Final = (56, 34)
"""Width and height of a cell with a number in it, in pixels."""
_SMALL: Final = (22, 22)
"""Width and height of a cell without a number, in pixels."""
_LINE: Final = "#999999"
"""The colour of lines between blocks; it differs from the darkest cells and from the brightest."""


def heat_map(figure: Figure) -> JSONObject:
    """Return a cell for each value, with its number, or with lines between blocks and the blocks' names."""
    width, height = _SMALL if figure.blocks else _LARGE
    cells: JSONObject = {"mark": {"type": "rect"}, "encoding": {"color": _colours(figure)}}
    encoding = {"x": _columns(figure), "y": _rows(figure), "tooltip": tooltip(figure)}
    main = {"encoding": encoding, "layer": [cells] if figure.blocks else [cells, _numbers(figure)]}
    return {
        "width": width * max(len(figure.x), 1),
        "height": height * max(len(figure.series), 1),
        # Missing values show the grey background: white already means zero, between blue and red.
        "view": {"stroke": _LINE, "fill": "#dddddd"},
        "layer": [main, *_separators(figure), *_labels(figure), *_names(figure), *_outlines(figure)],
    }


_BARE: Final = {"labels": False, "titlePadding": 22}
"""An axis that leaves room for names of blocks."""


def _columns(figure: Figure) -> JSONObject:
    width, _ = _SMALL if figure.blocks else _LARGE
    longest = max((len(str(place)) for place in places(figure)), default=0)
    encoded = names_along(figure, angle=-30 if longest * _LETTER > width else 0)
    return encoded if figure.block_names is None else encoded | {"axis": encoded["axis"] | _BARE}


def _rows(figure: Figure) -> JSONObject:
    scale = {"domain": list(figure.series)}
    axis: JSONObject = {"ticks": False, "labelPadding": 6, **short_labels(figure.series)}
    axis |= {} if figure.block_names is None else _BARE
    return {"field": "series", "type": "nominal", "title": figure.y_title or None, "scale": scale, "axis": axis}


def _limits(figure: Figure) -> tuple[float, float]:
    """Return the ends of the scale: the figure's own, else as far as values reach, to both sides if they have signs."""
    if figure.limits is not None:
        return figure.limits
    known = [value for values in figure.series.values() for value in map(number, values) if value is not None]
    reach = max(map(abs, known), default=0) or 1
    return (-reach if any(value < 0 for value in known) else 0), reach


def _colours(figure: Figure) -> JSONObject:
    """Return a scale from red over white to blue if values have signs, else from white to blue."""
    low, high = _limits(figure)
    scale: JSONObject = {"domain": [low, high], "nice": False, "clamp": True}
    scale |= {"scheme": "redblue"} if low < 0 else {"scheme": "blues"}
    return {"field": "value", "type": "quantitative", "title": None, "scale": scale}


def _numbers(figure: Figure) -> JSONObject:
    """Return the cells' numbers, white where the cell is dark."""
    low, high = _limits(figure)
    is_dark = f"abs(datum.value) > {0.6 * high}" if low < 0 else f"datum.value > {low + 0.6 * (high - low)}"
    ink = {"condition": {"test": is_dark, "value": "#ffffff"}, "value": "#000000"}
    text = {"field": "value", "type": "quantitative", "format": ".2~g"}
    known = [{"filter": "isValid(datum.value)"}]
    return {"transform": known, "mark": {"type": "text"}, "encoding": {"text": text, "color": ink}}


def _separators(figure: Figure) -> Iterator[JSONObject]:
    """Yield lines between blocks; blocks of later sides have stronger lines."""
    for i, side in enumerate(figure.blocks):
        mark = {"type": "rule", "color": _LINE, "strokeWidth": 0.8 + 1.2 * i}
        for channel, axis in (("x", _columns(figure)), ("y", _rows(figure))):
            starts = [{"start": name} for name in axis["scale"]["domain"][side::side]]
            if starts:
                at = axis | {"field": "start", "bandPosition": 0}
                yield {"data": {"values": starts}, "mark": mark, "encoding": {channel: at}}


def _labels(figure: Figure) -> Iterator[JSONObject]:
    """Yield the names of the smallest blocks, each in a corner of its block, if no names stand outside."""
    if not figure.blocks or not figure.labels or figure.block_names is not None:
        return
    side, names = figure.blocks[0], list(figure.series)
    corners = [(row, column) for row in names[::side] for column in places(figure)[::side]]
    values = [{"x": x, "y": y, "label": label} for (y, x), label in zip(corners, figure.labels, strict=False)]
    encoding: JSONObject = {"text": {"field": "label", "type": "nominal"}}
    for channel, axis in (("x", _columns(figure)), ("y", _rows(figure))):
        encoding[channel] = axis | {"field": channel, "bandPosition": 0}
    mark = {"type": "text", "fontSize": 6, "align": "left", "baseline": "top", "dx": 1, "dy": 1}
    yield {"data": {"values": values}, "mark": mark, "encoding": encoding}


def _names(figure: Figure) -> Iterator[JSONObject]:
    """Yield the names that stand outside at the blocks: below, at the left and at the right."""
    names = figure.block_names
    if names is None or not figure.blocks:
        return
    width, height = (size * figure.blocks[0] for size in _SMALL)
    right, below = _SMALL[0] * len(figure.x), _SMALL[1] * len(figure.series)
    for told, channel, place, mark in (
        (names.columns, "x", below + 10, {"align": "center"}),
        (names.rows, "y", -8, {"align": "right"}),
        (names.ends, "y", right + 8, {"align": "left"}),
    ):
        step, other = (width, "y") if channel == "x" else (height, "x")
        values = [{"at": (i + 0.5) * step, "label": label} for i, label in enumerate(told)]
        if values:
            yield {
                "data": {"values": values},
                "mark": {"type": "text", "fontSize": 9, "baseline": "middle", **mark},
                "encoding": {
                    channel: {"field": "at", "type": "quantitative", "scale": None, "axis": None},
                    other: {"value": place},
                    "text": {"field": "label", "type": "nominal"},
                },
            }


def _outlines(figure: Figure) -> Iterator[JSONObject]:
    """Yield the lines over the cells: boxes whole and strong, others dashed."""
    width, height = _SMALL if figure.blocks else _LARGE
    for line in figure.outlines:
        is_box = line.points[0] == line.points[-1]
        look = {"strokeWidth": 3} if is_box else {"strokeWidth": 1, "strokeDash": [5, 4]}
        for (x, y), (x2, y2) in pairwise(line.points):
            ends = {"x": x * width, "y": y * height, "x2": x2 * width, "y2": y2 * height}
            yield {
                "data": {"values": [{"outline": line.name}]},
                "mark": {"type": "rule", "color": "#000000", **look},
                "encoding": {channel: {"value": value} for channel, value in ends.items()},
            }
