"""Breakthrough by OpenSpiel, on boards of any size."""

from collections.abc import Mapping, Sequence
from functools import cache
from string import ascii_lowercase
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form
from arena.record import JSON, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, grid, parsed, squares, status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("Black", "White")
PIECES: Final = {"b": "B", "w": "W"}

DOUBLE: Final = 6
"""From so many rows on, each player has two rows of men; on lower boards one."""

RULES = """\
Breakthrough is played by Black and White on a board of {rows} rows and {columns} columns. Columns are lettered a to \
{last} from left to right, rows are numbered from 1 at the bottom to {rows} at the top. At the start Black's men, B on \
drawn boards, fill {black}; White's men, W, fill {white}. Black moves first; then the players take turns.

A turn moves one of your men by one row towards the other player's side: Black moves down, White moves up. It goes \
straight ahead or diagonally ahead, to either side. Straight ahead the square must be empty. Diagonally ahead it may \
be empty, or an enemy man may stand there, which is captured and taken off the board. Nothing moves backwards or \
sideways, nobody must capture, and one turn captures one man at most. A move is written by its two squares, with a - \
if it captures nothing (a{start}-a{end}) and an x if it captures (a{start}xb{end}).

You win at once when one of your men reaches the farthest row, which for Black is row 1 and for White is row {rows}, \
or when you capture the last enemy man. There are no draws. Both players see the whole board.

The winner earns 1 and the loser -1."""


@attrs.frozen
class Breakthrough(BoardGame):
    """Bring one man to the other side of the board."""

    seat_names = SEATS

    rows: int = attrs.field(default=8, validator=and_(ge(3), le(20)), metadata={"help": "rows of the board"})
    columns: int = attrs.field(default=8, validator=and_(ge(2), le(20)), metadata={"help": "columns of the board"})

    @property
    def rules(self) -> str:
        deep = 2 if self.rows >= DOUBLE else 1
        start = self.rows + 1 - deep
        return RULES.format(
            rows=self.rows,
            columns=self.columns,
            last=ascii_lowercase[self.columns - 1],
            black=f"the two rows at the top, {self.rows} and {start}" if deep == 2 else f"row {self.rows}",
            white="rows 1 and 2" if deep == 2 else "row 1",
            start=start,
            end=start - 1,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("breakthrough", rows=self.rows, columns=self.columns)

    def label(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """The squares of the move, ``a7-a6`` for a step and ``a7xb6`` for a capture."""
        return _label(action, self.rows, self.columns)

    def lexicon(self, player: Player) -> Sequence[str]:
        return _labels(self.rows, self.columns)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row from the top."""
        drawn = [line[1:] for line in str(engine).split("\n")[: self.rows]]
        return {"board": parsed("\n".join(drawn), PIECES), **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The men, and whose turn it is."""
        return [str(engine), engine.current_player()]

    @property
    def forms(self) -> Mapping[str, Form]:
        """A drawing, the men of each player, and the board as a scene."""
        return {
            **FORMS,
            "scene": lambda view: scenes.breakthrough_board(view, _illustration(view), *_edges(view["board"])),
        }

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The square that a man leaves and the one that it goes to."""
        return [f"{scenes.BOARD}:{row},{column}" for row, column in _move(action, self.columns)]

    def names(self, observation: Any) -> Sequence[Entities]:
        """Squares by column and row."""
        return (squares(observation["board"], *_edges(observation["board"]), "square"),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "no man of yours can make this move"


@cache
def _labels(rows: int, columns: int) -> tuple[str, ...]:
    return tuple(_label(action, rows, columns) for action in range(rows * columns * 12))


def _label(action: int, rows: int, columns: int) -> str:
    start, end = (f"{ascii_lowercase[c]}{rows - r}" for r, c in _move(action, columns))
    return f"{start}{'x' if action % 2 else '-'}{end}"


@cache
def _move(action: int, columns: int) -> tuple[tuple[int, int], tuple[int, int]]:
    """The row from the top and the column of the square that a move leaves, and of the one where it ends."""
    square, way = action // 12, action % 12 // 2
    (row, column), (side, right) = divmod(square, columns), divmod(way, 3)
    return (row, column), (row + (-1 if side else 1), column + right - 1)


def _edges(board: Sequence[Sequence[str]]) -> tuple[list[str], str]:
    """The names of rows from the top, and of columns."""
    return [str(row) for row in range(len(board), 0, -1)], ascii_lowercase[: len(board[0])]


def _illustration(view: Any) -> str:
    board = view["board"]
    return "\n".join(
        [
            grid(board, *_edges(board)),
            "B is a man of Black, who moves down; W of White, who moves up.",
            status_line(view),
        ]
    )


def _list(view: Any) -> str:
    found, (rows, columns) = cells(view["board"]), _edges(view["board"])
    lines = [
        f"{seat}: {' '.join(f'{columns[c]}{rows[r]}' for r, c in found.get(seat[0], [])) or 'no men'}" for seat in SEATS
    ]
    return "\n".join([*lines, status_line(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _illustration, "list": _list, "illustration": _illustration}
