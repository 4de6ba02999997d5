"""Intervals for means: returns, lengths, scores; the independent units are blocks.

Where the game bounds what can be earned, the interval is Gaffke's: it holds for every distribution within the bounds.
Where that is more than three times as wide as Student's, as with chips of which a match never loses more than a few,
or where there are no bounds, it is Student's. That takes the spread that was seen for all there is, so its method says
``if no rarer, greater results exist``.
"""

from collections.abc import Hashable, Iterable, Sequence
from math import sqrt
from typing import Final

import attrs
from arena.tables import Estimate

from arena_metric_statistics.bounded import gaffke
from arena_metric_statistics.clusters import Clusters, normal_quantile, student_quantile
from arena_metric_statistics.numerics import ArrayLike

Bounds = tuple[float | None, float | None]
"""The least and the greatest possible value; ``None`` where nothing bounds it."""

LEAST: Final = 5
"""The fewest blocks that have Student's interval."""

LEAST_FOR_WIDE: Final = 10
"""The fewest blocks that have Student's interval in the place of a Gaffke's that is too wide."""

TOO_WIDE: Final = 3.0
"""A Gaffke's interval so many times as wide as Student's is too wide to be useful."""

IF_ALL_SEEN: Final = "if no rarer, greater results exist"
"""The condition under which Student's interval holds."""


@attrs.frozen
class Interval:
    """The ends of an interval, ``None`` where there is none, and its method with its condition, or why it is missing.

    ``remark`` begins with ``no interval`` where there is none because too little was seen, and is ``exact`` where only
    one value is possible.
    """

    low: float | None
    high: float | None
    remark: str


def interval_of_mean(
    blocks: Iterable[Sequence[float]],
    *,
    low: float | None = None,
    high: float | None = None,
    level: float = 0.95,
    unit: str = "blocks",
) -> Interval:
    """The interval of the mean of all values, which are given by block; ``low`` and ``high`` bound a single value.

    Blocks are independent of each other, values within one need not be. Blocks without a value do not count. ``unit``
    names the blocks in the remark.
    """
    given = [tuple(each) for each in blocks]
    values = [value for each in given for value in each]
    labels = [place for place, each in enumerate(given) for _ in each]
    return _interval(Clusters.of(values, None, labels), (low, high), level, unit)


def mean(
    values: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    bounds: Bounds | None = None,
    unit: str = "matches",
) -> Estimate:
    """The mean with its interval; observations with the same label in ``clusters`` are not independent.

    ``bounds`` are the smallest and the largest possible value, as the game states them. No interval leaves them.
    """
    return ratio(values, None, clusters=clusters, level=level, bounds=bounds, unit=unit)


def ratio(
    values: ArrayLike,
    bases: ArrayLike | None,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    bounds: Bounds | None = None,
    unit: str = "matches",
) -> Estimate:
    """The sum of ``values`` over the sum of ``bases`` (answers per turn, say), with the interval of ``mean``.

    ``bounds`` are those of a single value over its base.
    """
    groups = Clusters.of(values, bases, clusters)
    name = groups.unit(unit)
    if groups.count == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    found = _interval(groups, bounds or (None, None), level, name)
    return Estimate(
        value=groups.ratio,
        n=groups.count,
        low=found.low,
        high=found.high,
        standard_error=sqrt(groups.variance()) or None,
        level=level,
        unit=name,
        method=found.remark,
    )


def _interval(groups: Clusters, bounds: Bounds, level: float, unit: str) -> Interval:
    """The one interval of a mean or ratio."""
    n = groups.count
    if n == 0:
        return Interval(None, None, "no interval: nothing observed")
    low, high = _reached(groups, bounds)
    student = _student(groups, low, high, level)
    if low is None or high is None:
        if student is None:
            why = f"all {n} {unit} are equal" if n >= LEAST else f"fewer than {LEAST} {unit}"
            return Interval(None, None, f"no interval: {why}")
        return student
    if low == high:
        return Interval(None, None, "exact")
    ends = gaffke(groups, low, high, level)
    if student is not None and n >= LEAST_FOR_WIDE and ends[1] - ends[0] > TOO_WIDE * _width(groups, level):
        return student
    return Interval(*ends, f"Gaffke, within {low:g} and {high:g}")


def _reached(groups: Clusters, bounds: Bounds) -> Bounds:
    """The bounds, moved out to what was seen: a forfeit may cost more than the game does."""
    low, high = bounds
    seen = groups.sums / groups.bases
    return (
        None if low is None else min(float(low), float(seen.min())),
        None if high is None else max(float(high), float(seen.max())),
    )


def _student(groups: Clusters, low: float | None, high: float | None, level: float) -> Interval | None:
    """Student's interval, cut to the bounds; ``None`` with too few clusters, or if all are equal."""
    half = _width(groups, level) / 2
    if groups.count < LEAST or half == 0:
        return None
    least, greatest = groups.ratio - half, groups.ratio + half
    return Interval(
        least if low is None else max(low, least),
        greatest if high is None else min(high, greatest),
        f"Student, {IF_ALL_SEEN}",
    )


def _width(groups: Clusters, level: float) -> float:
    """The width of Student's interval before it is cut; 0 if all clusters are equal, or there is only one."""
    return 2 * student_quantile(level, groups.count - 1) * sqrt(groups.variance()) if groups.count > 1 else 0.0


def normal(
    value: float,
    standard_error: float,
    n: int,
    *,
    level: float = 0.95,
    bounds: Bounds = (None, None),
    unit: str = "matches",
) -> Estimate:
    """An estimate with a known standard error, by the normal distribution; no interval where the error is zero.

    The interval is cut to the ``bounds`` of what is possible.
    """
    if standard_error <= 0:
        return Estimate(value=value, n=n, level=level, unit=unit, method="no interval: all observations are equal")
    low, high = bounds
    reach = normal_quantile(level) * standard_error
    return Estimate(
        value=value,
        n=n,
        low=value - reach if low is None else max(low, value - reach),
        high=value + reach if high is None else min(high, value + reach),
        standard_error=standard_error,
        level=level,
        unit=unit,
        method="normal",
    )
