"""Heat maps, with lines between blocks of cells and names for the blocks."""

from collections.abc import Iterator
from typing import Final

from arena.tables import Figure

from arena_report_vega.encoding import names_along, tooltip
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
        "layer": [main, *_separators(figure), *_labels(figure)],
    }


def _columns(figure: Figure) -> JSONObject:
    width, _ = _SMALL if figure.blocks else _LARGE
    longest = max((len(str(place)) for place in places(figure)), default=0)
    return names_along(figure, angle=-30 if longest * _LETTER > width else 0)


def _rows(figure: Figure) -> JSONObject:
    scale, axis = {"domain": list(figure.series)}, {"ticks": False, "labelPadding": 6}
    return {"field": "series", "type": "nominal", "title": figure.y_title or None, "scale": scale, "axis": axis}


def _reach(figure: Figure) -> tuple[float, bool]:
    """Return the largest distance of a value from zero, and whether any value is negative."""
    known = [value for values in figure.series.values() for value in map(number, values) if value is not None]
    return max(map(abs, known), default=0) or 1, any(value < 0 for value in known)


def _colours(figure: Figure) -> JSONObject:
    """Return a blue to red scale around zero if values have signs, else dark to bright from zero."""
    reach, is_signed = _reach(figure)
    scale: JSONObject = {"domain": [-reach if is_signed else 0, reach], "nice": False}
    scale |= {"scheme": "redblue", "reverse": True} if is_signed else {"scheme": "viridis"}
    return {"field": "value", "type": "quantitative", "title": None, "scale": scale}


def _numbers(figure: Figure) -> JSONObject:
    """Return the cells' numbers, white where the cell is dark."""
    reach, is_signed = _reach(figure)
    is_dark = f"abs(datum.value) > {0.6 * reach}" if is_signed else f"datum.value < {0.5 * reach}"
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
    """Yield the names of the smallest blocks, one word per line, each over a pale shadow of itself."""
    if not figure.blocks or not figure.labels:
        return
    side, names = figure.blocks[0], list(figure.series)
    middles = [(row, column) for row in names[side // 2 :: side] for column in places(figure)[side // 2 :: side]]
    values = [{"x": x, "y": y, "label": label} for (y, x), label in zip(middles, figure.labels, strict=False)]
    # The middle of an even number of cells is where the second half begins.
    share = 0 if side % 2 == 0 else 0.5
    encoding: JSONObject = {"text": {"field": "label", "type": "nominal"}}
    for channel, axis in (("x", _columns(figure)), ("y", _rows(figure))):
        encoding[channel] = axis | {"field": channel, "bandPosition": share}
    shadow = {"stroke": "#ffffff", "strokeWidth": 3, "strokeOpacity": 0.75, "strokeJoin": "round"}
    for more in (shadow, {"color": "#000000"}):
        mark = {"type": "text", "fontSize": 8, "lineBreak": " ", "baseline": "middle", "lineHeight": 8}
        yield {"data": {"values": values}, "mark": mark | more, "encoding": encoding}
