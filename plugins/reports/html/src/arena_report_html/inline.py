"""Puts SVG from elsewhere into a page: nothing in it can run or load, and what many pictures share is there once."""

from collections import Counter
from collections.abc import Iterable
from xml.etree import ElementTree

import attrs
from arena.game import Image
from markupsafe import Markup

_SVG = "http://www.w3.org/2000/svg"
_ELEMENTS = frozenset(
    {"g", "path", "circle", "ellipse", "rect", "line", "polyline", "polygon", "text", "tspan", "title"}
)
_ATTRIBUTES = frozenset(
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
_SHARED_LENGTH = 60
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
    found = [(image, _safe(image.data)) for image in images]
    parts = Counter(part for _, root in found if root is not None for part in _parts(root))
    often = [part for part, times in parts.items() if times > 1 and len(part) >= _SHARED_LENGTH]
    names = {part: f"shape-{number}" for number, part in enumerate(often)}
    definitions = "".join(f'<g id="{name}">{part}</g>' for part, name in names.items())
    shared = f'<svg width="0" height="0" aria-hidden="true"><defs>{definitions}</defs></svg>' if names else ""
    return InlineImages(
        Markup(shared), tuple(None if root is None else _element(image, root, names) for image, root in found)
    )


def _safe(data: bytes) -> ElementTree.Element | None:
    try:
        root = ElementTree.fromstring(data)
    except ElementTree.ParseError:
        return None
    return _copied(root) if root.tag == f"{{{_SVG}}}svg" else None


def _copied(element: ElementTree.Element) -> ElementTree.Element:
    """The element without its namespace, with what is allowed of its attributes and children."""
    allowed = {name: text for name, text in element.attrib.items() if name in _ATTRIBUTES and "url" not in text.lower()}
    copy = ElementTree.Element(element.tag.rpartition("}")[2], allowed)
    copy.text = element.text
    for child in element:
        if isinstance(child.tag, str) and child.tag.removeprefix(f"{{{_SVG}}}") in _ELEMENTS:
            copy.append(_copied(child))
            copy[-1].tail = child.tail
    return copy


def _parts(root: ElementTree.Element) -> list[str]:
    """The children of a picture, each as text; its title is left out, since the picture gets one."""
    for child in root:
        child.tail = None
    return [ElementTree.tostring(child, encoding="unicode") for child in root if child.tag != "title"]


def _element(image: Image, root: ElementTree.Element, names: dict[str, str]) -> Markup:
    shape = ElementTree.Element("svg", {**root.attrib, "role": "img", "aria-label": image.alt})
    head = ElementTree.tostring(shape, encoding="unicode", short_empty_elements=False).removesuffix("</svg>")
    inside = (f'<use href="#{names[part]}"/>' if part in names else part for part in _parts(root))
    return Markup("".join((head, *inside, "</svg>")))
