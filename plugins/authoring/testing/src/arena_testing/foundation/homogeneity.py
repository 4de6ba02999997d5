"""An exact test of whether two samples of JSON values come from one distribution.

For each value that occurs, Fisher's exact test compares how often it is in the one sample and in the other, against all
other values together. The smallest of these probabilities, times their number (Bonferroni), bounds the probability that
samples of one distribution differ so much.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import exp, lgamma
from typing import Any, TypeAlias, cast

import attrs
from arena.record import JSON, canonical_json

Place: TypeAlias = tuple[str, ...]
"""The keys and indices that lead to one scalar inside a JSON value; no key stands for the value as a whole."""

MANY_VALUES = 1_000
"""The most different values that are compared as a whole; richer ones are compared place by place alone."""

_NOTICEABLE = 6
"""Counts that differ by less are never significant at the levels that are asked for, so they are not computed."""


@attrs.frozen
class Contrast:
    """One value that one sample holds more often than the other, and the probability of that by chance.

    ``tests`` is the number of values and places that were compared to find it.
    """

    place: Place
    value: str
    counts: tuple[int, int]
    probability: float
    tests: int

    @property
    def corrected(self) -> float:
        """The probability after correction for everything that was compared."""
        return min(1.0, self.probability * self.tests)


def leaves(value: JSON, path: Place = ()) -> Iterator[tuple[Place, JSON]]:
    """The scalars inside a JSON value with the keys that lead to them; an empty list or object counts as one."""
    inner: Any = value
    if isinstance(inner, Mapping) and inner:
        for key, item in cast("Mapping[str, JSON]", inner).items():
            yield from leaves(item, (*path, str(key)))
    elif isinstance(inner, list | tuple) and inner:
        for index, item in enumerate(cast("Sequence[JSON]", inner)):
            yield from leaves(item, (*path, str(index)))
    else:
        yield path, inner


def contrast(one: Sequence[JSON], two: Sequence[JSON]) -> Contrast | None:
    """The value, as a whole or at one place, by which two samples differ most; ``None`` if nothing differs.

    The samples are equally large. Values with more than ``MANY_VALUES`` different texts are compared at each of their
    places alone.
    """
    counted = [_counted(sample) for sample in (one, two)]
    best: tuple[float, Place, str, int, int] | None = None
    tests = 0
    for place in sorted(set(counted[0]) | set(counted[1])):
        first, second = (by_place.get(place, Counter[str]()) for by_place in counted)
        values = set(first) | set(second)
        if first == second or (not place and len(values) > MANY_VALUES):
            continue
        tests += len(values)
        for value in sorted(values):
            a, b = first[value], second[value]
            if abs(a - b) >= _NOTICEABLE:
                probability = fisher(a, len(one), b, len(two))
                if best is None or probability < best[0]:
                    best = (probability, place, value, a, b)
    if best is None:
        return None
    probability, place, value, a, b = best
    return Contrast(place, value, (a, b), probability, tests)


def count_at(sample: Sequence[JSON], place: Place, value: str) -> int:
    """How many values of ``sample`` hold the scalar (or, at no place, are the value) with the text ``value``."""
    return _counted(sample).get(place, Counter[str]())[value]


@lru_cache(maxsize=1 << 14)
def fisher(a: int, of_a: int, b: int, of_b: int) -> float:
    """The two-sided p-value of Fisher's exact test for ``a`` of ``of_a`` against ``b`` of ``of_b``."""
    hits = a + b
    lowest, highest = max(0, hits - of_b), min(hits, of_a)
    logs = {k: _log_ways(of_a, k) + _log_ways(of_b, hits - k) for k in range(lowest, highest + 1)}
    total = _log_ways(of_a + of_b, hits)
    seen = logs[a] + 1e-7
    return min(1.0, sum(exp(value - total) for value in logs.values() if value <= seen))


def _log_ways(items: int, chosen: int) -> float:
    return lgamma(items + 1) - lgamma(chosen + 1) - lgamma(items - chosen + 1)


def _counted(sample: Sequence[JSON]) -> dict[Place, Counter[str]]:
    """How often each text occurs at each place, and as a whole at the place without keys."""
    counted: dict[Place, Counter[str]] = {(): Counter(map(canonical_json, sample))}
    for value in sample:
        for place, scalar in leaves(value):
            if place:
                counted.setdefault(place, Counter())[canonical_json(scalar)] += 1
    return counted
