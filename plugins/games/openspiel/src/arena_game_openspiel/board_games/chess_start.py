"""Looks whether chess can begin in a position in Forsyth-Edwards notation, before OpenSpiel is given it.

OpenSpiel takes positions that no game can reach, and prints on standard error about texts that are none.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from arena_game_openspiel.engine.spiel import load

KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
OBLIQUE = ((1, 1), (1, -1), (-1, -1), (-1, 1))
HOME = {"K": ("e1", "h1"), "Q": ("e1", "a1"), "k": ("e8", "h8"), "q": ("e8", "a8")}
"""The squares on which king and rook stand, by the letter that says that they may castle."""

_FIELDS = re.compile(
    r"([KQRBNPkqrbnp1-8/]{15,71}) ([wb]) (-|(?=[KQkq])K?Q?k?q?) (-|[a-h][36]) (\d{1,3}) ([1-9]\d{0,3})"
)


def fitting(instance: Any, attribute: Any, fen: str) -> None:
    """Raise ``ValueError`` unless ``fen`` is empty or a position in which a game of chess can begin."""
    if fen and (fault := _fault(fen)):
        raise ValueError(f"fen: {fault}, in {fen[:100]!r}")


def men_of(board: str) -> dict[str, str]:
    """The men by square, from the first field of a position."""
    rows = [re.sub(r"\d", lambda found: " " * int(found[0]), row) for row in board.split("/")]
    squares = ((f"{file}{8 - r}", man) for r, row in enumerate(rows) for file, man in zip("abcdefgh", row, strict=True))
    return {square: man for square, man in squares if man != " "}


def _fault(fen: str) -> str:
    fields = _FIELDS.fullmatch(fen)
    if fields is None:
        return "expected six fields: board, side to move, castling, en passant, two counts"
    board, side, castling, passing = fields.group(1, 2, 3, 4)
    rows = board.split("/")
    if len(rows) != 8 or any(sum(int(c) if c.isdigit() else 1 for c in row) != 8 for row in rows):
        return "expected eight ranks of eight squares"
    men = men_of(board)
    if sorted(man for man in men.values() if man in "Kk") != ["K", "k"]:
        return "expected one king of each side"
    if any(man in "Pp" and square[1] in "18" for square, man in men.items()):
        return "a pawn stands on a last rank"
    for right in castling.strip("-"):
        if [men.get(square) for square in HOME[right]] != (["K", "R"] if right.isupper() else ["k", "r"]):
            return f"king or rook is not at home, so that {right!r} cannot castle"
    if passing != "-" and not _has_just_passed(men, side, passing):
        return f"no pawn has just passed {passing!r}"
    if _is_attacked(men, "k" if side == "w" else "K"):
        return "the side that has just moved is in check"
    if int(fields[5]) > 100 or load("chess").new_initial_state(fen).is_terminal():
        return "the game is over in this position"
    return ""


def _has_just_passed(men: Mapping[str, str], side: str, passing: str) -> bool:
    file, rank = passing
    before, after = ("7", "5") if side == "w" else ("2", "4")
    pawn = "p" if side == "w" else "P"
    is_right = rank == ("6" if side == "w" else "3")
    return is_right and men.get(file + after) == pawn and not {passing, file + before} & men.keys()


def _is_attacked(men: Mapping[str, str], king: str) -> bool:
    """Whether a man of the other side attacks a king."""
    at = next(square for square, man in men.items() if man == king)
    other = str.upper if king == "k" else str.lower
    towards = -1 if king == "k" else 1  # a pawn that attacks the black king stands below it
    seen = [
        *((men.get(square), "QR") for step in STRAIGHT for square in _way(men, at, step)),
        *((men.get(square), "QB") for step in OBLIQUE for square in _way(men, at, step)),
        *((men.get(_moved(at, step)), "N") for step in KNIGHT),
        *((men.get(_moved(at, step)), "K") for step in (*STRAIGHT, *OBLIQUE)),
        *((men.get(_moved(at, (x, towards))), "P") for x in (-1, 1)),
    ]
    return any(man is not None and man in other(kinds) for man, kinds in seen)


def _way(men: Mapping[str, str], at: str, step: tuple[int, int]) -> Iterator[str]:
    """The squares from ``at`` in one direction, up to the first man."""
    square = _moved(at, step)
    while square:
        yield square
        square = "" if square in men else _moved(square, step)


def _moved(at: str, step: tuple[int, int]) -> str:
    """The square a step away; empty off the board."""
    file, rank = ord(at[0]) - ord("a") + step[0], int(at[1]) + step[1]
    return f"{chr(ord('a') + file)}{rank}" if 0 <= file < 8 and 1 <= rank <= 8 else ""
