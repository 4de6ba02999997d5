"""The search of connect four: plain Python, which Numba compiles where it is installed.

Alpha-beta with null windows, a table of bounds, moves that do not lose at once ordered by the threats they make: the
method that Pascal Pons describes (Solving Connect 4, 2015). Everything is an integer, so that both do the same.
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
"""Whether Numba is installed: some thirty times as fast, after some seconds of compiling on a machine's first use."""

KEPT: Final = 4_000_000 if IS_COMPILED else 1_000_000
"""Positions whose bounds are kept at once: about 200 MB, about 130 MB without Numba."""

_CENTRE_FIRST: Final = tuple(COLUMN[column] for column in sorted(range(COLUMNS), key=lambda c: abs(c - COLUMNS // 2)))
_SHIFT: Final = CELLS
_CODES: Final = 2 * CELLS + 1

Table = MutableMapping[int, int]
"""The bounds of a position by its key: ``(low + 42) * 85 + high + 42``."""


def _ones(bits: int, /) -> int:
    """How many bits are set, counted in ever wider groups."""
    bits -= (bits >> 1) & 0x5555555555555
    bits = (bits & 0x3333333333333) + ((bits >> 2) & 0x3333333333333)
    bits = (bits + (bits >> 4)) & 0xF0F0F0F0F0F0F
    return ((bits * 0x1010101010101) >> 48) & 0xFF


def search(own: int, discs: int, count: int, alpha: int, beta: int, threats: int, table: Table, left: Any) -> int:
    """The score where it lies inside the window, else a bound on it; who is to move cannot win at once.

    ``threats`` are the cells that give the other a four, ``left[0]`` is how many positions may still be looked at;
    below zero the result means nothing. One long function, and what it does a million times is written out rather
    than called: in Python that is what its speed comes from.
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
    """An empty table."""
    return numba.typed.Dict.empty(numba.int64, numba.int64) if IS_COMPILED else {}


def counter(nodes: int) -> Any:
    """What counts down from ``nodes``."""
    return np.array([nodes]) if IS_COMPILED else [nodes]
