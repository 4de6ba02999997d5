"""Go by OpenSpiel, on boards of several sizes."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Entities, Form, GameFacts
from arena.record import JSON, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel import scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import cells, grid, squares, status_line
from arena_game_openspiel.engine.spiel import load
from arena_game_openspiel.random_play import RANDOM_PLAY

SEATS: Final = ("Black", "White")
FILES: Final = "ABCDEFGHJKLMNOPQRST"
"""The names of the columns; the letter I is left out, as on every go board."""
PIECES: Final = {"X": "X", "O": "O"}

RULES = """\
Go is played by Black and White on the {size} by {size} points of a square grid that is empty at the start. Columns \
are lettered A to {last} from left to right, without the letter I; rows are numbered from 1 at the bottom to {size} \
at the top. On drawn boards X is a black stone and O a white one. Black moves first; then the players take turns. A \
move puts one of your stones on an empty point, where it stays until it is captured, or passes.

Stones of one colour that are next to each other along the lines form a group. The empty points next to a group are \
its liberties. After a move, enemy groups without liberties are captured and taken off the board. A move after which \
your own group would have no liberties is not legal, unless it captures. After the capture of a single stone by a \
stone that could itself be taken back at once (ko), taking it back in the very next move is not legal. If a stone \
brings back any earlier position of the whole board, the game ends at once as a draw.

The game ends when both players pass one after the other, or after {limit} moves. Nothing is removed from the board \
then: capture dead stones before you pass. A player's score is the number of its stones on the board plus the number \
of empty points that reach only its stones; White gets {komi:g} points more (komi). The higher score wins; equal \
scores are a draw. Both players see the whole board.

The winner earns 1 and the loser -1; a draw earns both 0."""


@attrs.frozen
class Go(BoardGame):
    """Go with area scoring."""

    seat_names = SEATS

    size: int = attrs.field(default=9, validator=and_(ge(2), le(19)), metadata={"help": "points along a side"})
    komi: float = attrs.field(
        default=7.5, validator=and_(ge(0.0), le(361.0)), metadata={"help": "points that White gets on top"}
    )

    @property
    def rules(self) -> str:
        limit = self.engine(2).max_game_length()
        return RULES.format(size=self.size, last=FILES[self.size - 1], komi=self.komi, limit=limit)

    def facts(self, players: int) -> GameFacts:
        """Those of all board games, with what random play earns where it is known."""
        random = RANDOM_PLAY.get(f"go {self.size} x {self.size}, komi {self.komi:g}")
        return attrs.evolve(super().facts(players), random=random)

    def engine(self, players: int) -> pyspiel.Game:
        """OpenSpiel's ``go``, without handicap."""
        return load("go", board_size=self.size, komi=float(self.komi))

    @property
    def table(self) -> Sequence[str]:
        """The points from A1 on, row by row, and passing."""
        return _points(self.size)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The board, row by row from the top; X is black, O is white."""
        lines = str(engine).split("\n")[2 : 2 + self.size]
        rows = [[PIECES.get(point, "") for point in line.split()[1]] for line in lines]
        return {
            "board": rows,
            "captured": self._captured(engine, rows),
            "komi": self.komi,
            "moves": engine.move_number(),
            **self.status(engine, player),
        }

    def _captured(self, engine: pyspiel.State, rows: Sequence[Sequence[str]]) -> dict[str, int]:
        """How many stones each player has taken: what the other has placed less what is on the board."""
        moves, taken = engine.history(), dict[str, int]()
        for number, (seat, mark) in enumerate(zip(SEATS, "OX", strict=True)):
            placed = sum(move < self.size * self.size for move in moves[1 - number :: 2])
            taken[seat] = placed - sum(row.count(mark) for row in rows)
        return taken

    @property
    def forms(self) -> Mapping[str, Form]:
        """The stones of each player, a drawing, and the board as a scene."""
        return {**FORMS, "scene": lambda view: scenes.go_board(view, _illustration(view), FILES)}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The point; passing has none."""
        row, column = divmod(action, self.size)
        return () if row == self.size else (f"{scenes.BOARD}:{self.size - 1 - row},{column}",)

    def names(self, observation: Any) -> Sequence[Entities]:
        """Points by column and row."""
        numbers = [str(self.size - r) for r in range(self.size)]
        return (squares(observation["board"], numbers, FILES[: self.size], "point"),)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "it is taken, or the stone would have no liberties, or it would take back a ko"


@cache
def _points(size: int) -> tuple[str, ...]:
    return (*(f"{FILES[c]}{r + 1}" for r in range(size) for c in range(size)), "pass")


def _list(view: Any) -> str:
    return "\n".join([*_stones(view, "nothing"), status_line(view)])


def _short(view: Any) -> str:
    return ". ".join(_stones(view, "-"))


def _stones(view: Any, none: str) -> list[str]:
    size = len(view["board"])
    stones = cells(view["board"])
    return [
        f"{seat}: {' '.join(f'{FILES[c]}{size - r}' for r, c in stones.get(mark, [])) or none}"
        for seat, mark in zip(SEATS, "XO", strict=True)
    ]


def _illustration(view: Any) -> str:
    size = len(view["board"])
    board = grid(view["board"], [str(size - r) for r in range(size)], FILES[:size])
    return f"{board}\nX is black, O is white. {status_line(view)}"


FORMS: Final[Mapping[str, Form]] = {
    "text": _illustration,
    "list": _list,
    "illustration": _illustration,
    "short": _short,
    "short-with-history": _short,
}
