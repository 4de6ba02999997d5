"""Boards as text: grids with coordinates, and lists of pieces and their places."""

from collections.abc import Mapping, Sequence
from string import ascii_uppercase
from typing import Any

from arena.game import Entities, EntityStatus

LETTERS = ascii_uppercase


def grid(rows: Sequence[Sequence[str]], row_names: Sequence[str], column_names: Sequence[str], empty: str = ".") -> str:
    """Draw ``rows`` with their names on the left and the names of the columns below."""
    width = max(map(len, row_names))
    lines = [
        f"{name:>{width}}  {' '.join(cell or empty for cell in row)}" for name, row in zip(row_names, rows, strict=True)
    ]
    return "\n".join([*lines, f"{'':>{width}}  {' '.join(column_names)}"])


def cells(rows: Sequence[Sequence[str]]) -> dict[str, list[tuple[int, int]]]:
    """The places of each piece as pairs of row and column, in reading order."""
    found: dict[str, list[tuple[int, int]]] = {}
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if cell:
                found.setdefault(cell, []).append((r, c))
    return found


def squares(
    rows: Sequence[Sequence[str]], row_names: Sequence[str], column_names: Sequence[str], kind: str = "cell"
) -> Entities:
    """The names of a board's places by letter and number, such as ``b3``; a place is free if it is empty."""
    known: dict[str, EntityStatus] = {
        f"{column} {row}".lower(): "taken" if cell else "free"
        for row, line in zip(row_names, rows, strict=True)
        for column, cell in zip(column_names, line, strict=True)
    }
    # "I" and "a" are words, but not with a number at the end.
    return Entities(kind=kind, pattern=r"([a-z])(\d{1,2})", status=known)


def status_line(view: Mapping[str, Any]) -> str:
    """The player's own seat and whose turn it is, or the outcome."""
    you = f"You are {view['you']}. " if view["you"] else ""
    if view["outcome"]:
        return f"{you}The game is over: {view['outcome']}."
    if view["to_move"] is None:
        return f"{you}Everybody moves at the same time.".strip()
    return f"{you}{'It is your turn' if view['to_move'] == view['you'] else view['to_move'] + ' is to move'}."


def parsed(text: str, pieces: Mapping[str, str]) -> list[list[str]]:
    """Parse an engine's drawing into rows, replacing each character by its piece; other characters are empty cells."""
    return [[pieces.get(cell, "") for cell in line] for line in text.split("\n") if line]
