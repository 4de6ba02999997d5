"""The search of connect four, in plain Python that Numba compiles if it is installed.

Alpha-beta with null windows and a transposition table of bounds; moves that do not lose at once are ordered by the
threats they make. This is the method that Pascal Pons describes (Solving Connect 4, 2015). All values are integers, so
that compiled and plain code give the same results.
"""

from collections.abc import MutableMapping
from typing import Any, Final

import numpy as np

from arena_agent_grid.columns import BOARD, BOTTOM, CELLS, COLUMN, COLUMNS, HEIGHT

try:
    import numba  # pyright: ignore[reportMissingImports]
except ModuleNotFoundError:
    numba: Any = None

IS_COMPILED: Final = numba is not None
"""Whether Numba is installed. It makes the search some thirty times as fast, after compiling once for some seconds."""

KEPT: Final = 4_000_000 if IS_COMPILED else 1_000_000
"""The most positions whose bounds are kept: about 200 MB, or about 130 MB without Numba."""

_CENTRE_FIRST: Final = tuple(COLUMN[column] for column in sorted(range(COLUMNS), key=lambda c: abs(c - COLUMNS // 2)))
_SHIFT: Final = CELLS
_CODES: Final = 2 * CELLS + 1

Table = MutableMapping[int, int]
"""The bounds of a position by its key: ``(low + 42) * 85 + high + 42``."""


def _ones(bits: int, /) -> int:
    """Count the set bits by adding neighbouring groups of bits in parallel."""
    bits -= (bits >> 1) & 0x5555555555555
    bits = (bits & 0x3333333333333) + ((bits >> 2) & 0x3333333333333)
    bits = (bits + (bits >> 4)) & 0xF0F0F0F0F0F0F
    return ((bits * 0x1010101010101) >> 48) & 0xFF


def search(own: int, discs: int, count: int, alpha: int, beta: int, threats: int, table: Table, left: Any) -> int:
    """Return the exact score if it lies inside the window, else a bound; the player to move must not have a winning
    move.

    ``threats`` are the cells that give the other player a four, ``left[0]`` is how many positions may still be visited;
    below zero the result means nothing. This is one long function with its inner steps written out rather than called,
    because calls are what makes a search slow in Python.
    """
    left[0] -= 1
    moves = (discs + BOTTOM) & BOARD
    forced = moves & threats
    if forced:
        if forced & (forced - 1):
            return -((CELLS - count) // 2)
        moves = forced
    moves &= ~(threats >> 1)  # below a cell that the other waits for
    if not moves:
        return -((CELLS - count) // 2)
    if count >= CELLS - 2 or left[0] < 0:
        return 0
    alpha = max(alpha, -((CELLS - 2 - count) // 2))
    beta = min(beta, (CELLS - 1 - count) // 2)
    key = own + discs
    low, high = -_SHIFT, _SHIFT
    if key in table:
        known = table[key]
        low, high = known // _CODES - _SHIFT, known % _CODES - _SHIFT
        alpha = max(alpha, low)
        beta = min(beta, high)
    if alpha >= beta:
        return alpha
    children = [(0, 0, 0)]  # not empty, so that Numba knows of what
    children.clear()
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
            children.append((place - HEIGHT * _ones(made), after, made))
    children.sort()
    other = own ^ discs
    for _, after, made in children:
        found = -search(other, after, count + 1, -beta, -alpha, made, table, left)
        if left[0] < 0:
            return 0
        if found >= beta:
            low = found
            break
        alpha = max(alpha, found)
    else:
        found = high = alpha
    if len(table) >= KEPT:
        table.clear()
    table[key] = (low + _SHIFT) * _CODES + high + _SHIFT
    return found


if IS_COMPILED:
    _ones = numba.njit(cache=True)(_ones)
    search = numba.njit(cache=True)(search)
else:
    _ones = int.bit_count


def new_table() -> Table:
    """Create an empty transposition table: a typed one for compiled code, else a ``dict``."""
    return numba.typed.Dict.empty(numba.int64, numba.int64) if IS_COMPILED else {}


def counter(nodes: int) -> Any:
    """A mutable counter of the positions that are left, starting at ``nodes``."""
    return np.array([nodes]) if IS_COMPILED else [nodes]
