"""Checkers by OpenSpiel, on the usual board of eight rows."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form
from arena.record import JSON, Player

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, grid, parsed, squares, status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("White", "Black")
FILES: Final = "abcdefgh"
RANKS: Final = "87654321"
PIECES: Final = {"o": "w", "8": "W", "+": "b", "*": "B"}
WAYS: Final = ((-1, -1), (-1, 1), (1, 1), (1, -1))
"""The four diagonals in OpenSpiel's order, as rows down and columns to the right."""

QUIET: Final = 40
"""After so many moves without a capture the game is a draw."""

RULES = """\
Checkers is played by White and Black on the dark squares (a1 is one) of a board of 8 rows and 8 columns. \
Columns are lettered a to h from left to right, rows are numbered from 1 at the bottom to 8 at the top. Each player \
begins with 12 men: White on rows 1 to 3, Black on rows 6 to 8. On drawn boards w is a white man and b a black one, W \
and B are kings. White moves first; then the players take turns.

A man moves forward along a diagonal to the next square, if it is empty: White towards row 8, Black towards row 1 \
(a3-b4). It captures by jumping forward along a diagonal over an enemy piece on the next square to the empty square \
behind it; the enemy piece is taken off (c3xe5 takes the one on d4). A king moves and captures in the same way, also \
backward. A man that reaches the farthest row becomes a king, and its turn is over.

Whoever can capture must, with any piece that can. Each jump is a move of its own: if the piece that has jumped can \
jump again, its player goes on with that piece.

You lose if you have no move in your turn. After {quiet} moves by both together without a capture the game \
is a draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class Checkers(BoardGame):
    """Capture the other player's men by jumping over them, or block them."""

    seat_names = (
        SEATS  # optimal returns: a draw is known for rules without the 40 moves (Schaeffer 2007), not for these
    )

    @property
    def rules(self) -> str:
        return RULES.format(quiet=QUIET)

    def engine(self, players: int) -> pyspiel.Game:
        return load("checkers")

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The squares of the move, ``a3-b4`` for a step and ``c3xe5`` for a jump."""
        return _label(action)

    def lexicon(self, player: Player) -> Sequence[str]:
        return _labels()

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row from the top, how many moves had no capture, and which piece must go on capturing."""
        history = engine.history()
        quiet = next((at for at, action in enumerate(reversed(history)) if action % 2), len(history))
        last = engine.full_history()[-1] if history else None
        goes_on = last is not None and last.player == engine.current_player()
        return {
            "board": parsed("\n".join(line[1:] for line in str(engine).split("\n")[:8]), PIECES),
            "quiet": quiet,
            "goes_on": _name(_move(history[-1])[1]) if goes_on else None,
            **self.status(engine, player),
        }

    @property
    def forms(self) -> Mapping[str, Form]:
        """A drawing, the pieces of each player, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.checkers_board(view, _illustration(view), RANKS, FILES)}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The square that a piece leaves and the one that it goes to."""
        return [f"{scenes.BOARD}:{row},{column}" for row, column in _move(action)]

    def names(self, observation: Any) -> Sequence[Entities]:
        """Squares by column and row."""
        return (squares(observation["board"], RANKS, FILES, "square"),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say whether a capture must be made."""
        must = any(legal % 2 for legal in engine.legal_actions())
        return "a capture is possible, so one must be made" if must else "no piece of yours can make this move"


@cache
def _move(action: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The row from the top and the column of the square that a move leaves, and of the one where it ends."""
    square, way, is_jump = action // 8, action % 8 // 2, action % 2
    (row, column), (down, right) = divmod(square, len(FILES)), WAYS[way]
    return (row, column), (row + down * (1 + is_jump), column + right * (1 + is_jump))


@cache
def _labels() -> tuple[str, ...]:
    """The labels of all moves by number; empty for those that leave the board."""
    ends = [_move(action)[1] for action in range(512)]
    is_on = [0 <= row < len(RANKS) and 0 <= column < len(FILES) for row, column in ends]
    return tuple(_label(action) if is_on[action] else "" for action in range(512))


def _label(action: int) -> str:
    start, end = _move(action)
    return f"{_name(start)}{'x' if action % 2 else '-'}{_name(end)}"


def _name(square: tuple[int, int]) -> str:
    return f"{FILES[square[1]]}{RANKS[square[0]]}"


def _rest(view: Any) -> list[str]:
    said = [f"Moves in a row without a capture: {view['quiet']} of {QUIET}."]
    if view["goes_on"]:
        said.append(f"{view['to_move']} goes on capturing with the piece on {view['goes_on']}.")
    return [*said, status_line(view)]


def _illustration(view: Any) -> str:
    signs = "w and b are men of White and Black, W and B are kings."
    return "\n".join([grid(view["board"], RANKS, FILES), signs, *_rest(view)])


def _list(view: Any) -> str:
    found = cells(view["board"])
    lines = [
        f"{seat}: men {_squares(found.get(man, []))}; kings {_squares(found.get(man.upper(), []))}"
        for seat, man in zip(SEATS, "wb", strict=True)
    ]
    return "\n".join([*lines, *_rest(view)])


def _squares(places: Sequence[tuple[int, int]]) -> str:
    return " ".join(map(_name, places)) or "none"


FORMS: Final[Mapping[str, Form]] = {"text": _illustration, "list": _list, "illustration": _illustration}
