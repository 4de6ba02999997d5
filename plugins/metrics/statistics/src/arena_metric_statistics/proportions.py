"""Intervals for shares: of matches won, of turns refused."""

from collections.abc import Hashable, Sequence
from math import isclose, log, sqrt
from typing import Final

from arena.tables import Estimate

from arena_metric_statistics.clusters import Clusters, normal_quantile, student_quantile
from arena_metric_statistics.numerics import ArrayLike, special

LEAST: Final = 3
"""The fewest clusters, or independent trials, that have an interval."""


def wilson(successes: float, trials: float, *, level: float = 0.95) -> tuple[float, float]:
    """The score interval for independent trials; ``successes`` and ``trials`` need not be whole numbers.

    E. B. Wilson, Journal of the American Statistical Association 22 (1927) 209-212.
    """
    if trials <= 0:
        return 0.0, 1.0
    z, p = normal_quantile(level), successes / trials
    centre = p + z * z / (2 * trials)
    spread = z * sqrt(max(p * (1 - p), 0.0) / trials + z * z / (4 * trials * trials))
    low, high = (centre - spread) / (1 + z * z / trials), (centre + spread) / (1 + z * z / trials)
    return 0.0 if successes <= 0 else max(low, 0.0), 1.0 if successes >= trials else min(high, 1.0)


def jeffreys(successes: float, trials: float, *, level: float = 0.95) -> tuple[float, float]:
    """The equal-tailed interval under the Jeffreys prior; touches 0 or 1 if all trials agree.

    L. D. Brown, T. T. Cai, A. DasGupta, Statistical Science 16 (2001) 101-133.
    """
    tail = (1 - level) / 2
    a, b = successes + 0.5, trials - successes + 0.5
    low = 0.0 if successes <= 0 else float(special.betaincinv(a, b, tail))
    return low, 1.0 if successes >= trials else float(special.betaincinv(a, b, 1 - tail))


def clopper_pearson(successes: float, trials: float, *, level: float = 0.95) -> tuple[float, float]:
    """The exact interval, which never covers less than ``level``.

    C. J. Clopper, E. S. Pearson, Biometrika 26 (1934) 404-413.
    """
    tail = (1 - level) / 2
    low = 0.0 if successes <= 0 else float(special.betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes >= trials else float(special.betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


def rule_of_three(trials: int, *, level: float = 0.95) -> float:
    """The largest share compatible with no case in ``trials`` independent trials; about 3 / n at 95 %."""
    return 1.0 if trials < 1 else 1 - (1 - level) ** (1 / trials)


def share(
    successes: ArrayLike,
    trials: ArrayLike | None = None,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    unit: str = "matches",
) -> Estimate:
    """The share of successes, with an interval inside [0, 1] that never has zero width.

    ``successes`` are from 0 to 1, or counts out of ``trials`` each; observations with the same label in ``clusters``
    are not independent. Independent ones get Wilson's interval. Clustered ones get it with the effective number of
    trials, after E. L. Korn and B. I. Graubard, Survey Methodology 24 (1998) 193-201: never more than there were, and
    never fewer than one per cluster less two: no cluster can vary more than one whose trials all agree, and two are
    taken off since how much they agree is itself only estimated. With fewer than ``LEAST`` clusters there is no
    interval. ``unit`` names the independent observations.
    """
    groups = Clusters.of(successes, trials, clusters)
    if groups.count == 0 or groups.bases.sum() == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    p, n, name = groups.ratio, groups.count, groups.unit(unit)
    if not 0 <= p <= 1:
        raise ValueError(f"{groups.sums.sum():g} successes in {groups.bases.sum():g} trials are no share")
    if n < LEAST:
        why = f"no interval: fewer than {LEAST} {name}"
        return Estimate(value=p, n=n, level=level, unit=name, method=why)
    if groups.are_trials:
        effective, method = float(n), "Wilson"
    else:
        effective = _effective(groups, p, level)
        method = f"Wilson, {effective:.3g} effective trials"
    low, high = _widened(p, effective, level)
    return Estimate(
        value=p,
        n=n,
        low=low,
        high=high,
        standard_error=sqrt(p * (1 - p) / effective),
        level=level,
        unit=name,
        method=method,
    )


def _effective(groups: Clusters, p: float, level: float) -> float:
    """How many independent trials would say as much of the share."""
    if p in (0.0, 1.0):
        return float(groups.count)
    total = float(groups.bases.sum())
    alike, variance = total**2 / float((groups.bases**2).sum()), groups.variance()
    if variance == 0:
        return min(alike, total)
    least = max(alike - 2, 1.0)
    trials = min(p * (1 - p) / variance, total)
    return min(max(trials * (normal_quantile(level) / student_quantile(level, groups.count - 1)) ** 2, least), total)


def _widened(p: float, trials: float, level: float) -> tuple[float, float]:
    """Wilson's interval, wider where there was a single success or a single failure.

    Wilson's covers rare cases in 84 % only, as one of them is too sure a sign of more. Its end is then that of a rate:
    L. D. Brown, T. T. Cai, A. DasGupta, Statistical Science 16 (2001) 101-133, section 4.1.1.
    """
    low, high = wilson(p * trials, trials, level=level)
    rare = -log(level) / trials
    if isclose(p * trials, 1.0):
        low = min(low, rare)
    if isclose((1 - p) * trials, 1.0):
        high = max(high, 1 - rare)
    return low, high
