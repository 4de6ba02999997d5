"""What differs between two scenes of one match: where somebody has played, and which elements are others."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from arena_scene.checking import every_part

Place: TypeAlias = tuple[int, int]


def parts_by_name(data: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parts of a sound scene, by their ids, or by their places where they have none."""
    return {part.get("id", place): part for place, part in every_part(data["parts"])}


def played_cells(before: Mapping[str, Any] | None, part: Mapping[str, Any], own: int | None) -> frozenset[Place]:
    """The cells of a grid to which a piece has come since, and those that such a piece has left.

    Pieces of player ``own`` do not count: it knows what it has played itself.
    """
    if before is None or before.get("size") != part.get("size"):
        return frozenset()
    old, new = (_looks(grid.get("pieces", ())) for grid in (before, part))
    mine = None if own is None else f"player-{own}"
    came = {look for look in new - old if look[1] != mine}
    roles = {look[1] for look in came}
    taken = {look[0] for look in new}
    left = {look[0] for look in old - new if look[1] in roles and look[0] not in taken}
    return frozenset({look[0] for look in came} | left)


def changed_elements(before: Mapping[str, Any] | None, part: Mapping[str, Any]) -> frozenset[str]:
    """The ids of the elements of a part that are others than before; none where there was no such part.

    An empty cell of a table that is new shows nothing and does not count.
    """
    if before is None:
        return frozenset()
    old, new = dict(_elements(before)), dict(_elements(part))
    shown = {name: element for name, element in new.items() if name in old or element.get("text") != ""}
    return frozenset(name for name, element in shown.items() if old.get(name) != element)


def _looks(pieces: Sequence[Mapping[str, Any]]) -> set[tuple[Place, str, str, str]]:
    return {(tuple(p["at"]), p["role"], p["shape"], p.get("text", "")) for p in pieces}


def _elements(part: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for card in part.get("cards", ()):
        yield card["id"], card
    for row in part.get("rows", ()):
        for cell in row["cells"]:
            if isinstance(cell, Mapping):
                yield str(cell["id"]), cell  # pyright: ignore[reportUnknownArgumentType]
    for meter in part.get("meters", ()):
        yield meter["id"], meter
