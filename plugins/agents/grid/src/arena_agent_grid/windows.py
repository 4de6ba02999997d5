"""A gomoku board that counts the stones of each player in every line that can still be completed.

A line is open to a player while the other has no stone in it. The fuller it is, the more it is worth; a cell is worth
the sum of the lines through it, and a position the first player's lines minus the second's.
"""

from collections.abc import Sequence
from typing import Final

from arena_game_grid.board import Board, members

WORTH: Final = (1, 6, 40, 260, 4_000)
"""The worth of an open line by its stones if five in a line win; in other games, by how many stones it lacks."""


class LineCounts:
    """A position on which moves can be made and taken back; ``value`` is from the first player's view.

    ``one_short[player]`` and ``two_short[player]`` are the numbers of a player's lines that lack one or two stones;
    ``lines`` has the cells of each line.
    """

    def __init__(self, board: Board, stones: Sequence[int]) -> None:
        self.board = board
        numbers: dict[int, int] = {}
        for through in board.lines:
            for line, _ in through:
                numbers.setdefault(line, len(numbers))
        self.lines = tuple(tuple(members(line)) for line in numbers)
        self._through = tuple(tuple(numbers[line] for line, _ in through) for through in board.lines)
        self._worth = _worths(board.align)
        self._counts = [[0] * len(self.lines), [0] * len(self.lines)]
        self.owner: list[int | None] = [None] * board.cells
        self.cell_values = [[self._worth[0] * len(through) for through in board.lines] for _ in (0, 1)]
        self.one_short: tuple[set[int], set[int]] = set(), set()
        self.two_short: tuple[set[int], set[int]] = set(), set()
        self.value = 0
        for player, held in enumerate(stones):
            for cell in members(held):
                self.put(cell, player)

    @property
    def free(self) -> list[int]:
        """The empty cells in ascending order."""
        return [cell for cell, owner in enumerate(self.owner) if owner is None]

    def put(self, cell: int, player: int) -> None:
        """Put a stone on an empty cell."""
        self.owner[cell] = player
        self._count(cell, player, 1)

    def take(self, cell: int) -> None:
        """Take a stone back; stones must be taken back in the reverse order."""
        player = self.owner[cell]
        assert player is not None
        self._count(cell, player, -1)
        self.owner[cell] = None

    def closing(self, player: int) -> list[int]:
        """The empty cells that complete a line of ``player``."""
        owner = self.owner
        return sorted({cell for line in self.one_short[player] for cell in self.lines[line] if owner[cell] is None})

    def gaps(self, line: int) -> list[int]:
        """The empty cells of a line."""
        return [cell for cell in self.lines[line] if self.owner[cell] is None]

    def _count(self, cell: int, player: int, step: int) -> None:
        mine, theirs = self._counts[player], self._counts[1 - player]
        my_values, their_values = self.cell_values[player], self.cell_values[1 - player]
        worth, full = self._worth, self.board.align
        one_short, two_short = self.one_short[player], self.two_short[player]
        gain = 0
        for line in self._through[cell]:
            before = mine[line]
            after = mine[line] = before + step
            other = theirs[line]
            if not other:
                change = worth[after] - worth[before]
                gain += change
                for place in self.lines[line]:
                    my_values[place] += change
                if full - 2 <= max(before, after):
                    (one_short.add if after == full - 1 else one_short.discard)(line)
                    (two_short.add if after == full - 2 else two_short.discard)(line)
            if not before or not after:  # the other's line is spoilt by the first stone, and free without it
                change = -worth[other] * step
                gain -= change
                for place in self.lines[line]:
                    their_values[place] += change
                if full - 2 <= other < full:
                    lines = (self.two_short if other == full - 2 else self.one_short)[1 - player]
                    (lines.discard if after else lines.add)(line)
        self.value += -gain if player else gain


def _worths(align: int) -> tuple[int, ...]:
    """The worth of lines with 0, 1, … ``align`` stones; for a full one, which ends the game, just a large number."""
    return (*(WORTH[max(0, 5 - align + count)] if count else 1 for count in range(align)), 10 * WORTH[-1])
