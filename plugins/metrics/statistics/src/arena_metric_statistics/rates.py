"""Intervals for rates: refusals per turn, events per match."""

from collections.abc import Hashable, Sequence
from math import log, sqrt
from typing import Final

from arena.tables import Estimate

from arena_metric_statistics.clusters import Clusters, normal_quantile, student_quantile
from arena_metric_statistics.numerics import ArrayLike, special

LEAST: Final = 3
"""The fewest clusters that say anything of how events come in bursts."""


def garwood(events: float, exposure: float, *, level: float = 0.95) -> tuple[float, float]:
    """The exact interval for a Poisson rate; ``events`` need not be a whole number.

    F. Garwood, Biometrika 28 (1936) 437-442.
    """
    if exposure <= 0:
        return 0.0, float("inf")
    tail = (1 - level) / 2
    if events <= 0:
        return 0.0, -log(tail) / exposure
    low, high = special.gammaincinv(events, tail), special.gammaincinv(events + 1, 1 - tail)
    return float(low) / exposure, float(high) / exposure


def rate(
    events: ArrayLike,
    exposure: ArrayLike | None = None,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    unit: str = "matches",
) -> Estimate:
    """Events per unit of ``exposure`` (turns, say; one each if not given), with an interval above zero.

    Observations with the same label in ``clusters`` belong together. Events come in bursts, so the Poisson interval is
    widened by how much more the clusters differ than Poisson counts would, and never narrowed. If no event occurred at
    all, nothing is known of bursts, and each cluster counts as one unit of exposure. With fewer than ``LEAST`` clusters
    there is no interval.
    """
    groups = Clusters.of(events, exposure, clusters)
    total = float(groups.bases.sum())
    if groups.count == 0 or total == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    count, value, n = float(groups.sums.sum()), groups.ratio, groups.count
    if n < LEAST:
        name = groups.unit(unit)
        why = f"no interval: fewer than {LEAST} {name}"
        return Estimate(value=value, n=n, level=level, unit=name, method=why)
    excess = _excess(groups, count, total, level)
    low, high = garwood(count / excess, total / excess, level=level)
    return Estimate(
        value=value,
        n=groups.count,
        low=low,
        high=high,
        standard_error=sqrt(groups.variance()) or None,
        level=level,
        unit=groups.unit(unit),
        method=f"Poisson, widened {excess:.3g} times for bursts" if excess > 1 else "Poisson",
    )


def _excess(groups: Clusters, count: float, total: float, level: float) -> float:
    if count == 0:
        return max(total / groups.count, 1.0)
    excess = max(groups.variance() * total * total / count, 1.0)
    return excess * (student_quantile(level, groups.count - 1) / normal_quantile(level)) ** 2
