"""Draws figures as inline SVG, with matplotlib but without its global state."""

import io
import re
import warnings
from collections.abc import Sequence
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
from arena.tables import Figure
from matplotlib.figure import Figure as Canvas

from arena_report_html import charts
from arena_report_html.grid import RECTANGLE, to_grid
from arena_report_html.look import PAGE, Look
from arena_report_html.palette import with_colours_of_page

_LETTERS = 17
"""How many letters of a note stand on an inch."""

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_FONT = re.compile(r"font-family: [^;]*;?\s*")  # the page's own font is as wide or narrower
_PLACES = ("d", "x", "y", "transform")
"""The attributes that say where something is."""

_LONG = re.compile(r"-?\d+\.\d{2,}")
"""Matches a number with more decimals than anybody can see."""

_AROUND = re.compile(r"\s*([A-Za-z])\s*")
"""Matches the letter of a step of a path with the spaces around it, which say nothing."""

_UPRIGHT = re.compile(r"\s*rotate\(-?0 [^)]*\)")
"""Matches a turn by nothing."""

ElementTree.register_namespace("", _SVG)
ElementTree.register_namespace("xlink", _XLINK)


def draw(figure: Figure, name: str) -> str:
    """The figure as an SVG element, as ``drawing.draw`` gives it; raises ``ValueError`` for an unknown kind."""
    with mpl.rc_context(settings(name)):
        canvas = canvas_of(figure, PAGE)
        written = io.StringIO()
        with warnings.catch_warnings():
            # Text stays text, so a glyph that is missing here is drawn by the reader's fonts.
            warnings.filterwarnings("ignore", r"Glyph .* missing", UserWarning)
            canvas.savefig(written, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return _inlined(written.getvalue(), figure, name)


def settings(name: str, look: Look = PAGE) -> dict[Any, Any]:
    """The matplotlib settings for making and writing a figure; ``name`` makes ids reproducible."""
    return {
        "svg.hashsalt": name,
        "svg.fonttype": "none",
        "text.parse_math": False,
        "axes.unicode_minus": False,
        "font.family": "sans-serif",
        "font.size": 10,
        **look.settings(),
    }


def canvas_of(figure: Figure, look: Look) -> Canvas:
    """The figure, plotted on a canvas within these ``settings``; raises ``ValueError`` for an unknown kind."""
    canvas = Canvas(figsize=charts.size(figure), layout="constrained")
    charts.plot(figure, canvas, look)
    return canvas


def write_notes(canvas: Canvas, notes: Sequence[str]) -> dict[str, Any]:
    """Write what must be said about a figure below it; returns the options with which a file has room for that."""
    if not notes:
        return {}
    width = max(40, int(canvas.get_size_inches()[0] * _LETTERS))
    lines = [line for note in notes for line in wrap(note, width)]
    canvas.text(0.01, -0.01, "\n".join(lines), fontsize=8, ha="left", va="top", linespacing=1.3)
    return {"bbox_inches": "tight", "pad_inches": 0.1}


def _inlined(text: str, figure: Figure, name: str) -> str:
    """The SVG as part of a page: its ids and styles affect nothing else, and it has a text alternative."""
    root = ElementTree.fromstring(text)
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag in (f"{{{_SVG}}}metadata", f"{{{_SVG}}}style"):
                parent.remove(child)
    used = set(re.findall(r"#([\w.-]+)", text))
    for element in root.iter():
        if element.get("id") not in used:
            element.attrib.pop("id", None)
        if element.tag != f"{{{_SVG}}}text":
            element.text = (element.text or "").strip() or None
        element.tail = (element.tail or "").strip() or None
        is_grid = element.tag == f"{{{_SVG}}}path" and to_grid(element)
        for key, value in list(element.attrib.items()):
            if key == "id":
                element.set(key, f"{name}-{value}")
            elif key == f"{{{_XLINK}}}href" and value.startswith("#"):
                element.set(key, f"#{name}-{value[1:]}")
            else:
                value = _FONT.sub("", value) if key == "style" else value
                value = RECTANGLE.sub(_short, value) if key == "d" else value
                value = _AROUND.sub(r"\1", value) if key == "d" else value
                value = _LONG.sub(_rounded, value) if key in _PLACES and not is_grid else value
                value = _UPRIGHT.sub("", value) if key == "transform" else value
                element.set(key, with_colours_of_page(value.replace("url(#", f"url(#{name}-")))
        if not element.get("transform", "-"):
            del element.attrib["transform"]
    _drop_empty(root)
    for size in ("width", "height"):
        root.attrib.pop(size, None)
    root.set("role", "img")
    root.set("aria-labelledby", f"{name}-title")
    title = ElementTree.Element(f"{{{_SVG}}}title", {"id": f"{name}-title"})
    title.text = f"{figure.title}. The numbers are in the table below the figure."
    root.insert(0, title)
    return ElementTree.tostring(root, encoding="unicode")


def _drop_empty(root: ElementTree.Element) -> None:
    """Remove groups in which nothing is drawn."""
    for parent in list(root.iter()):
        for child in list(parent):
            if child.tag == f"{{{_SVG}}}g" and not len(child) and not child.get("id"):
                parent.remove(child)


def _rounded(found: re.Match[str]) -> str:
    return f"{float(found[0]):.1f}".removesuffix(".0")


def _short(found: re.Match[str]) -> str:
    """The same rectangle in fewer characters, if its sides are upright."""
    x, y, right, above, far, below, back, last = (
        f"{float(number):.1f}".removesuffix(".0") for number in found.groups()[:8]
    )
    if (above, far, last, back) != (y, right, below, x):
        return found[0]
    return f"M{x} {y}H{right}V{below}H{x}z"
