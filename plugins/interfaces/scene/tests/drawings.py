"""Scenes for the tests, and what a terminal shows of them."""

from types import SimpleNamespace
from typing import Any

from arena_scene import Grid, Piece, Scene, lines

ALTERNATIVE = "the whole position in words"


def drawing(*parts: Any, title: str = "A game", alternative: str = ALTERNATIVE) -> Any:
    """A drawing of these parts, with the fields of ``arena.game.Drawing``."""
    data, alt = Scene(title, alternative, *parts).drawn()
    return SimpleNamespace(data=data, alt=alt)


def piece(row: int, column: int, player: int = 0, shape: str = "disc", **more: Any) -> Piece:
    """A piece of a player on a cell."""
    return Piece(at=(row, column), role=f"player-{player}", shape=shape, label=f"{shape} {row} {column}", **more)


def four(*pieces: Piece) -> Any:
    """Connect four with these discs."""
    board = Grid(id="board", size=(6, 7), enter="top", row_labels="654321", column_labels="ABCDEFG", pieces=pieces)
    return drawing(board)


def shown(scene: Any, width: int = 80, *, has_colour: bool = False, is_unicode: bool = True, **more: Any) -> str:
    """What a terminal shows, below an empty line."""
    return "\n".join(["", *lines(scene, width, has_colour, is_unicode, **more)])
