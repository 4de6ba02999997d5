"""Connect four, 6 rows and 7 columns, played perfectly.

Scores are those of the usual convention: the number of own discs left when the game is won, the winning one included
(a win with the last own disc is 1), negative where the other wins, 0 for a draw; so quicker wins score higher.

Alpha-beta with null windows, a table of bounds, moves that do not lose at once ordered by the threats they make: the
method that Pascal Pons describes (Solving Connect 4, 2015). Positions of few discs come from ``openings``.
"""

from typing import Final

from arena.errors import Unsolved

from arena_agent_grid.columns import BOARD, BOTTOM, CELLS, COLUMN, COLUMNS, HEIGHT, at_once, closing, landing, mirrored
from arena_agent_grid.openings import DEEP, SHALLOW, Deep, deep, shallow

_CENTRE_FIRST: Final = tuple(COLUMN[column] for column in sorted(range(COLUMNS), key=lambda c: abs(c - COLUMNS // 2)))
_SHIFT: Final = CELLS
_BOUNDS: Final = tuple(tuple((low, high) for high in range(-_SHIFT, _SHIFT + 1)) for low in range(-_SHIFT, _SHIFT + 1))
"""Each pair of bounds once, so that a table of a million positions holds no million pairs."""

_KEPT: Final = 1_000_000
"""Positions whose bounds are kept at once: about 100 MB."""


class ConnectFour:
    """Exact scores; what was found out about one position serves the next. Not for several threads at a time.

    ``nodes`` is how many positions are looked at for one question before it is given up.
    """

    def __init__(self, nodes: int) -> None:
        self._nodes = nodes
        self._left = nodes
        self._bounds: dict[int, tuple[int, int]] = {}
        self._deep: Deep | None = None

    def scores(self, own: int, discs: int) -> dict[int, int]:
        """The score of each column that is not full, for who is to move; nobody has won yet."""
        self._left = self._nodes
        won = closing(own, discs)
        found: dict[int, int] = {}
        for column in range(COLUMNS):
            move = landing(discs) & COLUMN[column]
            if move & won:
                found[column] = at_once(discs.bit_count())
            elif move:
                found[column] = -self._score(own ^ discs, discs | move)
        return found

    def _score(self, own: int, discs: int) -> int:
        count = discs.bit_count()
        if count == CELLS:
            return 0
        if count <= SHALLOW:
            return shallow()[min(own + discs, mirrored(own) + mirrored(discs))]
        if closing(own, discs) & landing(discs):
            return at_once(count)
        if count <= DEEP:
            self._deep = deep()
        return self._narrowed(own, discs, count)

    def _narrowed(self, own: int, discs: int, count: int) -> int:
        """Ask whether the score is above some bound, again and again; small scores are asked about first."""
        low, high = -((CELLS - count) // 2), (CELLS - 1 - count) // 2
        threats = closing(own ^ discs, discs)
        while low < high:
            middle = low + (high - low) // 2
            if middle <= 0 and low // 2 < middle:
                middle = int(low / 2)
            elif middle >= 0 and high // 2 > middle:
                middle = high // 2
            found = self._search(own, discs, count, middle, middle + 1, threats)
            low, high = (low, found) if found <= middle else (found, high)
        return low

    def _search(self, own: int, discs: int, count: int, alpha: int, beta: int, threats: int) -> int:
        """The score where it lies inside the window, else a bound on it; who is to move cannot win at once.

        ``threats`` are the cells that give the other a four. One long function, and what it does a million times is
        written out rather than called: in Python that is what its speed comes from.
        """
        self._left -= 1
        moves = (discs + BOTTOM) & BOARD
        forced = moves & threats
        if forced:
            if forced & (forced - 1):
                return -((CELLS - count) // 2)
            moves = forced
        moves &= ~(threats >> 1)  # below a cell that the other waits for
        if not moves:
            return -((CELLS - count) // 2)
        if count >= CELLS - 2:
            return 0
        if count == DEEP:
            return (self._deep or deep()).score(own, discs)
        alpha = max(alpha, -((CELLS - 2 - count) // 2))
        beta = min(beta, (CELLS - 1 - count) // 2)
        key = own + discs
        known = self._bounds.get(key)
        if known is not None:
            alpha = max(alpha, known[0])
            beta = min(beta, known[1])
        if alpha >= beta:
            return alpha
        if self._left < 0:
            raise Unsolved(f"connect-four looked at {self._nodes:,} positions and was not done; raise 'nodes'")
        children: list[tuple[int, int, int, int]] = []
        for place, column in enumerate(_CENTRE_FIRST):
            move = moves & column
            if move:
                o = own | move
                up, down = (o << 7) & (o << 14), (o >> 7) & (o >> 14)
                made = (o << 1) & (o << 2) & (o << 3) | up & (o << 21 | o >> 7) | down & (o << 7 | o >> 21)
                up, down = (o << 6) & (o << 12), (o >> 6) & (o >> 12)
                made |= up & (o << 18 | o >> 6) | down & (o << 6 | o >> 18)
                up, down = (o << 8) & (o << 16), (o >> 8) & (o >> 16)
                made |= up & (o << 24 | o >> 8) | down & (o << 8 | o >> 24)
                after = discs | move
                made &= BOARD ^ after
                children.append((place - HEIGHT * made.bit_count(), after, made, move))
        children.sort()
        other = own ^ discs
        for _, after, made, _ in children:
            found = -self._search(other, after, count + 1, -beta, -alpha, made)
            if found >= beta:
                self._keep(key, found, known[1] if known else _SHIFT)
                return found
            alpha = max(alpha, found)
        self._keep(key, known[0] if known else -_SHIFT, alpha)
        return alpha

    def _keep(self, key: int, low: int, high: int) -> None:
        if len(self._bounds) >= _KEPT:
            self._bounds.clear()
        self._bounds[key] = _BOUNDS[low + _SHIFT][high + _SHIFT]
