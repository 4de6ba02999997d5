"""Writes the cells of heat maps in fewer characters: as steps of one size from one corner."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final
from xml.etree.ElementTree import Element

_POINT: Final = r"(-?[\d.]+) (-?[\d.]+)"
RECTANGLE: Final = re.compile(rf"M {_POINT}\s+L {_POINT}\s+L {_POINT}\s+L {_POINT}\s+(?:L {_POINT}\s+)?z\s*")
"""Matches a rectangle in a path, of which heat maps have hundreds."""

FEW: Final = 8
"""Up to so many rectangles are not worth a grid."""

_NEAR: Final = 0.02
"""How far from a line of the grid a side may lie, as a part of the step."""

Rectangle = tuple[float, float, float, float]
"""The left, upper, right and lower side."""


def to_grid(path: Element) -> bool:
    """Write a path of many rectangles whose sides lie on a grid as steps along that; False if it is none."""
    found = _rectangles(path.get("d", ""))
    if len(found) <= FEW or path.get("transform"):
        return False
    left, top = min(each[0] for each in found), min(each[1] for each in found)
    across, down = (_step([side for each in found for side in each[i::2]]) for i in (0, 1))
    steps = [_steps(each, left, top, across, down) for each in found]
    placed = [each for each in steps if each is not None]
    if len(placed) < len(steps):
        return False
    path.set("d", "".join(f"M{x} {y}H{right}V{below}H{x}z" for x, y, right, below in placed))
    path.set("transform", f"translate({left:.2f} {top:.2f})scale({across:.4f} {down:.4f})")
    path.attrib.pop("clip-path", None)  # it would be moved too, and nothing of the cells lies outside
    return True


def _rectangles(path: str) -> list[Rectangle]:
    """The upright rectangles of a path; none if there is anything else in it."""
    found: list[Rectangle] = []
    if RECTANGLE.sub("", path).strip():
        return found
    for match in RECTANGLE.finditer(path):
        x, y, right, above, far, below, back, last = map(float, match.groups()[:8])
        if (above, far, last, back) != (y, right, below, x):
            return []
        found.append((min(x, right), min(y, below), max(x, right), max(y, below)))
    return found


def _step(sides: Sequence[float]) -> float:
    """The least distance between two sides that are not the same."""
    return min((b - a for a, b in pairwise(sorted(sides)) if b - a > _NEAR), default=1.0)


def _steps(found: Rectangle, left: float, top: float, across: float, down: float) -> tuple[int, ...] | None:
    """How many steps from the corner each side lies; ``None`` if one lies between two lines."""
    exact = [
        (side - start) / step for side, start, step in zip(found, (left, top) * 2, (across, down) * 2, strict=True)
    ]
    near = [round(steps) for steps in exact]
    return tuple(near) if all(abs(a - b) < _NEAR for a, b in zip(exact, near, strict=True)) else None
