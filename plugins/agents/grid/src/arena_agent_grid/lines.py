"""Exact search of small m,n,k-games with all variants: gravity, exact lines, misère, and edges that meet.

Scores follow the convention of connect four: one more than the discs left to the player of the last move after that
move, negative for the player who loses, 0 for a draw. So quicker wins score higher, and so do later losses.
"""

from collections.abc import Iterator
from typing import Final

from arena.errors import SolverError
from arena_game_grid.board import Board, members

_MOST: Final = 1_000

_KEPT: Final = 1_000_000
"""The most positions whose bounds are kept: some 200 MB."""


class WinningLines:
    """Solves one game and keeps what it learns about positions. Not safe for several threads at a time.

    ``nodes`` is how many positions are searched for one question before ``SolverError``.
    """

    def __init__(self, board: Board, *, misere: bool, nodes: int) -> None:
        self._board = board
        self._misere = misere
        self._nodes = nodes
        self._left = nodes
        self._bounds: dict[tuple[int, int], tuple[int, int]] = {}
        self._all = tuple(dict.fromkeys(line for lines in board.lines for line, _ in lines))
        self._symmetries = tuple(_symmetries(board))
        centre = ((board.rows - 1) / 2, (board.columns - 1) / 2)
        self._order = tuple(
            sorted(
                range(board.cells),
                key=lambda cell: (
                    -len(board.lines[cell]),
                    sum(abs(a - b) for a, b in zip(divmod(cell, board.columns), centre, strict=True)),
                ),
            )
        )

    def scores(self, own: int, other: int) -> dict[int, int]:
        """The score of each playable cell, for the player to move; nobody may have won yet."""
        self._left = self._nodes
        playable = self._board.playable(own | other)
        return {cell: self._after(own, other, cell, -_MOST, _MOST) for cell in members(playable)}

    def _after(self, own: int, other: int, cell: int, alpha: int, beta: int) -> int:
        mine = own | 1 << cell
        if self._closes(mine, cell):
            ended = (self._board.cells + 1 - (own | other).bit_count()) // 2
            return -ended if self._misere else ended
        if mine | other == self._board.full:
            return 0
        return -self._value(other, mine, -beta, -alpha)

    def _value(self, own: int, other: int, alpha: int, beta: int) -> int:
        """The score for the player to move, exact inside the window and a bound outside of it."""
        self._left -= 1
        if self._left < 0:
            raise SolverError(
                f"grid looked at {self._nodes:,} positions and was not done; take a smaller board, or raise 'nodes'"
            )
        key = self._key(own, other)
        low, high = self._bounds.get(key) or self._possible(own, other)
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return low if low >= beta else high
        best = -_MOST
        floor = alpha
        for cell in self._moves(own, other):
            best = max(best, self._after(own, other, cell, floor, beta))
            floor = max(floor, best)
            if floor >= beta:
                break
        if len(self._bounds) >= _KEPT:
            self._bounds.clear()
        self._bounds[key] = low if best <= alpha else best, high if best >= beta else best
        return best

    def _possible(self, own: int, other: int) -> tuple[int, int]:
        """Bounds of the score from which players can still complete a line at all."""
        left = (self._board.cells - (own | other).bit_count()) // 2 + 1
        mine = any(not line & other for line in self._all)
        theirs = any(not line & own for line in self._all)
        if self._misere:
            mine, theirs = theirs, mine
        return -left if theirs else 0, left if mine else 0

    def _moves(self, own: int, other: int) -> Iterator[int]:
        """Moves in order: those that complete a line, those that stop the opponent's, then by the number of lines."""
        playable = self._board.playable(own | other)
        cells = [cell for cell in self._order if playable >> cell & 1]
        if self._misere:
            cells.sort(key=lambda cell: self._closes(own | 1 << cell, cell))
            return iter(cells)
        urgent = [cell for cell in cells if self._closes(own | 1 << cell, cell)]
        if urgent:
            return iter(urgent[:1])
        forced = [cell for cell in cells if self._closes(other | 1 << cell, cell)]
        return iter(forced or cells)

    def _closes(self, stones: int, cell: int) -> bool:
        return any(stones & (line | beyond) == line for line, beyond in self._board.lines[cell])

    def _key(self, own: int, other: int) -> tuple[int, int]:
        """The smallest key of the position and its symmetric images while stones are few; later that costs too much."""
        if (own | other).bit_count() * 2 > self._board.cells:
            return own, other
        mine, theirs = list(members(own)), list(members(other))
        return min((sum(1 << to[c] for c in mine), sum(1 << to[c] for c in theirs)) for to in self._symmetries)


def _symmetries(board: Board) -> Iterator[tuple[int, ...]]:
    """For every rotation and mirror image that keeps the rules, where each cell goes."""
    height, width = board.rows, board.columns
    lines = {line for through in board.lines for line in through}
    for turned in (False, True):
        for down in (False, True):
            for across in (False, True):
                if (turned and height != width) or (board.gravity and (turned or down)):
                    continue
                to: list[int] = []
                for cell in range(board.cells):
                    r, c = divmod(cell, width)
                    r, c = height - 1 - r if down else r, width - 1 - c if across else c
                    to.append(c * width + r if turned else r * width + c)
                moved = {tuple(sum(1 << to[c] for c in members(part)) for part in line) for line in lines}
                if moved == lines:
                    yield tuple(to)
