"""The few shapes of which a picture is made, whatever it is written as."""

from functools import lru_cache
from typing import Literal, TypeAlias

import attrs

from arena_game_diplomacy.pictures.outlines import Point


@attrs.frozen
class Polygon:
    """A closed area; ``fill`` and ``stroke`` are colours such as ``"#0072b2"``, ``width`` is that of its edge."""

    points: tuple[Point, ...]
    fill: str
    stroke: str = ""
    width: float = 1.0


@attrs.frozen
class Stroke:
    """A line through points.

    ``dash`` is the length of each stretch and of each gap; a stretch of 0 makes round dots. ``hint`` is a text that a
    reader sees who points at the line.
    """

    points: tuple[Point, ...]
    colour: str
    width: float = 1.0
    dash: tuple[float, float] | None = None
    hint: str = ""


@attrs.frozen
class Disc:
    """A circle around ``middle``, or only its edge where ``fill`` is empty."""

    middle: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 1.0


@attrs.frozen
class Label:
    """A text of one line whose middle, or for ``"start"`` whose left end, is at ``at``."""

    at: Point
    text: str
    size: float
    colour: str
    anchor: Literal["middle", "start"] = "middle"
    is_bold: bool = False


Shape: TypeAlias = Polygon | Stroke | Disc | Label


@attrs.frozen
class Drawing:
    """Shapes on a canvas of ``width`` times ``height`` pixels, those below first; ``title`` says what they show."""

    width: int
    height: int
    title: str
    shapes: tuple[Shape, ...]


@lru_cache(maxsize=256)
def mixed(colour: str, other: str, share: float) -> str:
    """A colour between two, such as ``"#0072b2"``: ``share`` of the first (0 to 1), the rest of the other."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a * share + b * (1 - share)) for a, b in pairs).hex()
