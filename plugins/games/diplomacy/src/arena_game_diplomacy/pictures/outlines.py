"""The outlines of the provinces, as data: where their edges are, and where units, centres and labels stand."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import attrs

Point = tuple[float, float]
Ring = tuple[Point, ...]


@attrs.frozen
class Outline:
    """The drawing of one province, in the pixels of its board, from the upper left corner.

    ``ring`` is its edge; provinces that touch share points of it. ``unit`` and ``label`` are the middles of a unit's
    symbol and of its name, ``centre`` that of the mark of a supply centre (``None`` for other provinces), and
    ``coasts`` those of fleets on each coast, where the province has two.
    """

    ring: Ring
    unit: Point
    label: Point
    centre: Point | None
    coasts: Mapping[str, Point]


@attrs.frozen(eq=False)
class BoardOutlines:
    """The drawing of a board: ``width`` times ``height`` pixels, provinces by name, and what is only scenery.

    ``impassable`` are lands and islands that belong to no province; they and the ``lakes`` lie on top of the provinces.
    """

    width: int
    height: int
    provinces: Mapping[str, Outline]
    impassable: tuple[Ring, ...]
    lakes: tuple[Ring, ...]

    def unit_at(self, place: str) -> Point:
        """Where a unit stands in a place, which is a province or one coast of it (``"STP/NC"``)."""
        name, _, coast = place.partition("/")
        outline = self.provinces[name]
        return outline.coasts.get(coast, outline.unit)


@cache
def standard_outlines() -> BoardOutlines:
    """The drawing of the standard map, from ``outlines.json`` of this package."""
    data = json.loads((files("arena_game_diplomacy") / "outlines.json").read_text(encoding="utf-8"))
    return BoardOutlines(
        width=data["width"],
        height=data["height"],
        provinces={name: _outline(facts) for name, facts in data["provinces"].items()},
        impassable=tuple(map(_ring, data["impassable"])),
        lakes=tuple(map(_ring, data["lakes"])),
    )


def _outline(facts: Mapping[str, Any]) -> Outline:
    return Outline(
        ring=_ring(facts["ring"]),
        unit=_point(facts["unit"]),
        label=_point(facts["label"]),
        centre=_point(facts["centre"]) if "centre" in facts else None,
        coasts={coast: _point(point) for coast, point in facts.get("coasts", {}).items()},
    )


def _ring(points: list[list[float]]) -> Ring:
    return tuple(map(_point, points))


def _point(point: list[float]) -> Point:
    return point[0], point[1]
