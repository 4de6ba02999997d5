"""Chance as a recorded trace: the same seed deals the same cards, and every draw can be replayed or exchanged.

Each draw has its own random stream, derived from the seed, its name and its position in the match. Exchanging one
draw (to test whether a player would have noticed) therefore changes no other.
"""

from bisect import bisect
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import accumulate
from random import Random
from typing import TypeVar

import attrs

from arena.errors import RuleError

T = TypeVar("T")


@attrs.frozen
class Draw:
    """One random draw, as an entry of ``Chance.trace``.

    ``outcome`` is the index of the item drawn by ``choice``, or the order drawn by ``shuffle`` (the positions, in
    the original sequence, of the items dealt first to last). ``items`` is how many there were to draw from.
    """

    name: str
    items: int
    outcome: int | tuple[int, ...]


class Chance:
    """The source of all randomness in one match; ``trace`` lists the draws made so far.

    ``forced`` maps positions in the trace to the outcomes that must come up there.
    """

    __slots__ = ("_forced", "_seed", "trace")

    def __init__(self, seed: int, forced: Mapping[int, int | tuple[int, ...]] | None = None) -> None:
        self._seed, self._forced = seed, forced or {}
        self.trace: list[Draw] = []

    def clone(self) -> "Chance":
        """An independent copy that will draw the same outcomes."""
        other = Chance(self._seed, self._forced)
        other.trace = list(self.trace)
        return other

    def choice(self, name: str, items: Sequence[T], weights: Sequence[float] | None = None) -> T:
        """Draw one of ``items``, uniformly or in proportion to ``weights``."""
        return items[self.index(name, len(items), weights)]

    def index(self, name: str, items: int, weights: Sequence[float] | None = None) -> int:
        """Draw a number from 0 to ``items - 1``, uniformly or in proportion to ``weights``."""
        if items < 1:
            raise RuleError(f"chance {name!r}: there is nothing to draw from")
        outcome = self._forced.get(len(self.trace))
        if outcome is None:
            outcome = _weighted((self._number(name) >> 11) * 2.0**-53, items, weights)
        elif not isinstance(outcome, int) or not 0 <= outcome < items or (weights and weights[outcome] <= 0):
            raise RuleError(f"chance {name!r}: the forced outcome {outcome!r} cannot come up")
        self.trace.append(Draw(name, items, outcome))
        return outcome

    def shuffle(self, name: str, items: Sequence[T]) -> list[T]:
        """Return ``items`` in a random order; the argument is left alone."""
        outcome = self._forced.get(len(self.trace))
        if outcome is None:
            order = list(range(len(items)))
            Random(self._number(name)).shuffle(order)
            outcome = tuple(order)
        elif not isinstance(outcome, tuple) or sorted(outcome) != list(range(len(items))):
            raise RuleError(f"chance {name!r}: the forced outcome {outcome!r} cannot come up")
        self.trace.append(Draw(name, len(items), outcome))
        return [items[i] for i in outcome]

    def _number(self, name: str) -> int:
        text = f"{self._seed}/{name}/{len(self.trace)}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def _weighted(fraction: float, items: int, weights: Sequence[float] | None) -> int:
    if weights is None:
        return int(fraction * items)
    if len(weights) != items:
        raise RuleError(f"chance: {items} items but {len(weights)} weights")
    *sums, total = accumulate(weights)
    last = max(i for i, weight in enumerate(weights) if weight > 0)
    return min(bisect(sums, fraction * total), last)
