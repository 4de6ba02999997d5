"""Connect four as bits, 6 rows and 7 columns: winning cells, playable cells, and keys of positions.

Each column takes seven bits, from the bottom up, the seventh always empty; the left column is the lowest. A position is
``own``, the discs of the player to move, with ``discs``, all of them; ``own + discs`` is a unique key. The layout is
that of John Tromp's Fhourstones. All functions take integers; those that say so also take NumPy arrays of ``uint64``.
"""

from typing import Any, Final

ROWS: Final = 6
COLUMNS: Final = 7
CELLS: Final = ROWS * COLUMNS
HEIGHT: Final = ROWS + 1

BOTTOM: Final = sum(1 << HEIGHT * column for column in range(COLUMNS))
BOARD: Final = BOTTOM * ((1 << ROWS) - 1)
COLUMN: Final = tuple(((1 << ROWS) - 1) << HEIGHT * column for column in range(COLUMNS))


def closing(own: Any, discs: Any) -> Any:
    """The empty cells, reachable or not, that would give the owner of ``own`` four in a row; also of arrays."""
    found = (own << 1) & (own << 2) & (own << 3)
    for step in (HEIGHT - 1, HEIGHT, HEIGHT + 1):
        up = (own << step) & (own << 2 * step)
        down = (own >> step) & (own >> 2 * step)
        found |= up & ((own << 3 * step) | (own >> step)) | down & ((own << step) | (own >> 3 * step))
    return found & (discs ^ BOARD)


def landing(discs: Any) -> Any:
    """The lowest empty cell of each column, where the next disc would land; also of arrays."""
    return (discs + BOTTOM) & BOARD


def mirrored(bits: Any) -> Any:
    """The mirror image of a board; also of arrays."""
    found = bits & 0
    for column in range(COLUMNS):
        found |= ((bits >> HEIGHT * column) & ((1 << HEIGHT) - 1)) << HEIGHT * (COLUMNS - 1 - column)
    return found


def at_once(discs: int) -> int:
    """The score of a player who wins with the next disc."""
    return (CELLS + 1 - discs) // 2
