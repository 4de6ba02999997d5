"""Hex by OpenSpiel, on boards of any size."""

from collections.abc import Mapping, Sequence
from functools import cache
from string import ascii_lowercase
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form, GameFacts
from arena.record import JSON, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, squares, status_line
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY

SEATS: Final = ("X", "O")
PIECES: Final = {**dict.fromkeys("xyzX", "X"), **dict.fromkeys("opqO", "O"), ".": ""}

RULES = """\
Hex is played by X and O on a board of {rows} rows and {columns} columns of hexagonal cells that is empty at the \
start. Columns are lettered a to {last} from left to right, rows are numbered 1 to {rows} from top to bottom, and \
each row is shifted half a cell to the right of the row above. A cell such as b3 touches up to six others: its left \
and right neighbours in its row (a3, c3), two in the row above (b2, c2) and two in the row below (a4, b4).

X moves first; then the players take turns. A move puts one of your stones on an empty cell, where it stays. There \
is no passing and no swapping of sides.

X wins with an unbroken chain of touching X stones from the top edge (row 1) to the bottom edge (row {rows}). O wins \
with an unbroken chain of touching O stones from the left edge (column a) to the right edge (column {last}). Corner \
cells belong to both of their edges. There are no draws. Both players see the whole board.

The winner earns 1 and the loser -1."""


@attrs.frozen
class Hex(BoardGame):
    """Connect your two sides of the board before the other player connects theirs."""

    seat_names = SEATS

    rows: int = attrs.field(default=11, validator=and_(ge(2), le(26)), metadata={"help": "rows of the board"})
    columns: int = attrs.field(default=11, validator=and_(ge(2), le(26)), metadata={"help": "columns of the board"})

    @property
    def rules(self) -> str:
        return RULES.format(rows=self.rows, columns=self.columns, last=ascii_lowercase[self.columns - 1])

    def facts(self, players: int) -> GameFacts:
        """On a board with equal sides the first player wins, since an extra stone never harms."""
        is_square = self.rows == self.columns
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            optimal_returns=(1.0, -1.0) if is_square else None,
            optimal_source="the first player wins, by strategy stealing (Nash 1952)" if is_square else "",
            random=RANDOM_PLAY.get(f"hex {self.rows} x {self.columns}"),
            max_steps=self.rows * self.columns,
        )

    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's ``hex``, without the swap rule."""
        return load("hex", num_rows=self.rows, num_cols=self.columns)

    @property
    def table(self) -> Sequence[str]:
        """The cells in reading order."""
        return _cells(self.rows, self.columns)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row."""
        rows = [[PIECES[cell] for cell in line.split()] for line in str(engine).split("\n") if line.strip()]
        return {"board": rows, **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The stones on the board, which also determine whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """The stones of each player, a drawing, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.hex_board(view, _illustration(view))}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The touches that make an action: one, on the cell that is taken."""
        return (f"{scenes.BOARD}:{action // self.columns},{action % self.columns}",)

    def names(self, observation: Any) -> Sequence[Entities]:
        """Cells by column and row."""
        numbers = [str(r + 1) for r in range(self.rows)]
        return (squares(observation["board"], numbers, ascii_lowercase[: self.columns]),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "the cell is taken"


@cache
def _cells(rows: int, columns: int) -> tuple[str, ...]:
    return tuple(f"{ascii_lowercase[c]}{r + 1}" for r in range(rows) for c in range(columns))


def _list(view: Any) -> str:
    return "\n".join([*_stones(view, "nothing"), status_line(view)])


def _short(view: Any) -> str:
    return ". ".join(_stones(view, "-"))


def _stones(view: Any, none: str) -> list[str]:
    stones = cells(view["board"])
    return [
        f"{seat}: {' '.join(f'{ascii_lowercase[c]}{r + 1}' for r, c in stones.get(seat, [])) or none}" for seat in SEATS
    ]


def _illustration(view: Any) -> str:
    board = view["board"]
    heading = "     " + " ".join(ascii_lowercase[: len(board[0])])
    rows = [f"{' ' * r}{r + 1:>3}  {' '.join(cell or '.' for cell in row)}" for r, row in enumerate(board)]
    return "\n".join([heading, *rows, status_line(view)])


FORMS: Final[Mapping[str, Form]] = {
    "text": _illustration,
    "list": _list,
    "illustration": _illustration,
    "short": _short,
}
