"""What a position looks like: the board with its pieces, and a twin in the twin's own words."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from string import ascii_lowercase
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_grid.board import members
from arena_game_grid.forms import words
from arena_game_grid.reskin import Reskin
from arena_game_grid.variant import Variant

BOARD: Final = "board"
"""The id of the board."""

SHAPES: Final = {"X": "cross", "O": "ring", "R": "disc", "Y": "disc", "B": "stone", "W": "stone"}
"""The shapes of the usual symbols; others are shown as they are."""


def board_scene(view: Any, game: Variant) -> Drawing:
    """The board: columns with letters, or with their numbers where discs fall; rows from the top."""
    rows: Sequence[Sequence[str]] = view["board"]
    has_stones = {SHAPES.get(symbol) for symbol in game.symbols} == {"stone"}
    board = arena_scene.Grid(
        id=BOARD,
        size=(game.rows, game.columns),
        shape="points" if has_stones and not game.gravity else None,
        enter="top" if game.gravity else None,
        row_labels=map(str, range(1, game.rows + 1)),
        column_labels=map(str if game.gravity else column_letter, range(1, game.columns + 1)),
        pieces=[
            arena_scene.Piece(
                at=(r, c),
                role=f"player-{game.symbols.index(symbol)}",
                shape=SHAPES.get(symbol, "text"),
                text=symbol,
                label=f"{symbol} in row {r + 1}, column {c + 1}",
            )
            for r, row in enumerate(rows)
            for c, symbol in enumerate(row)
            if symbol
        ],
        note=f"The game is over: {view['outcome']}." if view["outcome"] else "",
        **_lines(view, game),
    )
    return Drawing(*arena_scene.Scene(game.title, words(view), board).drawn())


def column_letter(number: int) -> str:
    """The name of a column, counted from 1: ``a`` to ``z``, then ``aa``."""
    above, below = divmod(number - 1, len(ascii_lowercase))
    return (column_letter(above) if above else "") + ascii_lowercase[below]


def path(game: Variant, action: Any) -> tuple[str, ...]:
    """The cell of an action on the board, or its column where discs fall."""
    column = action["column"] - 1
    return (f"{BOARD}/column:{column}" if game.gravity else f"{BOARD}:{action['row'] - 1},{column}",)


def _lines(view: Any, game: Variant) -> dict[str, Any]:
    """The lines that have ended the game, and the cells of those that go around an edge."""
    if not view["outcome"]:
        return {}
    found = set(_ended_by(view, game))
    places = [[divmod(cell, game.columns) for cell in members(line)] for line in sorted(found)]
    strokes = [
        arena_scene.Stroke(id=f"line-{n}", from_=cells[0], to=cells[-1], role="accent")
        for n, cells in enumerate(places)
        if _is_straight(cells)
    ]
    bent = {cell for cells in places if not _is_straight(cells) for cell in cells}
    return {"lines": strokes, "cells": [arena_scene.Cell(at=cell, mark="line") for cell in sorted(bent)]}


def _ended_by(view: Any, game: Variant) -> Iterator[int]:
    """The bit set of each line that counts and belongs to one player."""
    for symbol in game.symbols:
        flat = [cell == symbol for row in view["board"] for cell in row]
        own = sum(1 << cell for cell, is_own in enumerate(flat) if is_own)
        yield from (line for lines in game.board.lines for line, beyond in lines if own & (line | beyond) == line)


def _is_straight(cells: Sequence[tuple[int, int]]) -> bool:
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)}
    return len(steps) == 1 and max(map(abs, next(iter(steps)))) == 1


def twin_scene(view: Any, reskin: Reskin) -> Drawing:
    """What each player has and what is left, under the twin's names; nothing of the original's board."""
    taken = {place_id(place) for has in view["has"].values() for place in has}
    left = [reskin.places[cell] for cell in reskin.sorted(range(len(reskin.places)))]
    hands = [
        arena_scene.Cards(id=f"has-{n}", title=f"{seat} {reskin.verb}", owner=n, cards=list(_cards(has, f"of {seat}")))
        for n, (seat, has) in enumerate(view["has"].items())
    ]
    free = list(_cards((place for place in left if place_id(place) not in taken), "left"))
    note = f"The game is over: {view['outcome']}." if view["outcome"] else ""
    parts = [arena_scene.Sides(parts=hands), arena_scene.Cards(id="left", title="left", cards=free, note=note)]
    return Drawing(*arena_scene.Scene(reskin.title, reskin.text(view), *parts).drawn())


def _cards(places: Iterable[Any], whose: str) -> "Iterator[arena_scene.SceneCard]":
    return (arena_scene.SceneCard(id=place_id(place), text=str(place), label=f"{place}, {whose}") for place in places)


def place_id(place: Any) -> str:
    """The id of a place of a twin: its name without spaces."""
    return f"place-{str(place).replace(' ', '-')}"
