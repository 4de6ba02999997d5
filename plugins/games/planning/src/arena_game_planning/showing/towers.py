"""Blocks on a table as towers, and the one that is held above them."""

from collections.abc import Mapping
from typing import Any

import arena_scene

Facts = frozenset[tuple[str, ...]]


def towers(facts: Facts) -> "list[arena_scene.Grid | arena_scene.Pieces | arena_scene.Shapes]":
    """The towers from left to right by the block that stands on the table."""
    above = {own[2]: own[1] for own in facts if own[0] == "on"}
    columns: list[list[str]] = []
    for base in sorted((own[1] for own in facts if own[0] == "on-table"), key=_order):
        column = [base]
        while (upper := above.get(column[-1])) is not None and upper not in column:
            column.append(upper)
        columns.append(column)
    held = sorted(own[1] for own in facts if own[0] == "holding")
    highest = max((len(column) for column in columns), default=1)
    width, height = max(len(columns), 1) + 0.2, highest + (1.6 if held else 0.4)
    shapes = [
        shape
        for c, column in enumerate(columns)
        for r, block in enumerate(column)
        for shape in _block(block, c, r, height)
    ]
    shapes += [shape for block in held for shape in _block(block, 0, height - 1.4, height)]
    line = {"kind": "line", "from": [0, height - 0.1], "to": [width, height - 0.1], "role": "neutral"}
    told = "; ".join(" on ".join(reversed(column)) + " on the table" for column in columns)
    label = "; ".join([*([told] if told else []), *(f"{block} is held" for block in held)])
    return [arena_scene.Shapes(id="towers", size=(width, height), shapes=[line, *shapes], label=label or "no blocks")]


def _block(name: str, column: int, row: float, height: float) -> "tuple[Mapping[str, Any], Mapping[str, Any]]":
    x, y = column + 0.15, height - 0.1 - (row + 1) * 0.98
    label = f"block {name}"
    return (
        {"kind": "rect", "at": [x, y], "size": [0.9, 0.94], "role": "accent", "id": f"block-{name}", "label": label},
        {"kind": "text", "at": [x + 0.45, y + 0.47], "text": name, "size": 0.34, "role": "accent"},
    )


def _order(name: str) -> tuple[int, str]:
    return len(name), name
