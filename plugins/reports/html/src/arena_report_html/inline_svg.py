"""Puts SVG from elsewhere into a page: nothing in it can run or load, and what many pictures share is there once."""

import itertools
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final
from xml.etree import ElementTree

import attrs
from arena.game import Image
from markupsafe import Markup, escape

_SVG: Final = "{http://www.w3.org/2000/svg}"
_SHAPES: Final = ("circle", "ellipse", "g", "line", "path", "polygon", "polyline", "rect", "text", "title", "tspan")
_ELEMENTS: Final = frozenset(f"{_SVG}{name}" for name in _SHAPES)
_TITLE: Final = f"{_SVG}title"
_ATTRIBUTES: Final = frozenset(
    {"cx", "cy", "d", "dominant-baseline", "fill", "fill-opacity", "font-family", "font-size", "font-weight", "height"}
    | {"opacity", "points", "r", "rx", "ry", "stroke", "stroke-dasharray", "stroke-linecap", "stroke-linejoin"}
    | {
        "stroke-opacity",
        "stroke-width",
        "text-anchor",
        "transform",
        "viewBox",
        "width",
        "x",
        "x1",
        "x2",
        "y",
        "y1",
        "y2",
    }
)
_SHARED_LENGTH: Final = 60
"""Elements that are shorter are written again, since a reference to them is not much shorter."""


@attrs.frozen
class InlineImages:
    """Pictures as elements of one page, in the order they were given.

    ``shared`` has to stand in the page before them. In place of what cannot be read as SVG there is ``None``.
    """

    shared: Markup
    images: tuple[Markup | None, ...]


def inline(images: Iterable[Image]) -> InlineImages:
    """Keep of each SVG the shapes, texts and colours; leave out scripts, styles, links and whatever else there is."""
    found = [_safe(image) for image in images]
    times = Counter(part for image in found if image is not None for part in image.parts)
    often = [part for part, count in times.items() if count > 1 and len(part) >= _SHARED_LENGTH]
    names = {part: f"shape-{number}" for number, part in enumerate(often)}
    definitions = "".join(f'<g id="{name}">{part}</g>' for part, name in names.items())
    shared = f'<svg width="0" height="0" aria-hidden="true"><defs>{definitions}</defs></svg>' if names else ""
    return InlineImages(Markup(shared), tuple(None if image is None else _element(image, names) for image in found))


@attrs.frozen
class _SafeImage:
    head: str
    parts: tuple[str, ...]


def _safe(image: Image) -> _SafeImage | None:
    """The start of a picture and the texts of its children; its title is left out, since it gets a label instead."""
    try:
        root = ElementTree.fromstring(image.data)
    except ElementTree.ParseError:
        return None
    if root.tag != f"{_SVG}svg":
        return None
    head = f'<svg{_attributes(root)} role="img" aria-label="{escape(image.alt)}">'
    return _SafeImage(head, tuple(_text(child) for child in root if child.tag in _ELEMENTS and child.tag != _TITLE))


def _text(element: ElementTree.Element) -> str:
    """The element without its namespace, with what is allowed of its attributes and children."""
    name = element.tag.rpartition("}")[2]
    inside = "".join(f"{_text(child)}{escape(child.tail or '')}" for child in element if child.tag in _ELEMENTS)
    content = f"{escape(element.text or '')}{inside}"
    return f"<{name}{_attributes(element)}>{content}</{name}>" if content else f"<{name}{_attributes(element)}/>"


def _attributes(element: ElementTree.Element) -> str:
    return "".join(itertools.starmap(_attribute, element.attrib.items()))


@lru_cache(maxsize=10_000)
def _attribute(name: str, text: str) -> str:
    is_allowed = name in _ATTRIBUTES and "url" not in text.lower()
    return f' {name}="{escape(text)}"' if is_allowed else ""


def _element(image: _SafeImage, names: dict[str, str]) -> Markup:
    inside = (f'<use href="#{names[part]}"/>' if part in names else part for part in image.parts)
    return Markup("".join((image.head, *inside, "</svg>")))
