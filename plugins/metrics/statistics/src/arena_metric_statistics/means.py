"""Intervals for means: returns, lengths, scores."""

from collections.abc import Hashable, Sequence
from math import sqrt

from arena.tables import Estimate

from arena_metric_statistics.clusters import Clusters, normal_quantile, student_quantile
from arena_metric_statistics.numerics import ArrayLike


def mean(
    values: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    bounds: tuple[float | None, float | None] | None = None,
    unit: str = "matches",
) -> Estimate:
    """The mean with Student's interval; observations with the same label in ``clusters`` are not independent.

    ``bounds`` are the smallest and the largest possible value. The interval is cut to them; they also make an interval
    possible if all clusters agree or there is only one. Without them there is none in that case.
    """
    return ratio(values, None, clusters=clusters, level=level, bounds=bounds, unit=unit)


def ratio(
    values: ArrayLike,
    bases: ArrayLike | None,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    bounds: tuple[float | None, float | None] | None = None,
    unit: str = "matches",
) -> Estimate:
    """The sum of ``values`` over the sum of ``bases`` (answers per turn, say), with the interval of ``mean``."""
    groups = Clusters.of(values, bases, clusters)
    name = groups.unit(unit)
    if groups.count == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    value, variance, n = groups.ratio, groups.variance(), groups.count
    if variance == 0:
        return _of_equals(value, n, level, bounds, name)
    error = sqrt(variance)
    reach = student_quantile(level, n - 1) * error
    low, high = _cut(value - reach, value + reach, bounds)
    method = "Student" if groups.are_single else f"cluster-robust Student, {n - 1} degrees of freedom"
    return Estimate(value=value, n=n, low=low, high=high, standard_error=error, level=level, unit=name, method=method)


def normal(value: float, standard_error: float, n: int, *, level: float = 0.95, unit: str = "matches") -> Estimate:
    """An estimate with a known standard error, by the normal distribution; no interval where the error is zero."""
    if standard_error <= 0:
        return Estimate(value=value, n=n, level=level, unit=unit, method="no interval: all observations are equal")
    reach = normal_quantile(level) * standard_error
    return Estimate(
        value=value,
        n=n,
        low=value - reach,
        high=value + reach,
        standard_error=standard_error,
        level=level,
        unit=unit,
        method="normal",
    )


def of_playouts(value: float, standard_error: float, n: int, *, level: float = 0.95) -> Estimate | float:
    """What ``n`` random matches earned on average; the number alone if ``n`` is 0, which says that it is exact."""
    return normal(value, standard_error, n, level=level, unit="playouts") if n else value


def _of_equals(
    value: float, n: int, level: float, bounds: tuple[float | None, float | None] | None, unit: str
) -> Estimate:
    # If no single value had a probability above q, n independent observations would be equal with a probability of at
    # most q^(n-1). So with confidence ``level`` the value seen has at least q = (1 - level)^(1/(n-1)), and whatever the
    # rest of the probability does, it stays within the bounds.
    low, high = bounds or (None, None)
    what = f"all {n} {unit} are equal" if n > 1 else f"one of the {unit} alone"
    if low is None or high is None:
        return Estimate(value=value, n=n, level=level, unit=unit, method=f"no interval: {what}")
    sure = (1 - level) ** (1 / (n - 1)) if n > 1 else 0.0
    ends = sure * value + (1 - sure) * low, sure * value + (1 - sure) * high
    method = f"{what}: bound for any distribution between {low:g} and {high:g}"
    return Estimate(value=value, n=n, low=ends[0], high=ends[1], level=level, unit=unit, method=method)


def _cut(low: float, high: float, bounds: tuple[float | None, float | None] | None) -> tuple[float, float]:
    least, greatest = bounds or (None, None)
    return (low if least is None else max(low, least)), (high if greatest is None else min(high, greatest))
