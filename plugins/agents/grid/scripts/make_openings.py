"""Make ``openings.xz`` from the database of ``bitbully-databases``; half a minute, 2 GB of memory.

    python scripts/make_openings.py

Scores of all positions of ``DEEP`` discs are read from the database; those of fewer discs follow by minimax. What is
written are the scores of positions of up to ``SHALLOW`` discs, one byte each, in the order of ``openings.layers``.
"""

import lzma
from pathlib import Path

import numpy as np
from arena_agent_grid.columns import COLUMN, at_once, closing, landing
from arena_agent_grid.openings import DEEP, SHALLOW, deep, keys, layers


def scores() -> list[np.ndarray]:
    """The scores of every layer up to ``DEEP`` discs."""
    known = list(layers(DEEP))
    own, discs = known[DEEP]
    wins = closing(own, discs) & landing(discs) != 0
    book = deep()
    found = [
        at_once(DEEP) if win else book.score(o, d)
        for win, o, d in zip(wins.tolist(), own.tolist(), discs.tolist(), strict=True)
    ]
    layered = [np.array(found, np.int8)]
    for count in range(DEEP - 1, -1, -1):
        layered.append(_before(count, known[count], known[count + 1], layered[-1]))
    return layered[::-1]


def _before(
    count: int, layer: tuple[np.ndarray, np.ndarray], after: tuple[np.ndarray, np.ndarray], scored: np.ndarray
) -> np.ndarray:
    own, discs = layer
    positions = after[0] + after[1]
    won = closing(own, discs)
    best = np.full(len(own), -100, np.int8)
    for column in COLUMN:
        move = landing(discs) & np.uint64(column)
        key = keys(own ^ discs, discs | move)
        places = np.minimum(np.searchsorted(positions, key), len(positions) - 1)
        value = np.where(won & move != 0, at_once(count), -scored[places])
        best = np.where(move != 0, np.maximum(best, value), best)
    return best.astype(np.int8)


if __name__ == "__main__":
    made = np.concatenate(scores()[: SHALLOW + 1])
    target = Path(__file__).parents[1] / "src" / "arena_agent_grid" / "openings.xz"
    target.write_bytes(lzma.compress(made.tobytes(), preset=9 | lzma.PRESET_EXTREME))
    print(f"{target.name}: {len(made):,} scores in {target.stat().st_size:,} bytes")  # noqa: T201
