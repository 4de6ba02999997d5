"""Connect four by OpenSpiel, on a board of any size."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, EntityStatus, Form, GameFacts
from arena.record import JSON, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import LETTERS, cells, grid, parsed, squares, status_line
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY

SEATS: Final = ("X", "O")

SOLVED: Final[Mapping[tuple[int, int, int], str]] = {
    (6, 7, 4): "the first player wins (Allis 1988; Allen 1988)",
    (4, 5, 3): "solved by exhaustive search: the first player wins",
}
"""Rows, columns and length of a line, and where it is known from that the first player wins."""

_NUMBERS: Final[Mapping[int, str]] = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}

RULES = """\
Connect four is played by X and O on an upright board of {rows} rows and {columns} columns that is empty at the \
start. Columns are lettered A to {last} from left to right, rows are numbered from 1 at the bottom to {rows} at the \
top. X moves first; then the players take turns. A move drops one of your discs into a column that is not full; it \
falls to the lowest empty cell of that column and stays there. There is no passing.

You win as soon as {align} of your discs stand next to each other in a straight line: across, upright or along a \
diagonal. If the board is full and nobody has such a line, the game is a draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class ConnectFour(BoardGame):
    """Drop discs into columns; the first to align four wins."""

    seat_names = SEATS

    rows: int = attrs.field(default=6, validator=and_(ge(2), le(20)), metadata={"help": "height of the board"})
    columns: int = attrs.field(default=7, validator=and_(ge(2), le(20)), metadata={"help": "width of the board"})
    align: int = attrs.field(default=4, validator=and_(ge(2), le(10)), metadata={"help": "discs in a line that win"})

    @property
    def rules(self) -> str:
        last = LETTERS[self.columns - 1]
        return RULES.format(rows=self.rows, columns=self.columns, last=last, align=self.align)

    def facts(self, players: int) -> GameFacts:
        """The facts of this size, with the returns of optimal play where they are known."""
        source = SOLVED.get((self.rows, self.columns, self.align), "")
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            optimal_returns=(1.0, -1.0) if source else None,
            optimal_source=source,
            random=RANDOM_PLAY.get(f"connect-four {self.rows} x {self.columns}, {self.align} in a line"),
            max_steps=self.rows * self.columns,
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("connect_four", rows=self.rows, columns=self.columns, x_in_row=self.align)

    @property
    def table(self) -> Sequence[str]:
        """The columns, named by letters because the actions are numbers that start at 0."""
        return _columns(self.columns)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row from the top."""
        return {"board": parsed(str(engine), {"x": "X", "o": "O"}), **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The discs on the board, which also determine whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """Text, the discs of each player, a drawing, the columns in few words, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.connect_four(view, _text(view), self.align)}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The touches that make an action: one, on the column that is dropped into."""
        return (f"{scenes.BOARD}/column:{action}",)

    def describe_end(self, observation: Any) -> str:
        line = f"{_NUMBERS.get(self.align, self.align)} in a row"
        return "the board is full" if observation["outcome"] == "draw" else line

    def names(self, observation: Any) -> Sequence[Entities]:
        """Columns, which count as taken when they are full, and cells."""
        board = observation["board"]
        letters = LETTERS[: self.columns]
        known: dict[str, EntityStatus] = {
            letter.lower(): "taken" if top else "free" for letter, top in zip(letters, board[0], strict=True)
        }
        # "column a" may be the beginning of a longer thought; "column A" is a name.
        columns = Entities(kind="column", pattern=r"column ([b-z]|(?-i:A))", status=known)
        return columns, squares(board, [str(self.rows - r) for r in range(self.rows)], letters)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "it is full"


@cache
def _columns(number: int) -> tuple[str, ...]:
    return tuple(f"column {letter}" for letter in LETTERS[:number])


def _text(view: Any) -> str:
    columns = zip(*reversed(view["board"]), strict=True)
    lines = [
        f"Column {letter}: {' '.join(disc for disc in column if disc) or 'empty'}"
        for letter, column in zip(LETTERS, columns)  # noqa: B905 -- there are more letters than columns
    ]
    return "\n".join(["The discs in each column, from the bottom up:", *lines, status_line(view)])


def _list(view: Any) -> str:
    height = len(view["board"])
    discs = cells(view["board"])
    lines = [
        f"{seat}: {' '.join(f'{LETTERS[c]}{height - r}' for r, c in discs.get(seat, [])) or 'nothing'}"
        for seat in SEATS
    ]
    return "\n".join([*lines, status_line(view)])


def _illustration(view: Any) -> str:
    board = view["board"]
    heights = [str(len(board) - r) for r in range(len(board))]
    return f"{grid(board, heights, LETTERS[: len(board[0])])}\n{status_line(view)}"


def _short(view: Any) -> str:
    columns = zip(*reversed(view["board"]), strict=True)
    told = (f"{letter} {''.join(column) or '-'}" for letter, column in zip(LETTERS, columns))  # noqa: B905 -- as above
    return ", ".join(told)


def _notation(view: Any) -> str:
    return "A move is the letter of a column. The board is told column by column, each from the bottom up."


def _short_actions(view: Any) -> str:
    free = [letter for letter, top in zip(LETTERS, view["board"][0]) if not top]  # noqa: B905 -- as above
    return " ".join(free) or "none"


FORMS: Final[Mapping[str, Form]] = {
    "text": _text,
    "list": _list,
    "illustration": _illustration,
    "short": _short,
    "short-actions": _short_actions,
    "notation": _notation,
}
