"""Questions that show a table of payoffs and ask which combinations of choices are most likely."""

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final, Literal

import attrs
from arena.chance import Chance
from arena.errors import ConfigError, did_you_mean

from arena_game_two_by_two.examination import TASK, Question
from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.questions import EquilibriumQuestions
from arena_game_two_by_two.topology import GAMES

Exchange = Literal["players", "rows", "columns"]

_CELL: Final = re.compile(r"(-?\d+)\s*\\+\s*(-?\d+)")

_MOVED: Final[Mapping[Exchange, tuple[int, ...]]] = {
    "players": (1, 3, 2, 4),
    "rows": (3, 4, 1, 2),
    "columns": (2, 1, 4, 3),
}
"""The combination of the original game in each cell after an exchange."""


def in_topology(instance: object, attribute: "attrs.Attribute[str]", value: str) -> None:
    """Validate that ``value`` names one of the 144 games; ``ConfigError`` if not."""
    if value not in GAMES:
        wanted = "expected layer (1 to 4), row and column (1 to 6), as in '111'"
        raise ConfigError(f"{attribute.name}: no 2×2 game {value!r}; {wanted}{did_you_mean(value, list(GAMES))}")


def rising(instance: object, attribute: "attrs.Attribute[tuple[int, ...]]", value: tuple[int, ...]) -> None:
    """Validate that ``value`` holds four strictly rising payoffs; ``ConfigError`` if not."""
    if len(value) != 4 or any(low >= high for low, high in pairwise(value)):
        raise ConfigError(
            f"{attribute.name}: expected four payoffs that go up, as in [1, 2, 3, 4], got {list(value)!r}"
        )


@attrs.frozen
class TwoByTwo(EquilibriumQuestions):
    """Name the equilibria of one of the 144 games from its table.

    ``exchange`` renames players and choices, and the two lists of payoffs replace the ranks: the same question in
    another form, to test robustness. Answers are recorded in the cells of the original game.
    """

    game: str = attrs.field(default="111", validator=in_topology, metadata={"help": "layer, row and column, as '111'"})
    exchange: tuple[Exchange, ...] = attrs.field(
        default=(), metadata={"help": "what to exchange, one after another: players, rows, columns"}
    )
    payoffs_a: tuple[int, ...] = attrs.field(
        default=(1, 2, 3, 4), validator=rising, metadata={"help": "A's payoffs, from the worst to the best"}
    )
    payoffs_b: tuple[int, ...] = attrs.field(
        default=(1, 2, 3, 4), validator=rising, metadata={"help": "B's payoffs, from the worst to the best"}
    )

    def count(self) -> int:
        """How many questions the task has: always one."""
        return 1

    def questions(self, chance: Chance) -> tuple[Question, ...]:
        """The question about the table, which needs no chance."""
        return (self.question,)

    @property
    def question(self) -> Question:
        """The table in words, with its right answer."""
        matrix = GAMES[self.game].matrix.relabelled(self.payoffs_a, self.payoffs_b)
        cells = (1, 2, 3, 4)
        for exchange in self.exchange:
            matrix = _exchanged(matrix, exchange)
            cells = tuple(cells[n - 1] for n in _MOVED[exchange])
        notes = {"exchange": list(self.exchange)}
        text = f"{describe(matrix)}\n\n{TASK}"
        return Question(text, matrix.equilibria, self.game, "classic", cells, notes)


def describe(matrix: Matrix) -> str:
    """Put a table of payoffs into words, in the layout of TMGBench."""
    return f"The payoffs of the game, A's before B's; a larger number is better:\n\n{table(matrix)}"


def table(matrix: Matrix) -> str:
    """Rows are A's choices, columns B's, cells ``A's \\ B's``."""
    cells = [f"{a} \\ {b}" for a, b in matrix]
    return "\n".join(
        (
            "| A \\ B | B1 | B2 |",
            "|---|---|---|",
            f"| A1 | {cells[0]} | {cells[1]} |",
            f"| A2 | {cells[2]} | {cells[3]} |",
        )
    )


def read_table(text: str) -> Matrix | None:
    """Read the payoffs from a text that holds one such table; ``None`` if it holds none, or several."""
    cells = [_CELL.findall(line) for line in text.splitlines()]
    rows = [[(int(a), int(b)) for a, b in row] for row in cells if len(row) == 2]
    if len(rows) != 2:
        return None
    payoffs = rows[0] + rows[1]
    return Matrix.of([a for a, _ in payoffs], [b for _, b in payoffs])


def _exchanged(matrix: Matrix, exchange: Exchange) -> Matrix:
    if exchange == "players":
        return matrix.exchanged()
    return matrix.rows_exchanged() if exchange == "rows" else matrix.columns_exchanged()
