"""The geometry of a grid: cells as bits of integers, the lines that count, and the actions that name cells.

The cell in row ``r`` and column ``c``, both from 0 at the top left, is bit ``r * columns + c``.
"""

from collections.abc import Iterator, Mapping
from functools import cache, reduce
from operator import or_
from typing import Any, Final, Literal, TypeAlias

import attrs
from arena.record import EVERYONE, GameEvent

Directions: TypeAlias = Literal["all", "straight", "diagonal"]
Wraps: TypeAlias = Literal["none", "sideways", "all"]

STEPS: Final[Mapping[Directions, tuple[tuple[int, int], ...]]] = {
    "all": ((0, 1), (1, 0), (1, 1), (1, -1)),
    "straight": ((0, 1), (1, 0)),
    "diagonal": ((1, 1), (1, -1)),
}


@attrs.frozen(eq=False)
class Board:
    """The geometry of a grid, shared by all its matches; ``board`` makes it once for equal parameters.

    ``lines[cell]`` has each line through a cell as a pair of bit sets: its cells, and the cells that must not be one's
    own for the line to count (the two ends beyond it if only exact lines count, otherwise none). ``axes[cell]`` has the
    cells of the same lines by direction: all cells of one direction together, and each line. ``actions`` lists all
    actions: cells in reading order, or columns if discs fall. ``events[player][cell]`` is the public event of a
    move. What is shared here must not be changed.
    """

    rows: int
    columns: int
    align: int
    gravity: bool
    full: int
    lines: tuple[tuple[tuple[int, int], ...], ...]
    axes: tuple[tuple[tuple[int, tuple[int, ...]], ...], ...]
    column_cells: tuple[int, ...]
    actions: tuple[dict[str, int], ...]
    events: tuple[tuple[GameEvent, ...], ...]

    @property
    def cells(self) -> int:
        """The number of cells: rows times columns."""
        return self.rows * self.columns

    def playable(self, taken: int) -> int:
        """The cells that a move can fill: free ones, and if discs fall only the lowest of each column."""
        free = self.full & ~taken
        return free & ~(free >> self.columns) if self.gravity else free

    def action(self, cell: int) -> dict[str, int]:
        """The action that fills a playable cell."""
        return self.actions[cell % self.columns if self.gravity else cell]

    def label(self, action: Mapping[str, Any]) -> str:
        """The label of an action: ``row 1, column 2`` or ``column 2``."""
        if self.gravity:
            return f"column {action['column']}"
        return f"row {action['row']}, column {action['column']}"


@cache
def board(
    rows: int, columns: int, align: int, gravity: bool, overline: bool, directions: Directions, wraps: Wraps
) -> Board:
    """The geometry for these rules; equal arguments return the same object."""
    through: list[list[tuple[int, int]]] = [[] for _ in range(rows * columns)]
    axes: list[list[tuple[int, tuple[int, ...]]]] = [[] for _ in range(rows * columns)]
    for step in STEPS[directions]:
        here: list[list[int]] = [[] for _ in axes]
        for cells, beyond in dict.fromkeys(_lines(rows, columns, align, step, wraps)):
            for cell in members(cells):
                through[cell].append((cells, 0 if overline else beyond))
                here[cell].append(cells)
        for cell, lines in enumerate(here):
            if lines:
                axes[cell].append((reduce(or_, lines), tuple(lines)))
    places = [(r, c) for r in range(1, rows + 1) for c in range(1, columns + 1)]
    dropped = tuple({"column": c} for c in range(1, columns + 1))
    return Board(
        rows=rows,
        columns=columns,
        align=align,
        gravity=gravity,
        full=(1 << rows * columns) - 1,
        lines=tuple(map(tuple, through)),
        axes=tuple(map(tuple, axes)),
        column_cells=tuple(sum(1 << r * columns + c for r in range(rows)) for c in range(columns)),
        actions=dropped if gravity else tuple({"row": r, "column": c} for r, c in places),
        events=tuple(
            tuple(GameEvent("moved", {"player": player, "row": r, "column": c}, EVERYONE) for r, c in places)
            for player in (0, 1)
        ),
    )


def has_line(rows: int, columns: int, align: int, directions: Directions, wraps: Wraps) -> bool:
    """Whether a line of this length fits on the grid."""
    return any(True for step in STEPS[directions] for _ in _lines(rows, columns, align, step, wraps))


def _lines(rows: int, columns: int, align: int, step: tuple[int, int], wraps: Wraps) -> Iterator[tuple[int, int]]:
    """Every line of one direction: its cells, and the cells just beyond its two ends."""

    def cell(r: int, c: int) -> int | None:
        if wraps != "none":
            c %= columns
        if wraps == "all":
            r %= rows
        return r * columns + c if 0 <= r < rows and 0 <= c < columns else None

    down, right = step
    for r in range(rows):
        for c in range(columns):
            line = {cell(r + i * down, c + i * right) for i in range(align)}
            if None in line or len(line) < align:
                continue
            ends = {cell(r + i * down, c + i * right) for i in (-1, align)} - line - {None}
            yield _bits(line), _bits(ends)


def _bits(cells: set[int | None]) -> int:
    return sum(1 << cell for cell in cells if cell is not None)


def members(bits: int) -> Iterator[int]:
    """The cells of a bit set, in reading order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
