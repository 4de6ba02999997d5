"""Othello by OpenSpiel, on the usual board of eight rows."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form, GameFacts
from arena.record import JSON, Player

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, grid, squares, status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("Black", "White")
FILES: Final = "abcdefgh"
RANKS: Final = "12345678"
PIECES: Final = {"x": "X", "o": "O"}
PASS: Final = 64

RULES = """\
Othello is played by Black and White with discs on a board of 8 rows and 8 columns. Columns are lettered a to h from \
left to right, rows are numbered 1 to 8 from top to bottom. On drawn boards X is a black disc and O a white one. At \
the start there are black discs on e4 and d5, and white ones on d4 and e5. Black moves first; then the players take \
turns.

A move puts one of your discs on an empty square so that it flanks at least one line of enemy discs: starting from \
your new disc, along a row, a column or a diagonal, come one or several enemy discs without a gap, and then a disc \
of yours. All enemy discs of all such lines are turned over and become yours. A move that turns no disc is not \
legal. If you have no legal move, your only action is to pass, and the other player moves again; you cannot pass \
otherwise. Discs are never taken off the board.

The game ends when neither player can put a disc. Whoever then has more discs on the board wins; equal numbers are a \
draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class Othello(BoardGame):
    """Flank the other player's discs to turn them over; more discs win."""

    seat_names = SEATS

    @property
    def rules(self) -> str:
        return RULES

    def facts(self, players: int) -> GameFacts:
        """Optimal play is said to be a draw."""
        return attrs.evolve(
            super().facts(players),
            optimal_returns=(0.0, 0.0),
            optimal_source="a draw, weakly solved (Takizawa 2023, preprint)",
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("othello")

    @property
    def table(self) -> Sequence[str]:
        """The squares in reading order, and passing."""
        return LABELS

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row from the top, and the number of discs of each player."""
        lines = [line.split()[1:9] for line in str(engine).split("\n") if line[:1].isdigit()]
        rows = [[PIECES.get(cell, "") for cell in line] for line in lines]
        counts = {seat: sum(row.count(sign) for row in rows) for seat, sign in zip(SEATS, "XO", strict=True)}
        return {"board": rows, "discs": counts, **self.status(engine, player)}

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The discs, and whose turn it is."""
        return str(engine)

    @property
    def forms(self) -> Mapping[str, Form]:
        """A drawing, the discs of each player, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.othello_board(view, _illustration(view), RANKS, FILES)}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The square; passing has none."""
        return () if action == PASS else (f"{scenes.BOARD}:{action // 8},{action % 8}",)

    def names(self, observation: Any) -> Sequence[Entities]:
        """Squares by column and row."""
        return (squares(observation["board"], RANKS, FILES, "square"),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        """Say that the square is taken, or that no disc would be turned."""
        if action == PASS:
            return "you can put a disc, so you cannot pass"
        return "it is taken, or a disc there would turn none over"


LABELS: Final = (*(f"{file}{rank}" for rank in RANKS for file in FILES), "pass")


def _count(view: Any) -> str:
    return ", ".join(f"{seat} has {number} disc{'' if number == 1 else 's'}" for seat, number in view["discs"].items())


def _illustration(view: Any) -> str:
    board = grid(view["board"], RANKS, FILES)
    return f"{board}\nX is black, O is white. {_count(view)}.\n{status_line(view)}"


def _list(view: Any) -> str:
    found = cells(view["board"])
    lines = [
        f"{seat}: {' '.join(f'{FILES[c]}{RANKS[r]}' for r, c in found.get(sign, [])) or 'nothing'}"
        for seat, sign in zip(SEATS, "XO", strict=True)
    ]
    return "\n".join([*lines, f"{_count(view)}.", status_line(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _illustration, "list": _list, "illustration": _illustration}
