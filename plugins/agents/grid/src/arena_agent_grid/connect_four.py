"""Connect four, 6 rows and 7 columns, played perfectly.

Scores follow the usual convention: the number of own discs left when the game is won, counting the winning one (a win
with the last own disc is 1), negative if the other player wins, 0 for a draw; so quicker wins score higher.

Positions of few discs are looked up in ``openings``; all others are searched by ``column_search``.
"""

from arena.errors import SolverError

from arena_agent_grid.column_search import IS_COMPILED, counter, new_table, search
from arena_agent_grid.columns import CELLS, COLUMN, COLUMNS, at_once, closing, landing, mirrored
from arena_agent_grid.openings import DEEP, SHALLOW, deep, shallow


class ConnectFour:
    """Computes exact scores and keeps what it learns about positions. Not safe for several threads at a time.

    ``nodes`` is how many positions are searched for one question before ``SolverError``.
    """

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._left = counter(nodes)
        self._table = new_table()

    def scores(self, own: int, discs: int) -> dict[int, int]:
        """The score of each column that is not full, for the player to move; nobody may have won yet."""
        self._left[0] = self._nodes
        return {column: self._after(own, discs, move) for column, move in _moves(discs)}

    def _after(self, own: int, discs: int, move: int) -> int:
        """The score for the player who makes a move."""
        return at_once(discs.bit_count()) if move & closing(own, discs) else -self._score(own ^ discs, discs | move)

    def _score(self, own: int, discs: int) -> int:
        """The score for the player to move."""
        count = discs.bit_count()
        if count == CELLS:
            return 0
        if count <= SHALLOW:
            return shallow()[min(own + discs, mirrored(own) + mirrored(discs))]
        if closing(own, discs) & landing(discs):
            return at_once(count)
        if count == DEEP:
            return deep().score(own, discs)
        if count < DEEP:
            return max(self._after(own, discs, move) for _, move in _moves(discs))
        return self._searched(own, discs, count)

    def _searched(self, own: int, discs: int, count: int) -> int:
        """Find the score by null-window searches that ask if it is above a bound, trying small scores first."""
        low, high = -((CELLS - count) // 2), (CELLS - 1 - count) // 2
        threats = closing(own ^ discs, discs)
        while low < high:
            middle = low + (high - low) // 2
            if middle <= 0 and low // 2 < middle:
                middle = int(low / 2)
            elif middle >= 0 and high // 2 > middle:
                middle = high // 2
            found = search(own, discs, count, middle, middle + 1, threats, self._table, self._left)
            if self._left[0] < 0:
                faster = (
                    "" if IS_COMPILED else " (with playarena-agent-grid[compiled] they take a thirtieth of the time)"
                )
                raise SolverError(
                    f"connect-four looked at {self._nodes:,} positions and was not done; raise 'nodes'{faster}"
                )
            low, high = (low, found) if found <= middle else (found, high)
        return low


def _moves(discs: int) -> list[tuple[int, int]]:
    """The columns that are not full, each with the cell where a disc lands."""
    return [(column, move) for column in range(COLUMNS) if (move := landing(discs) & COLUMN[column])]
