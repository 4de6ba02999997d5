"""Writes a picture as SVG: one element without scripts, styles or anything from elsewhere."""

import re
from functools import lru_cache
from itertools import pairwise
from xml.sax.saxutils import escape, quoteattr

from arena_game_diplomacy.pictures.outlines import Point
from arena_game_diplomacy.pictures.shapes import Disc, Drawing, Label, Polygon, Shape, Stroke

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_FONT = "Helvetica, Arial, sans-serif"


def svg(drawing: Drawing) -> str:
    """The picture as SVG; equal pictures give equal texts."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {drawing.width} {drawing.height}" role="img" '
        f'width="{drawing.width}" height="{drawing.height}" font-family="{_FONT}" stroke-linejoin="round" '
        f'stroke-linecap="round">'
    )
    lines = [head, f"<title>{_text(drawing.title)}</title>", *map(_element, drawing.shapes), "</svg>", ""]
    return "\n".join(lines)


def _text(text: str) -> str:
    """The text for an element: escaped, and without the characters that XML cannot hold."""
    return escape(_FORBIDDEN.sub("\ufffd", text))


@lru_cache(maxsize=8192)
def _element(shape: Shape) -> str:
    """A shape as an element; most of a board looks like the board before."""
    match shape:
        case Polygon():
            return f'<path d="{_path(shape.points)}z"{_paint(shape.fill, shape.stroke, shape.width)}/>'
        case Disc():
            x, y = map(_number, shape.middle)
            paint = _paint(shape.fill, shape.stroke, shape.width)
            return f'<circle cx="{x}" cy="{y}" r="{_number(shape.radius)}"{paint}/>'
        case Stroke():
            dash = f' stroke-dasharray="{_number(shape.dash[0])} {_number(shape.dash[1])}"' if shape.dash else ""
            start = f'<path d="{_path(shape.points)}"{_paint("", shape.colour, shape.width)}{dash}'
            return f"{start}><title>{_text(shape.hint)}</title></path>" if shape.hint else f"{start}/>"
        case Label():
            return _label(shape)


def _label(label: Label) -> str:
    x, y = _number(label.at[0]), _number(label.at[1] + label.size * 0.35)
    anchor = ' text-anchor="middle"' if label.anchor == "middle" else ""
    bold = ' font-weight="bold"' if label.is_bold else ""
    size, colour = _number(label.size), quoteattr(label.colour)
    return f'<text x="{x}" y="{y}" font-size="{size}" fill={colour}{anchor}{bold}>{_text(label.text)}</text>'


def _paint(fill: str, stroke: str, width: float) -> str:
    edge = f' stroke={quoteattr(stroke)} stroke-width="{_number(width)}"' if stroke else ""
    return f" fill={quoteattr(fill or 'none')}{edge}"


def _path(points: tuple[Point, ...]) -> str:
    """The path through points, each as its distance from the one before, in whole tenths so that no error adds up."""
    tenths = [(round(x * 10), round(y * 10)) for x, y in points]
    steps = [
        f"{_number((x - before_x) / 10)},{_number((y - before_y) / 10)}"
        for (before_x, before_y), (x, y) in pairwise(tenths)
    ]
    return f"M{_number(points[0][0])},{_number(points[0][1])}l{' '.join(steps)}"


def _number(value: float) -> str:
    """At most one digit after the point."""
    return f"{round(value, 1):g}" if abs(value) < 100_000 else str(round(value))
