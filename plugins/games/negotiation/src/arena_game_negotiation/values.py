"""Enumerates the private values with which a pool is worth a given total."""

from collections.abc import Iterator
from functools import lru_cache


@lru_cache(maxsize=64)
def ways(counts: tuple[int, ...], total: int) -> tuple[tuple[int, ...], ...]:
    """All tuples of whole values from 0 up, one for each kind of item, with which the pool is worth ``total``."""
    return tuple(_ways(counts, total))


def _ways(counts: tuple[int, ...], total: int) -> Iterator[tuple[int, ...]]:
    first, *rest = counts
    if not rest:
        if total % first == 0:
            yield (total // first,)
        return
    for value in range(total // first + 1):
        for others in _ways(tuple(rest), total - value * first):
            yield (value, *others)
