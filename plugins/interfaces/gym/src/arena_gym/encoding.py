"""Observations as vectors: the data of any game in a fixed number of columns.

``Hashing`` is feature hashing (Weinberger et al., "Feature Hashing for Large Scale Multitask Learning", ICML 2009) of
the leaves of an observation, without its signs. A leaf at path ``p`` with value ``v`` adds 1 to the column that
``(p, v)`` is hashed to; a number adds its value to the column of ``p`` besides. A path is made of keys and of positions
in lists, and an empty list or table is a leaf. Columns come from a hash of the canonical text, so they are the same in
every process and on every machine, in every match and for whatever the game may show later; nothing has to be fitted or
saved beside a policy.

Two features share a column with probability 1/``columns``. Where that is too much, take more columns, or an encoding of
one's own: anything with ``columns`` and ``encode``.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, cast

import attrs
from arena.record import JSON, derive_seed
from attrs.validators import ge


class Encoding(Protocol):
    """A pure function from observations to vectors of one length."""

    @property
    def columns(self) -> int:
        """The length of every vector."""
        ...

    def encode(self, observation: JSON) -> Sequence[float]:
        """Return the observation as a vector of ``columns`` numbers."""
        ...


@attrs.frozen
class HashedFeatures:
    """Feature hashing: each leaf of an observation is added to the column it is hashed to."""

    columns: int = attrs.field(default=1024, validator=ge(1))

    def encode(self, observation: JSON) -> list[float]:
        """Add up the hashed leaves of an observation; returns ``columns`` numbers."""
        vector = [0.0] * self.columns
        for path, value in flatten(observation):
            vector[_hash(path, "is", _exact(value)) % self.columns] += 1.0
            if isinstance(value, int | float) and not isinstance(value, bool):
                vector[_hash(path, "amount", None) % self.columns] += value
        return vector


def flatten(data: JSON, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], JSON]]:
    """Yield each leaf of ``data`` (a value that holds no others) with its path."""
    if isinstance(data, Mapping) and data:
        for key, value in cast("Mapping[str, Any]", data).items():
            yield from flatten(value, (*path, key))
    elif isinstance(data, Sequence) and not isinstance(data, str) and data:
        for place, value in enumerate(cast("Sequence[Any]", data)):
            yield from flatten(value, (*path, place))
    else:
        yield path, data


def _exact(value: JSON) -> tuple[str, Any]:
    # equal values of different types (1, 1.0, True) would share an entry of the cache below
    if isinstance(value, Mapping | list | tuple):
        return type(value).__name__ if isinstance(value, Mapping) else "list", None
    return type(value).__name__, value


@lru_cache(maxsize=1 << 16)
def _hash(path: tuple[str | int, ...], what: str, value: Any) -> int:
    return derive_seed(path, what, value)
