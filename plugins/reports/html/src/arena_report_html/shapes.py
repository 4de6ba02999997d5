"""Draws simple figures as SVG without any other package: a row for each place along x, values to the right."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, log10
from typing import Final
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import attrs
from arena.installing import full_name, install_line
from arena.tables import Estimate, Figure
from arena_report import series_places

from arena_report_html.palette import colour_of, label_of, with_short_names

KINDS: Final = ("bar", "stacked-bar", "line", "scatter")
"""The kinds of figures that are drawn here."""

WIDTH: Final = 640
BAR, GAP, LETTER, LINE = 16, 12, 7, 18
"""Thickness of a bar, space between rows, width of a letter and height of a line, in units of the drawing."""

TICKS: Final = 5
"""About how many numbers stand along the axis."""

_SVG: Final = "http://www.w3.org/2000/svg"

Values = Sequence[float | Estimate | None]


@attrs.frozen
class Mark:
    """A value to be drawn: where it begins and ends, its interval, and whose it is."""

    series: int
    colour: int
    start: float
    end: float
    low: float | None = None
    high: float | None = None


@attrs.frozen
class Axis:
    """The axis of values: numbers from ``low`` to ``high`` along ``left`` to ``right`` of the drawing."""

    low: float
    high: float
    step: float
    left: float
    right: float

    @classmethod
    def over(cls, values: Sequence[float], left: float, right: float) -> "Axis":
        """An axis that holds all values and 0, and ends at round numbers."""
        low, high = min((0.0, *values)), max((0.0, *values))
        high = high if high > low else low + 1.0
        rough = (high - low) / TICKS
        unit = 10.0 ** floor(log10(rough))
        step = next(factor * unit for factor in (1, 2, 5, 10) if factor * unit >= rough * (1 - 1e-9))
        return cls(floor(low / step + 1e-9) * step, ceil(high / step - 1e-9) * step, step, left, right)

    def at(self, value: float) -> float:
        """Where a value stands."""
        return round(self.left + (value - self.low) / (self.high - self.low) * (self.right - self.left), 2)

    def ticks(self) -> Iterator[float]:
        """The numbers along the axis."""
        count = round((self.high - self.low) / self.step)
        return (round(self.low + i * self.step, 12) + 0.0 for i in range(count + 1))


def draw(figure: Figure, name: str) -> str:
    """The figure as an SVG element whose ids begin with ``name``; ``ValueError`` if it is not of a kind drawn here."""
    if figure.kind not in KINDS:
        raise ValueError(
            f"a figure of kind {figure.kind!r} is drawn by matplotlib, which is not installed: "
            f"{install_line(full_name('report-html[charts]'))}"
        )
    for values in figure.series.values():
        if len(values) != len(figure.x):
            raise ValueError(f"{len(figure.x)} places along x, but {len(values)} values")
    figure = with_short_names(figure)
    names, rows = _rows(figure)
    bars = 1 if figure.kind == "stacked-bar" else max(len(figure.series), 1)
    left = 12 + LETTER * max((len(label_of(x)) for x in figure.x), default=0)
    reached = [value for row in rows for mark in row for value in _reach(mark)]
    axis = Axis.over([*reached, *figure.references.values()], left, WIDTH - 24)
    top = LINE * (2 + _legend_lines(figure))
    bottom = top + len(rows) * (bars * BAR + GAP)
    root = Element(f"{{{_SVG}}}svg", {"viewBox": f"0 0 {WIDTH} {bottom + 3 * LINE}", "role": "img"})
    root.set("aria-labelledby", f"{name}-title")
    _part(root, "title", id=f"{name}-title").text = f"{figure.title}. The numbers are in the table below the figure."
    _write(root, WIDTH / 2, LINE, figure.title, anchor="middle")
    _draw_legend(root, figure)
    _draw_axis(root, figure, axis, top, bottom)
    for place, (x, row) in enumerate(zip(names, rows, strict=True)):
        above = top + place * (bars * BAR + GAP) + GAP / 2
        _write(root, left - 6, above + bars * BAR / 2 + 4, label_of(x), anchor="end")
        for mark in row:
            _draw_mark(root, figure.kind, mark, axis, above + (0 if bars == 1 else mark.series * BAR))
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _rows(figure: Figure) -> tuple[list[str | float], list[list[Mark]]]:
    """What stands along x with what is to be drawn there; in a scatter equal names are one place."""
    own = [list(_marks(figure, place)) for place in range(len(figure.x))]
    if figure.kind != "scatter":
        return list(figure.x), own
    found: dict[str | float, list[Mark]] = {}
    for x, marks in zip(figure.x, own, strict=True):
        found.setdefault(x, []).extend(marks)
    return list(found), list(found.values())


def _marks(figure: Figure, place: int) -> Iterator[Mark]:
    """What is to be drawn in one row; the parts of a stacked bar begin where the one before ends."""
    start = 0.0
    colours = series_places(figure.series)
    for i, values in enumerate(figure.series.values()):
        found = values[place]
        value = found.value if isinstance(found, Estimate) else found
        if value is None or value != value:
            continue
        if figure.kind == "stacked-bar":
            yield Mark(i, colours[i], start, start + value)
            start += value
        elif isinstance(found, Estimate):
            yield Mark(i, colours[i], 0.0, value, found.low, found.high)
        else:
            yield Mark(i, colours[i], 0.0, float(value))


def _reach(mark: Mark) -> Iterator[float]:
    yield from (value for value in (mark.start, mark.end, mark.low, mark.high) if value is not None)


def _draw_mark(root: Element, kind: str, mark: Mark, axis: Axis, above: float) -> None:
    middle = round(above + BAR / 2, 2)
    if kind in ("line", "scatter"):
        _part(root, "circle", cx=axis.at(mark.end), cy=middle, r=4, fill=colour_of(mark.colour))
    else:
        start, end = sorted((axis.at(mark.start), axis.at(mark.end)))
        _part(
            root, "rect", x=start, y=above + 1, width=round(end - start, 2), height=BAR - 2, fill=colour_of(mark.colour)
        )
    if mark.low is not None or mark.high is not None:
        # An interval that is open at one side is drawn to the end of the axis.
        low = axis.at(axis.low if mark.low is None else mark.low)
        high = axis.at(axis.high if mark.high is None else mark.high)
        _line(root, low, middle, high, middle, "1.2")
        for end, is_known in ((low, mark.low is not None), (high, mark.high is not None)):
            if is_known:
                _line(root, end, middle - 4, end, middle + 4, "1.2")


def _draw_axis(root: Element, figure: Figure, axis: Axis, top: float, bottom: float) -> None:
    for tick in axis.ticks():
        _line(root, axis.at(tick), top, axis.at(tick), bottom, "0.6", opacity="0.25")
        _write(root, axis.at(tick), bottom + LINE, f"{tick:g}", anchor="middle")
    for value in figure.references.values():
        _line(root, axis.at(value), top, axis.at(value), bottom, "1", dashes="5 3")
    _write(root, (axis.left + axis.right) / 2, bottom + 2 * LINE, figure.y_title, anchor="middle")


def _legend(figure: Figure) -> Mapping[str, str]:
    """The names that are explained, with their colours; references have the colour of the text."""
    colours = map(colour_of, series_places(figure.series))
    series = dict(zip(figure.series, colours, strict=True)) if len(figure.series) > 1 else {}
    return {**series, **{f"┆ {name}": "currentColor" for name in figure.references}}


def _legend_places(figure: Figure) -> Iterator[tuple[str, str, float, int]]:
    """Each name with its colour, where it begins and in which line."""
    across, line = 12.0, 0
    for name, shade in _legend(figure).items():
        width = 24 + LETTER * len(name)
        if across > 12 and across + width > WIDTH:
            across, line = 12.0, line + 1
        yield name, shade, across, line
        across += width


def _legend_lines(figure: Figure) -> int:
    return max((line + 1 for *_, line in _legend_places(figure)), default=0)


def _draw_legend(root: Element, figure: Figure) -> None:
    for name, shade, across, line in _legend_places(figure):
        below = LINE * (2 + line)
        if shade != "currentColor":
            _part(root, "rect", x=across, y=below - 10, width=10, height=10, fill=shade)
        _write(root, across + 14, below, name)


def _line(
    root: Element, x1: float, y1: float, x2: float, y2: float, width: str, *, opacity: str = "1", dashes: str = "none"
) -> None:
    look = {"stroke": "currentColor", "stroke-width": width, "stroke-opacity": opacity, "stroke-dasharray": dashes}
    _part(root, "line", x1=x1, y1=y1, x2=x2, y2=y2).attrib.update(look)


def _write(root: Element, x: float, y: float, text: str, *, anchor: str = "start") -> None:
    part = _part(root, "text", x=x, y=y, fill="currentColor")
    part.attrib.update({"text-anchor": anchor, "font-size": "12", "font-family": "sans-serif"})
    part.text = text


def _part(root: Element, tag: str, **attributes: object) -> Element:
    return SubElement(root, f"{{{_SVG}}}{tag}", {key: str(value) for key, value in attributes.items()})
