"""Tic-tac-toe by OpenSpiel, with cells by row and column."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, EntityStatus, Form, GameFacts
from arena.record import JSON, Player

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, grid, parsed, status_line
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY

SEATS: Final = ("X", "O")
WORDS: Final = tuple(f"row {cell // 3 + 1}, column {cell % 3 + 1}" for cell in range(9))
NUMBERS: Final = ("1", "2", "3")
COORDINATES: Final = tuple(f"{letter}{number}" for number in NUMBERS for letter in "abc")
"""Short names of the cells: the column's letter and the row's number, as a player counts them in the rules."""

RULES = """\
Tic-tac-toe is played by X and O on a board of 3 rows and 3 columns that is empty at the start. Rows are numbered 1 \
to 3 from top to bottom, columns 1 to 3 from left to right. X moves first; then the players take turns. A move puts \
your mark on an empty cell, where it stays. There is no passing.

You win as soon as three of your marks stand in a line: a row, a column or one of the two diagonals. If all nine \
cells are full and nobody has a line, the game is a draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class TicTacToe(BoardGame):
    """Three marks in a row, column or diagonal win."""

    seat_names = SEATS

    @property
    def title(self) -> str:
        return "Tic-tac-toe"

    @property
    def rules(self) -> str:
        return RULES

    def facts(self, players: int) -> GameFacts:
        """Solved by hand: with best play on both sides nobody wins."""
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            optimal_returns=(0.0, 0.0),
            optimal_source="solved by exhaustive search: a draw",
            random=RANDOM_PLAY.get("tic-tac-toe"),
            max_steps=9,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("tic_tac_toe")

    @property
    def table(self) -> Sequence[str]:
        """The cells in reading order."""
        return WORDS

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row."""
        return {"board": parsed(str(engine), {"x": "X", "o": "O"}), **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The marks on the board, which also determine whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, the cells of each player, a drawing, all of it in few words, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.tic_tac_toe(view, _text(view))}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The touches that make an action: one, on the cell that is taken."""
        return (f"{scenes.BOARD}:{action // 3},{action % 3}",)

    def describe_end(self, observation: Any) -> str:
        return "the board is full" if observation["outcome"] == "draw" else "three in a row"

    def names(self, observation: Any) -> Sequence[Entities]:
        """Cells by row and column; names such as b2 are recognised without saying whether the cell is taken."""
        board = observation["board"]
        known: dict[str, EntityStatus] = {
            f"{r} {c}": "taken" if cell else "free"
            for r, row in enumerate(board, start=1)
            for c, cell in enumerate(row, start=1)
        }
        lettered: dict[str, EntityStatus] = {f"{letter} {number}": "unknown" for letter in "abc" for number in NUMBERS}
        return (
            Entities(kind="cell", pattern=r"row (\d+)(?:,? and|,)? column (\d+)", status=known),
            Entities(kind="lettered cell", pattern=r"([a-z])(\d{1,2})", status=lettered),
        )

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "the cell is taken"


def _text(view: Any) -> str:
    rows = [f"Row {r}: {' '.join([cell or '.' for cell in row])}" for r, row in enumerate(view["board"], start=1)]
    return "\n".join(["The board, each row from column 1 to 3 (. is empty):", *rows, status_line(view)])


def _list(view: Any) -> str:
    stones = cells(view["board"])
    lines = [f"{seat}: {'; '.join(WORDS[r * 3 + c] for r, c in stones.get(seat, [])) or 'nothing'}" for seat in SEATS]
    return "\n".join([*lines, status_line(view)])


def _illustration(view: Any) -> str:
    return f"{grid(view['board'], NUMBERS, NUMBERS)}\n{status_line(view)}"


def _short(view: Any) -> str:
    marks = cells(view["board"])
    told = (f"{seat}: {' '.join(COORDINATES[r * 3 + c] for r, c in marks.get(seat, [])) or '-'}" for seat in SEATS)
    return ". ".join(told)


def _notation(view: Any) -> str:
    return "A cell is written as the letter of its column and the number of its row: c1 is row 1, column 3."


def _short_actions(view: Any) -> str:
    taken = [cell for row in view["board"] for cell in row]
    return " ".join(name for name, cell in zip(COORDINATES, taken, strict=True) if not cell) or "none"


FORMS: Final[Mapping[str, Form]] = {
    "text": _text,
    "list": _list,
    "illustration": _illustration,
    "short": _short,
    "short-actions": _short_actions,
    "notation": _notation,
}
