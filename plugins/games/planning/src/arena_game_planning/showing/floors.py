"""Tasks on a floor of cells whose names say where they lie: grid, sokoban, floortile and termes."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import arena_scene

Facts = frozenset[tuple[str, ...]]
Place = tuple[int, int]

FLOORS: Final = {"grid": "cell", "sokoban": "cell", "floortile": "tile", "termes": "cell"}
"""The type of the cells, by domain."""

_NAME: Final = re.compile(r"[a-z]+(\d+)[a-z-]+(\d+)")
_ROBOTS: Final = frozenset({"robot-at", "player-at"})


def floor(
    domain: str, objects: Mapping[str, Sequence[str]], facts: Facts
) -> "list[arena_scene.Grid | arena_scene.Pieces | arena_scene.Shapes]":
    """The floor with what stands on it, and what is carried; nothing where the names of its cells say no places."""
    places = _places(objects.get(FLOORS[domain], ()))
    if not places:
        return []
    size = max(r for r, _ in places.values()) + 1, max(c for _, c in places.values()) + 1
    cells = [*_specials(facts, places), *_holes(size, set(places.values()))]
    grid = arena_scene.Grid(id="floor", size=size, cells=cells, pieces=list(_things(facts, places)))
    carried = list(_carried(facts))
    return [grid, arena_scene.Pieces(id="carried", title="carried", pieces=carried)] if carried else [grid]


def place_of(name: str) -> Place | None:
    """Row and column of a cell, which its name says (``c0-1``); ``None`` where it says none."""
    found = _NAME.fullmatch(name)
    return (int(found[1]), int(found[2])) if found else None


def _places(names: Sequence[str]) -> dict[str, Place]:
    found = {name: at for name in names if (at := place_of(name)) is not None}
    return found if len(found) == len(names) else {}


def _specials(facts: Facts, places: Mapping[str, Place]) -> "Iterator[arena_scene.Cell]":
    """What cells are: locked and by which shape, painted, how high, a depot, and their names where nothing else is."""
    shapes = {own[1]: own[2] for own in facts if own[0] == "lock-shape"}
    painted = {own[1]: own[2] for own in facts if own[0] == "painted"}
    heights = {own[1]: own[2] for own in facts if own[0] == "height-of"}
    locked = {own[1] for own in facts if own[0] == "locked"}
    depots = {own[1] for own in facts if own[0] == "depot"}
    for name, at in places.items():
        if name in locked:
            shape = shapes.get(name, "")
            yield arena_scene.Cell(at=at, role="warning", mark="locked", text=shape, label=f"{name}: locked, {shape}")
        elif name in painted:
            yield arena_scene.Cell(at=at, role="accent", text=painted[name], label=f"{name}: painted {painted[name]}")
        elif name in heights or name in depots:
            what = ", ".join([*(["depot"] if name in depots else []), *([heights[name]] if name in heights else [])])
            high = name in heights and heights[name] not in ("h0", "n0")
            role = "good" if name in depots else "accent" if high else ""
            yield arena_scene.Cell(at=at, role=role, text=heights.get(name, ""), label=f"{name}: {what}")
        else:
            yield arena_scene.Cell(at=at, label=f"{name}: open" if ("open", name) in facts else name)


def _holes(size: Place, there: "set[Place]") -> "Iterator[arena_scene.Cell]":
    for r in range(size[0]):
        for c in range(size[1]):
            if (r, c) not in there:
                yield arena_scene.Cell(at=(r, c), role="faint", label="no floor")


def _things(facts: Facts, places: Mapping[str, Place]) -> "Iterator[arena_scene.Piece]":
    shapes = {own[1]: own[2] for own in facts if own[0] == "key-shape"}
    for name, *own in sorted(facts):
        if name in _ROBOTS and own[-1] in places:
            who = own[0] if len(own) == 2 else "player" if name == "player-at" else "robot"
            kind = "person" if name == "player-at" else "robot"
            yield _piece(who, kind, "player-0", places[own[-1]], f"{who} on {own[-1]}")
        elif name == "box-at":
            yield _piece(own[0], "block", "hue-brown", places[own[1]], f"{own[0]} on {own[1]}")
        elif name == "key-at":
            label = f"{own[0]} ({shapes.get(own[0], 'no shape')}) on {own[1]}"
            yield _piece(own[0], "key", "hue-yellow", places[own[1]], label)


def _piece(name: str, shape: str, role: str, at: Place, label: str) -> "arena_scene.Piece":
    return arena_scene.Piece(id=f"the-{name}", at=at, shape=shape, role=role, label=label, text=name[:1])


def _carried(facts: Facts) -> "Iterator[arena_scene.Piece]":
    for name, *own in sorted(facts):
        if name == "holding":
            yield arena_scene.Piece(id=f"the-{own[0]}", shape="key", role="hue-yellow", label=f"{own[0]}, in the hand")
        elif name == "holds":
            yield arena_scene.Piece(shape="ball", role="neutral", label=f"{own[0]} holds {own[1]}", text=own[1])
        elif name == "carries-block":
            yield arena_scene.Piece(shape="block", role="hue-brown", label="the robot carries a block")
