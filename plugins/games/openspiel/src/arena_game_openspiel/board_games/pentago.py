"""Pentago by OpenSpiel: put a stone, turn a quarter of the board, and make five in a row."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form
from arena.record import JSON, Player

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, grid, squares, status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("X", "O")
FILES: Final = "abcdef"
RANKS: Final = "123456"
PIECES: Final = {"O": "X", "@": "O"}
"""The signs of stones by those of OpenSpiel, whose first player has O."""

TURNS: Final = (
    *("top left counterclockwise", "top left clockwise", "top right counterclockwise", "top right clockwise"),
    *("bottom right counterclockwise", "bottom right clockwise"),
    *("bottom left counterclockwise", "bottom left clockwise"),
)
"""What OpenSpiel's letters s to z stand for."""

LABELS: Final = tuple(f"{file}{rank}, turn {turn}" for rank in RANKS for file in FILES for turn in TURNS)

RULES = """\
Pentago is played by X and O on an empty board of 6 rows and 6 columns. Columns are lettered a to \
f from left to right, rows are numbered 1 to 6 from top to bottom. The board has four quarters of 3 by 3 cells that \
can be turned: top left (a1 to c3), top right (d1 to f3), bottom left (a4 to c6) and bottom right (d4 to f6).

X moves first; then the players take turns. A turn has two parts, and both must be made: you put one of your stones on \
an empty cell, and then you turn any quarter by 90 degrees with all stones on it. The action "b3, turn top left \
clockwise" puts a stone on b3 and then turns the top left quarter: what stood on a1 comes to c1, c1 to c3, c3 to a3, \
a3 to a1, b1 to c2, c2 to b3, b3 to a2, and a2 to b1. Counterclockwise is the reverse.

You win if, after a complete turn, five of your stones stand next to each other in a row, a column or a diagonal of \
the whole board. Five that stand so only before the quarter is turned do not count. If both players have five after \
the same turn, or if the board is full and nobody has, the game is a draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class Pentago(BoardGame):
    """Put a stone, turn a quarter of the board; five in a row win."""

    seat_names = SEATS  # optimal returns: a win, if five count before a quarter is turned (Irving 2014), not here

    @property
    def rules(self) -> str:
        return RULES

    def engine(self, players: int) -> pyspiel.Game:
        return load("pentago")

    @property
    def table(self) -> Sequence[str]:
        """Each cell with each way to turn a quarter."""
        return LABELS

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row from the top."""
        lines = [line[4:16].split() for line in str(engine).split("\n") if line[2:3].isdigit()]
        return {"board": [[PIECES.get(cell, "") for cell in line] for line in lines], **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The stones on the board, which also determine whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """A drawing, the stones of each player, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.pentago_board(view, _illustration(view), RANKS, FILES)}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The cell; a menu then asks which quarter is turned, and how."""
        row, column = divmod(action // len(TURNS), len(FILES))
        return (f"{scenes.BOARD}:{row},{column}",)

    def names(self, observation: Any) -> Sequence[Entities]:
        """Cells by column and row."""
        return (squares(observation["board"], RANKS, FILES),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return f"the cell {LABELS[action][:2]} is taken"


def _illustration(view: Any) -> str:
    return f"{grid(view['board'], RANKS, FILES)}\n{status_line(view)}"


def _list(view: Any) -> str:
    found = cells(view["board"])
    lines = [
        f"{seat}: {' '.join(f'{FILES[c]}{RANKS[r]}' for r, c in found.get(seat, [])) or 'nothing'}" for seat in SEATS
    ]
    return "\n".join([*lines, status_line(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _illustration, "list": _list, "illustration": _illustration}
