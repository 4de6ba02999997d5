"""What a chess board looks like: men, those that were taken, and a king in check; turned for Black."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

import arena_scene
from arena.game import Drawing

from arena_game_openspiel.scenes import BOARD, over

FILES: Final = "abcdefgh"
RANKS: Final = "87654321"
MEN: Final = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn", "k": "king"}
FULL: Final = {"q": 1, "r": 2, "b": 2, "n": 2, "p": 8}
"""How many men of each kind a side has at the start."""

STRAIGHT: Final = ((0, 1), (0, -1), (1, 0), (-1, 0))
SLANTING: Final = ((1, 1), (1, -1), (-1, 1), (-1, -1))
JUMPS: Final = ((1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1))


def chess_board(view: Any, words: str, white: int) -> Drawing:
    """The board from the side of the player who looks, with the men that were taken; ``white`` is White's number."""
    rows: Sequence[Sequence[str]] = view["board"]
    is_turned = view["you"] == "Black"
    men = [(r, c, man) for r, row in enumerate(rows) for c, man in enumerate(row) if man]
    board = arena_scene.Grid(
        id=BOARD,
        size=(8, 8),
        checkered=True,
        row_labels=RANKS[::-1] if is_turned else RANKS,
        column_labels=FILES[::-1] if is_turned else FILES,
        pieces=[_man(man, white, f" on {FILES[c]}{RANKS[r]}", at=turned(r, c, is_turned)) for r, c, man in men],
        cells=[
            arena_scene.Cell(
                at=turned(r, c, is_turned), mark="check", role="warning", label=f"{_side(rows[r][c])} king in check"
            )
            for r, c in _in_check(rows, view["fen"].split()[1] == "w")
        ],
        note=over(view),
    )
    taken = list(_taken((man for _, _, man in men), white))
    parts = [board, arena_scene.Pieces(id="taken", title="taken", pieces=taken)] if taken else [board]
    return Drawing(*arena_scene.Scene("Chess", words, *parts).drawn())


def turned(row: int, column: int, is_turned: bool) -> tuple[int, int]:
    """The place of a square on the board as it is shown."""
    return (7 - row, 7 - column) if is_turned else (row, column)


def _side(man: str) -> str:
    return "white" if man.isupper() else "black"


def _man(man: str, white: int, where: str = "", **more: Any) -> "arena_scene.Piece":
    name, owner = MEN[man.lower()], white if man.isupper() else 1 - white
    more |= {"tone": "light" if man.isupper() else "dark"}
    return arena_scene.Piece(role=f"player-{owner}", shape=name, text=man, label=f"{_side(man)} {name}{where}", **more)


def _taken(men: Iterator[str], white: int) -> "Iterator[arena_scene.Piece]":
    """The men of both sides that are missing; those that pawns have become are no spare ones."""
    left = Counter(men)
    for case in (str.upper, str.lower):
        more = sum(max(0, left[case(kind)] - full) for kind, full in FULL.items())
        for kind, full in FULL.items():
            missing = full - left[case(kind)] - (more if kind == "p" else 0)
            if missing > 0:
                yield _man(case(kind), white, count=missing)


def _in_check(rows: Sequence[Sequence[str]], is_white: bool) -> list[tuple[int, int]]:
    """Where the king of the side to move stands, if it is attacked."""
    king, case = ("K", str.lower) if is_white else ("k", str.upper)
    place = next((r, c) for r, row in enumerate(rows) for c, man in enumerate(row) if man == king)
    toward = -1 if is_white else 1  # enemy pawns attack from the side to which one's own move
    attackers = (
        *((_first(rows, place, step), case("rq")) for step in STRAIGHT),
        *((_first(rows, place, step), case("bq")) for step in SLANTING),
        *((_man_at(rows, place[0] + down, place[1] + right), case("n")) for down, right in JUMPS),
        *((_man_at(rows, place[0] + down, place[1] + right), case("k")) for down, right in STRAIGHT + SLANTING),
        *((_man_at(rows, place[0] + toward, place[1] + side), case("p")) for side in (-1, 1)),
    )
    return [place] if any(man and man in kinds for man, kinds in attackers) else []


def _man_at(rows: Sequence[Sequence[str]], r: int, c: int) -> str:
    return rows[r][c] if 0 <= r < 8 and 0 <= c < 8 else ""


def _first(rows: Sequence[Sequence[str]], place: tuple[int, int], step: tuple[int, int]) -> str:
    """The first man in a direction; empty if there is none."""
    r, c = place[0] + step[0], place[1] + step[1]
    while 0 <= r < 8 and 0 <= c < 8:
        if rows[r][c]:
            return rows[r][c]
        r, c = r + step[0], c + step[1]
    return ""
