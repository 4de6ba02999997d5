"""The bootstrap, over the units that are independent."""

from collections.abc import Callable, Hashable, Sequence
from typing import Literal

import numpy as np
from arena.metric import Estimate
from numpy.typing import ArrayLike
from scipy import special

from arena_metric_statistics.clusters import Floats, numbered

Statistic = Callable[[Floats], float]


def bootstrap(
    values: ArrayLike,
    statistic: Statistic | None = None,
    *,
    clusters: Sequence[Hashable] | None = None,
    method: Literal["bca", "percentile"] = "bca",
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    unit: str = "matches",
) -> Estimate:
    """Any statistic of ``values`` (the mean, where none is given), with an interval by resampling whole clusters.

    ``values`` has one observation per row and ``statistic`` gets the rows that were drawn; those with the same label in
    ``clusters`` are drawn together. Equal seeds give equal intervals. Fewer than two clusters, or a statistic that does
    not vary, have no interval, and ``method`` says why. BCa: B. Efron, Journal of the American Statistical Association
    82 (1987) 171-185.
    """
    rows = np.asarray(values, dtype=float)
    if len(rows) == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    labels = np.arange(len(rows)) if clusters is None else numbered(clusters)
    members = [np.flatnonzero(labels == k) for k in range(int(labels.max()) + 1)]
    are_single = len(members) == len(rows)
    name = unit if are_single else "blocks"
    measure = statistic or _mean
    value, n = measure(rows), len(members)
    if n < 2:
        return Estimate(value=value, n=n, level=level, unit=name, method=f"no interval: one of the {name} alone")
    drawn = _replicates(rows, members, statistic, resamples, np.random.default_rng(seed))
    if np.ptp(drawn) <= 1e-12 * max(abs(value), 1.0):
        return Estimate(value=value, n=n, level=level, unit=name, method=f"no interval: all {n} {name} agree")
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "bca":
        tails = _corrected(tails, value, drawn, _left_out(rows, members, measure))
    low, high = np.quantile(drawn, tails)
    return Estimate(
        value=value,
        n=n,
        low=float(low),
        high=float(high),
        standard_error=float(drawn.std(ddof=1)),
        level=level,
        unit=name,
        method=f"bootstrap of {name} ({'BCa' if method == 'bca' else 'percentile'}, {resamples} resamples)",
    )


def _mean(rows: Floats) -> float:
    return float(rows.mean())


def _replicates(
    rows: Floats, members: Sequence[np.ndarray], statistic: Statistic | None, resamples: int, rng: np.random.Generator
) -> Floats:
    n = len(members)
    if statistic is not None or rows.ndim > 1:
        measure = statistic or _mean
        drawn = (rng.integers(n, size=n) for _ in range(resamples))
        return np.array([measure(rows[np.concatenate([members[k] for k in picks])]) for picks in drawn])
    sums = np.array([rows[m].sum() for m in members])
    sizes = np.array([len(m) for m in members], dtype=float)
    replicates = np.empty(resamples)
    step = max(1, 4_000_000 // n)
    for start in range(0, resamples, step):
        picks = rng.integers(n, size=(min(step, resamples - start), n))
        replicates[start : start + step] = sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)
    return replicates


def _left_out(rows: Floats, members: Sequence[np.ndarray], measure: Statistic) -> Floats:
    """The statistic without each cluster in turn."""
    keep = np.ones(len(rows), dtype=bool)
    found = np.empty(len(members))
    for k, own in enumerate(members):
        keep[own] = False
        found[k] = measure(rows[keep])
        keep[own] = True
    return found


def _corrected(tails: Floats, value: float, drawn: Floats, left_out: Floats) -> Floats:
    """The tails, shifted for the bias and the skewness of the replicates."""
    below = ((drawn < value).mean() + (drawn <= value).mean()) / 2
    bias = special.ndtri(np.clip(below, 1 / len(drawn), 1 - 1 / len(drawn)))
    off = left_out.mean() - left_out
    squares = float((off**2).sum())
    skew = float((off**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
    shifted = bias + special.ndtri(tails)
    return special.ndtr(bias + shifted / (1 - skew * shifted))
