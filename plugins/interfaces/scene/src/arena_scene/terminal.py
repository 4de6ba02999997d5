"""Draws a scene in a terminal: boards, cards, chips, tables and messages, as text in as many columns as there are."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from arena_scene.changes import parts_by_name
from arena_scene.checking import every_part, scene_faults
from arena_scene.grids import grid_block
from arena_scene.mending import mended
from arena_scene.panels import (
    beside,
    cards_block,
    messages_block,
    meters_block,
    pieces_block,
    table_block,
    text_block,
)
from arena_scene.spans import Span, SpanLine, broken, line_width, painted, visible, width_of
from arena_scene.views import Block, SceneDrawing, View, heading

NARROWEST: Final = 12
"""In fewer columns nothing is drawn: a scene is told in words."""

_GAP: Final = 4
"""How many columns lie between parts that stand beside each other."""


def lines(
    drawing: SceneDrawing,
    width: int,
    has_colour: bool,
    is_unicode: bool,
    *,
    before: SceneDrawing | None = None,
    chosen: Iterable[str] = (),
    own: int | None = None,
    players: Sequence[str] = (),
) -> list[str]:
    """Draw a scene as the lines of a terminal, none of them wider than ``width`` columns.

    ``before`` is an earlier scene of the same match: what has been played since is marked, but for the pieces of player
    ``own``. ``chosen`` are the ids of elements that stand out, ``players`` the names for the legend of a board. A part
    that cannot be drawn, or is too wide, is told by its label; where it has none, ``drawing.alt`` stands for the whole
    scene. A scene with faults is drawn without them, and the last line says the first one.
    """
    width = max(width, 2)
    scene = mended(drawing.data)
    if width < NARROWEST or scene is None:
        return painted(_words(drawing.alt, width), has_colour=has_colour, is_unicode=is_unicode)
    earlier = {} if before is None or scene_faults(before.data) else parts_by_name(before.data)
    view = View(width=width, is_unicode=is_unicode, chosen=frozenset(chosen), before=earlier, own=own, players=players)
    block = _stacked(scene["parts"], "scene.parts", view)
    if block is None:
        block = _words(drawing.alt, width)
    return painted(block, has_colour=has_colour, is_unicode=is_unicode)


def is_drawable(drawing: SceneDrawing, width: int) -> bool:
    """Whether a scene is sound and all of it can be drawn in so many columns, so that no part of it is put in words."""
    if width < NARROWEST or scene_faults(drawing.data):
        return False
    view = View(width=width, is_unicode=True)
    return all(
        part["part"] == "sides" or _drawn(part, None, view) is not None for _, part in every_part(drawing.data["parts"])
    )


def _words(text: str, width: int) -> Block:
    """A text form, whose lines may be a board: broken only where they are too wide."""
    return [[Span(line)] for own in text.splitlines() for line in _kept(own, width)]


def _kept(line: str, width: int) -> list[str]:
    return [visible(line)] if width_of(visible(line)) <= width else broken(line, width)


def _stacked(parts: Sequence[Mapping[str, Any]], place: str, view: View) -> Block | None:
    """Parts below each other; ``None`` if one of them can be told only by the words for the whole scene."""
    found: Block = []
    for index, part in enumerate(parts):
        block = _part(part, f"{place}[{index}]", view)
        if block is None:
            return None
        found += [[], *block] if found and block else block
    return found


def _part(part: Mapping[str, Any], place: str, view: View) -> Block | None:
    head = [line for own in heading(part) for line in _fitting(own, view.width)]
    if part["part"] == "sides":
        inner = _beside(part["parts"], f"{place}.parts", view)
    else:
        inner = _drawn(part, view.before.get(part.get("id", place)), view)
    if inner is None and part.get("label"):
        inner = [[Span(line)] for line in broken(part["label"], view.width)]
    return None if inner is None else [*head, *inner]


def _fitting(line: SpanLine, width: int) -> Block:
    if line_width(line) <= width:
        return [line]
    return [[Span(text, span.style)] for span in line for text in broken(span.text.strip(), width)]


def _beside(parts: Sequence[Mapping[str, Any]], place: str, view: View) -> Block | None:
    """Parts beside each other where they fit, and else below each other."""
    blocks = [_part(part, f"{place}[{index}]", view) for index, part in enumerate(parts)]
    if any(block is None for block in blocks):
        return None
    drawn = [block for block in blocks if block]
    return beside(drawn, view.width, _GAP, between=[[]]) or _stacked(parts, place, view)


def _drawn(part: Mapping[str, Any], before: Mapping[str, Any] | None, view: View) -> Block | None:
    """One part that holds no others; ``None`` if a terminal cannot draw it."""
    match part["part"]:
        case "grid":
            return grid_block(part, before, view)
        case "cards":
            return cards_block(part, before, view)
        case "pieces":
            return pieces_block(part, view)
        case "table":
            return table_block(part, before, view)
        case "meters":
            return meters_block(part, view)
        case "messages":
            return messages_block(part, view)
        case "text":
            return text_block(part, view)
        case _:
            return None
