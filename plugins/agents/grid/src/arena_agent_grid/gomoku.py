"""A search for gomoku and similar games: forced wins by fours first, then alpha-beta over the best moves.

Threats are searched as in threat-space search (Allis, van den Herik and Huntjens 1993), limited to fours: each leaves
the other player one answer, so a chain of them is cheap to follow. Other positions are judged by their open lines. The
search is bounded by positions, never by a clock, so equal questions have equal answers.
"""

from heapq import nlargest
from typing import Final

import attrs
from arena_game_grid.board import Board

from arena_agent_grid.windows import LineCounts

WIN: Final = 1_000_000
FORCED: Final = WIN - 1_000
"""Scores from here on are wins that the search has followed to their end."""


@attrs.frozen(kw_only=True)
class SearchLimits:
    """Limits of a search: plies ahead, moves considered in each position, and positions visited for chains of fours."""

    depth: int = 4
    width: int = 9
    chain: int = 400


class Search:
    """A search of one position. Scores are from the view of the player to move."""

    def __init__(self, board: Board, stones: tuple[int, int], player: int, effort: SearchLimits) -> None:
        self._windows = LineCounts(board, stones)
        self._player = player
        self._effort = effort
        self._left = 0

    def best(self) -> tuple[int, list[int]]:
        """The best score found, and the cells that reach it."""
        windows, player = self._windows, self._player
        if done := windows.closing(player):
            return WIN - 1, done
        forced = windows.closing(1 - player)
        if not forced and (cell := self._chained(player)) is not None:
            return FORCED, [cell]
        found: dict[int, int] = {}
        for cell in forced or self._candidates(player):
            # a bound below the best so far is enough for who falls behind it, ties are wanted exactly
            best = max(found.values(), default=-WIN)
            found[cell] = self._after(cell, player, self._effort.depth - 1, best - 1, WIN, 1)
        best = max(found.values())
        return best, [cell for cell, score in found.items() if score == best]

    def scores(self) -> dict[int, int]:
        """A score for every empty cell, all searched to the same depth."""
        return {
            cell: self._after(cell, self._player, self._effort.depth - 1, -WIN, WIN, 1) for cell in self._windows.free
        }

    def _after(self, cell: int, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        windows = self._windows
        if cell in windows.closing(player):
            return WIN - ply
        windows.put(cell, player)
        try:
            if ply == 1 and not windows.closing(player) and self._chained(1 - player) is not None:
                return -FORCED + ply
            return -self._value(1 - player, depth, -beta, -alpha, ply + 1)
        finally:
            windows.take(cell)

    def _value(self, player: int, depth: int, alpha: int, beta: int, ply: int) -> int:
        windows = self._windows
        if windows.one_short[player]:
            return WIN - ply
        forced = windows.closing(1 - player)
        if len(forced) > 1:
            return -(WIN - ply - 1)
        if depth <= 0 and not forced:
            return -windows.value if player else windows.value
        moves = forced or self._candidates(player)
        if not moves:
            return 0
        best = -WIN
        for cell in moves:
            # an answer to a four is no choice, so it does not count as a move ahead
            best = max(best, self._after(cell, player, depth - (not forced), max(alpha, best), beta, ply + 1))
            if best >= beta:
                break
        return best

    def _candidates(self, player: int) -> list[int]:
        """The empty cells worth most to the two players together, best first."""
        windows = self._windows
        mine, theirs = windows.cell_values[player], windows.cell_values[1 - player]
        centre = (windows.board.cells - 1) / 2
        return nlargest(
            self._effort.width,
            windows.free,
            key=lambda cell: (2 * mine[cell] + theirs[cell], -abs(cell - centre)),
        )

    def _chained(self, player: int) -> int | None:
        """The first move of a chain of fours that wins by force, or ``None`` if none was found."""
        self._left = self._effort.chain
        return self._chain(player)

    def _chain(self, player: int) -> int | None:
        windows, other = self._windows, 1 - player
        if done := windows.closing(player):
            return done[0]
        forced = windows.closing(other)
        if len(forced) > 1:
            return None
        for line in sorted(windows.two_short[player]):
            for cell in windows.gaps(line):
                if forced and cell != forced[0]:
                    continue
                self._left -= 1
                if self._left < 0:
                    return None
                if self._wins(cell, player):
                    return cell
        return None

    def _wins(self, cell: int, player: int) -> bool:
        """Whether the four made on ``cell`` wins after its only possible answer."""
        windows, other = self._windows, 1 - player
        windows.put(cell, player)
        answers = windows.closing(player)
        won = not windows.one_short[other] and len(answers) > 1
        if not won and len(answers) == 1 and not windows.one_short[other]:
            windows.put(answers[0], other)
            won = self._chain(player) is not None
            windows.take(answers[0])
        windows.take(cell)
        return won
