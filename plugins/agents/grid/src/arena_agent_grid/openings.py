"""The scores of connect four's first moves, from two tables.

Up to ``SHALLOW`` discs: our own table with the score of every unfinished position, of which one of two mirror images is
kept. It holds only scores, in the order of the positions' keys, and the positions are enumerated again when it is read;
``scripts/make_openings.py`` made it from the other table. With exactly ``DEEP`` discs: the opening database of
``bitbully-databases`` (Markus Thill, MIT), which has every position in which nobody can win at once, with the number
of plies to the end.
"""

import lzma
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

import numpy as np

from arena_agent_grid.columns import COLUMN, COLUMNS, HEIGHT, ROWS, closing, landing, mirrored

SHALLOW: Final = 7
DEEP: Final = 12

_COLUMN_BITS: Final = (1 << HEIGHT) - 1


def layers(most: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """All unfinished positions of 0, 1, … ``most`` discs, one of each two mirror images, sorted by key.

    Each layer is a pair of ``uint64`` arrays: the discs of the player to move, and all discs.
    """
    own, discs = np.zeros(1, np.uint64), np.zeros(1, np.uint64)
    yield own, discs
    for _ in range(most):
        won = closing(own, discs)
        moves = [landing(discs) & np.uint64(column) for column in COLUMN]
        goes_on = [(move != 0) & (won & move == 0) for move in moves]
        other = np.concatenate([(own ^ discs)[goes] for goes in goes_on])
        after = np.concatenate([(discs | move)[goes] for move, goes in zip(moves, goes_on, strict=True)])
        _, places = np.unique(keys(other, after), return_index=True)
        own, discs = _least(other[places], after[places])
        yield own, discs


def keys(own: np.ndarray, discs: np.ndarray) -> np.ndarray:
    """Keys that are equal only for equal or mirrored positions."""
    return np.minimum(own + discs, mirrored(own) + mirrored(discs))


def _least(own: np.ndarray, discs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    own_there, discs_there = mirrored(own), mirrored(discs)
    is_less = own_there + discs_there < own + discs
    return np.where(is_less, own_there, own), np.where(is_less, discs_there, discs)


@lru_cache(maxsize=1)
def shallow() -> dict[int, int]:
    """The scores of positions of up to ``SHALLOW`` discs by the smaller key of the position and its mirror image."""
    packed = files("arena_agent_grid").joinpath("openings.xz").read_bytes()
    scores = np.frombuffer(lzma.decompress(packed), np.int8)
    positions = np.concatenate([own + discs for own, discs in layers(SHALLOW)])
    return dict(zip(positions.tolist(), scores.tolist(), strict=True))


class OpeningTable:
    """The scores of positions of ``DEEP`` discs in which nobody can win at once."""

    def __init__(self) -> None:
        import bitbully_databases

        path = bitbully_databases.BitBullyDatabases.get_database_path("12-ply-dist")
        entries = np.fromfile(path, np.uint8).reshape(-1, 5)
        self._codes = entries[:, :4].copy().view(">i4").ravel().astype(np.int32)
        self._plies = entries[:, 4].view(np.int8)

    def score(self, own: int, discs: int) -> int:
        """Look up one position; ``own`` are the discs of the player to move."""
        for code in (_code(own, discs), _code(mirrored(own), mirrored(discs))):
            place = int(self._codes.searchsorted(np.int32(code)))
            if place < len(self._codes) and self._codes[place] == code:
                return _score(int(self._plies[place]))
        raise LookupError(f"bitbully-databases has no position {own:#x} of {discs:#x}")


@lru_cache(maxsize=1)
def deep() -> OpeningTable:
    """The database, read on first use; it takes some 40 MB of memory."""
    return OpeningTable()


def _score(entry: int) -> int:
    """Convert an entry, which is 100 less the plies to the end, negative if the player to move loses, 0 for a draw."""
    if entry == 0:
        return 0
    left = 44 - DEEP - (100 - abs(entry))
    return left // 2 if entry > 0 else -(left // 2)


def _code(own: int, discs: int) -> int:
    """The database's key: column by column from the left, own discs are 10, the other player's 11, a column's end 0."""
    code = 0
    for column in range(COLUMNS):
        shift = HEIGHT * column
        bits, length = _COLUMN_CODES[(own >> shift) & _COLUMN_BITS, (discs >> shift) & _COLUMN_BITS]
        code = code << length | bits
    code <<= 1
    return code - (1 << 32) if code >> 31 else code


def _column_codes() -> dict[tuple[int, int], tuple[int, int]]:
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for height in range(ROWS + 1):
        for own in range(1 << height):
            text = "".join("10" if own >> row & 1 else "11" for row in range(height)) + "0"
            found[own, (1 << height) - 1] = int(text, 2), len(text)
    return found


_COLUMN_CODES: Final[Any] = _column_codes()
