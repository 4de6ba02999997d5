"""Tic-tac-toe."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Form, GameFacts, Names, Standing
from arena.record import JSON, Player

from arena_game_openspiel.boards import cells, grid, parsed, status_line
from arena_game_openspiel.engine import SpielGame, load

SEATS: Final = ("X", "O")
WORDS: Final = tuple(f"row {cell // 3 + 1}, column {cell % 3 + 1}" for cell in range(9))
NUMBERS: Final = ("1", "2", "3")

RULES = """\
Tic-tac-toe is played by X and O on a board of 3 rows and 3 columns that is empty at the start. Rows are numbered 1 \
to 3 from top to bottom, columns 1 to 3 from left to right. X moves first; then the players take turns. A move puts \
your mark on an empty cell, where it stays. There is no passing.

You win as soon as three of your marks stand in a line: a row, a column or one of the two diagonals. If all nine \
cells are full and nobody has a line, the game is a draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class TicTacToe(SpielGame):
    """Three marks in a line win."""

    @property
    def title(self) -> str:
        """With its hyphens."""
        return "Tic-tac-toe"

    @property
    def rules(self) -> str:
        """The rules."""
        return RULES

    def player_counts(self) -> Sequence[int]:
        """Two."""
        return (2,)

    def seats(self, players: int) -> Sequence[str]:
        """X moves first."""
        return SEATS

    def facts(self, players: int) -> GameFacts:
        """Solved by hand: with the best play of both nobody wins."""
        return GameFacts(
            returns="zero-sum",
            least_return=-1.0,
            greatest_return=1.0,
            optimal_returns=(0.0, 0.0),
            optimal_source="solved by exhaustive search: a draw",
            wave_limit=9,
        )

    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's ``tic_tac_toe``."""
        return load("tic_tac_toe")

    @property
    def table(self) -> Sequence[str]:
        """The cells in reading order."""
        return WORDS

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row."""
        return {"board": parsed(str(engine), {"x": "X", "o": "O"}), **self.status(engine, player)}

    def position(self, engine: pyspiel.State) -> JSON:
        """The marks on the board, which say whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Words, the cells of each player, and a drawing."""
        return FORMS

    def names(self, observation: Any) -> Sequence[Names]:
        """Cells by row and column; of names such as b2 only whether there can be such a cell."""
        board = observation["board"]
        known: dict[str, Standing] = {
            f"{r} {c}": "taken" if cell else "free"
            for r, row in enumerate(board, start=1)
            for c, cell in enumerate(row, start=1)
        }
        lettered: dict[str, Standing] = {f"{letter} {number}": "unknown" for letter in "abc" for number in NUMBERS}
        return (
            Names(kind="cell", shape=r"row (\d+)(?:,? and|,)? column (\d+)", known=known),
            Names(kind="lettered cell", shape=r"([a-z])(\d{1,2})", known=lettered),
        )

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Off the board or taken."""
        if 0 <= action < 9:
            return f"the cell in {WORDS[action]} is taken"
        return "the cells have the numbers 0 to 8"


def _text(view: Any) -> str:
    rows = [f"Row {r}: {' '.join(cell or '.' for cell in row)}" for r, row in enumerate(view["board"], start=1)]
    return "\n".join(["The board, each row from column 1 to 3 (. is empty):", *rows, status_line(view)])


def _list(view: Any) -> str:
    stones = cells(view["board"])
    lines = [f"{seat}: {'; '.join(WORDS[r * 3 + c] for r, c in stones.get(seat, [])) or 'nothing'}" for seat in SEATS]
    return "\n".join([*lines, status_line(view)])


def _illustration(view: Any) -> str:
    return f"{grid(view['board'], NUMBERS, NUMBERS)}\n{status_line(view)}"


FORMS: Final[Mapping[str, Form]] = {"text": _text, "list": _list, "illustration": _illustration}
