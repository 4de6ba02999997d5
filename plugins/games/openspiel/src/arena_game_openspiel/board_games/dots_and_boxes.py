"""Dots and boxes by OpenSpiel, on boards of any size."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from string import ascii_lowercase
from typing import Any, Final

import attrs
import pyspiel
from arena.game import Form
from arena.record import JSON, Player
from attrs.validators import and_, ge, le

from arena_game_openspiel.board_games import line_scenes
from arena_game_openspiel.board_games.board_game import BoardGame
from arena_game_openspiel.boards import status_line
from arena_game_openspiel.engine.spiel import load

SEATS: Final = ("player 1", "player 2")

RULES = """\
Dots and boxes is played by two players on {down} rows of {across} dots each, which are the corners of {boxes} boxes \
in {rows} row{rows_s} and {columns} column{columns_s}. Columns of dots are lettered a to {last} from left to right, \
rows of dots are numbered 1 to {down} from top to bottom. A line joins two dots that are next to each other in a row \
or a column: a1-b1 lies between a1 and b1, and a1-a2 between a1 and a2. At the start no line is drawn. Player 1 \
begins.

In your turn you draw one line that is not drawn yet; it does not matter who has drawn which lines. If it is the \
fourth side of a box, or of two boxes, these become yours, and you draw another line. If it completes no box, the \
other player is to draw. On drawn boards + is a dot, --- and | are lines, and 1 or 2 in a box is the number of its \
owner.

The game ends when all lines are drawn. Whoever owns more boxes wins; equal numbers are a draw. Both players see the \
whole board.

The winner earns 1 and the loser -1, whatever the difference; a draw earns both 0."""


@attrs.frozen
class DotsAndBoxes(BoardGame):
    """Draw lines between dots; who completes a box has it and goes on."""

    seat_names = SEATS

    rows: int = attrs.field(default=3, validator=and_(ge(1), le(9)), metadata={"help": "rows of boxes"})
    columns: int = attrs.field(default=3, validator=and_(ge(1), le(9)), metadata={"help": "columns of boxes"})

    @property
    def title(self) -> str:
        return "Dots and boxes"

    @property
    def rules(self) -> str:
        return RULES.format(
            down=self.rows + 1,
            across=self.columns + 1,
            boxes=self.rows * self.columns,
            rows=self.rows,
            columns=self.columns,
            rows_s="" if self.rows == 1 else "s",
            columns_s="" if self.columns == 1 else "s",
            last=ascii_lowercase[self.columns],
        )

    def engine(self, players: int) -> pyspiel.Game:
        return load("dots_and_boxes", num_rows=self.rows, num_cols=self.columns)

    @property
    def table(self) -> Sequence[str]:
        """The lines along the rows of dots from the top, and then those along the columns, also row by row."""
        return _lines(self.rows, self.columns)

    def view(self, engine: pyspiel.State, player: Player | None) -> JSON:
        """The lines that are drawn, in their order, the owner of each box, and how many boxes each player has."""
        drawing = str(engine).split("\n")
        rows = [
            [drawing[2 * r + 1].ljust(4 * self.columns)[4 * c + 2] for c in range(self.columns)]
            for r in range(self.rows)
        ]
        boxes = [[SEATS["12".index(sign)] if sign in "12" else "" for sign in row] for row in rows]
        return {
            "lines": [self.table[action] for action in engine.history()],
            "boxes": boxes,
            "scores": {seat: sum(row.count(seat) for row in boxes) for seat in SEATS},
            **self.status(engine, player),
        }

    def transposition_key(self, engine: pyspiel.State) -> JSON:
        """The lines, the boxes, and whose turn it is."""
        return [str(engine), engine.current_player()]

    @property
    def forms(self) -> Mapping[str, Form]:
        """A drawing, the lines by name, and the board as a scene."""
        return {**FORMS, "scene": lambda view: line_scenes.dots_and_boxes_board(view, _illustration(view))}

    def path(self, action: int, label: str, player: Player) -> Sequence[str]:
        """The element of the scene that an action touches: the line that it draws."""
        return (f"line-{label}",)

    def refusal(self, engine: pyspiel.State, player: Player, action: int) -> str:
        return "the line is drawn already"


@cache
def _lines(rows: int, columns: int) -> tuple[str, ...]:
    across = [
        f"{ascii_lowercase[c]}{r + 1}-{ascii_lowercase[c + 1]}{r + 1}" for r in range(rows + 1) for c in range(columns)
    ]
    down = [f"{ascii_lowercase[c]}{r + 1}-{ascii_lowercase[c]}{r + 2}" for r in range(rows) for c in range(columns + 1)]
    return (*across, *down)


def _score(view: Any) -> str:
    return "Boxes: " + ", ".join(f"{seat} has {many}" for seat, many in view["scores"].items()) + "."


def _illustration(view: Any) -> str:
    boxes, drawn = view["boxes"], set(view["lines"])
    letters = ascii_lowercase[: len(boxes[0]) + 1]
    found = ["   " + "   ".join(letters)]
    for r in range(len(boxes) + 1):
        pairs = pairwise(letters)
        sides = ["---" if f"{a}{r + 1}-{b}{r + 1}" in drawn else "   " for a, b in pairs]
        found.append(f"{r + 1:<2} +" + "".join(f"{side}+" for side in sides))
        if r < len(boxes):
            bars = ["|" if f"{a}{r + 1}-{a}{r + 2}" in drawn else " " for a in letters]
            owners = [f" {owner[-1] if owner else ' '} " for owner in boxes[r]]
            found.append(
                ("   " + "".join(f"{bar}{own}" for bar, own in zip(bars, [*owners, ""], strict=True))).rstrip()
            )
    return "\n".join([*found, _score(view), status_line(view)])


def _list(view: Any) -> str:
    letters = ascii_lowercase
    owned = {
        seat: [
            f"{letters[c]}{r + 1}" for r, row in enumerate(view["boxes"]) for c, own in enumerate(row) if own == seat
        ]
        for seat in SEATS
    }
    boxes = [f"Boxes of {seat}, by their top left dots: {' '.join(own) or 'none'}" for seat, own in owned.items()]
    drawn = f"Lines drawn: {' '.join(view['lines']) or 'none'}"
    return "\n".join([drawn, *boxes, status_line(view)])


FORMS: Final[Mapping[str, Form]] = {"text": _illustration, "list": _list, "illustration": _illustration}
