"""Effect sizes: how large a difference is in units of its own spread."""

from collections.abc import Hashable, Sequence
from math import sqrt

from arena.tables import Estimate

from arena_metric_statistics.clusters import Clusters
from arena_metric_statistics.numerics import ArrayLike, Floats, np, special


def of_pairs(
    differences: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    unit: str = "matches",
) -> Estimate:
    """Cohen's d of paired differences: their mean over their standard deviation, between independent units.

    The interval is exact for normal differences: the non-central t distributions that the observed t is compatible with
    (G. Cumming, S. Finch, Educational and Psychological Measurement 61 (2001) 532-574). No value if all differences are
    equal.
    """
    groups = Clusters.of(differences, None, clusters)
    n, name = groups.count, groups.unit(unit)
    means = groups.sums / groups.bases
    if why := _silent(means, f"{n} {name}"):
        return Estimate(value=None, n=n, level=level, unit=name, method=why)
    effect = float(means.mean() / means.std(ddof=1))
    return _estimate(effect, sqrt(n), n - 1, n, level, name, "Cohen's d of pairs, interval by the non-central t")


def of_groups(first: ArrayLike, second: ArrayLike, *, level: float = 0.95, unit: str = "matches") -> Estimate:
    """Hedges' g of two independent samples: the difference of their means over their pooled standard deviation.

    Corrected for small samples with the exact factor; the interval is exact for normal samples of equal variance.
    L. V. Hedges, Journal of Educational Statistics 6 (1981) 107-128.
    """
    one, two = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    n, freedom = len(one) + len(two), len(one) + len(two) - 2
    if len(one) == 0 or len(two) == 0 or freedom < 1:
        return Estimate(value=None, n=n, level=level, unit=unit, method="nothing to compare")
    centred = np.concatenate([one - one.mean(), two - two.mean()])
    deviation = sqrt(float((centred**2).sum()) / freedom)
    if deviation <= 1e-12 * max(float(np.abs(one).max()), float(np.abs(two).max()), 1e-300):
        return Estimate(value=None, n=n, level=level, unit=unit, method=f"all {n} {unit} agree within their sample")
    scale = sqrt(len(one) * len(two) / n)
    effect = float(one.mean() - two.mean()) / deviation
    method = "Hedges' g, interval by the non-central t"
    return _estimate(effect, scale, freedom, n, level, unit, method, unbiased(freedom))


def superiority(first: ArrayLike, second: ArrayLike) -> float:
    """The probability that a draw from ``first`` exceeds one from ``second``, ties counted half.

    A. Vargha, H. D. Delaney, Journal of Educational and Behavioral Statistics 25 (2000) 101-132. For an interval, use
    ``resampling.bootstrap`` of it.
    """
    one, two = np.asarray(first, dtype=float), np.sort(np.asarray(second, dtype=float))
    if len(one) == 0 or len(two) == 0:
        raise ValueError(f"expected two samples, got {len(one)} and {len(two)} numbers")
    below = np.searchsorted(two, one, side="left") + np.searchsorted(two, one, side="right")
    return float(below.mean() / (2 * len(two)))


def unbiased(freedom: float) -> float:
    """The factor that removes the small-sample bias of a standardised difference."""
    return float(np.exp(special.gammaln(freedom / 2) - special.gammaln((freedom - 1) / 2)) / sqrt(freedom / 2))


def compatible(t: float, freedom: float, level: float) -> tuple[float, float]:
    """The smallest and the largest non-centrality for which ``t`` lies in neither tail."""
    tail = (1 - level) / 2
    return float(special.nctdtrinc(freedom, 1 - tail, t)), float(special.nctdtrinc(freedom, tail, t))


def _estimate(
    effect: float, scale: float, freedom: float, n: int, level: float, unit: str, method: str, factor: float = 1.0
) -> Estimate:
    low, high = (factor * end / scale for end in compatible(effect * scale, freedom, level))
    return Estimate(value=factor * effect, n=n, low=low, high=high, level=level, unit=unit, method=method)


def _silent(means: Floats, what: str) -> str:
    """Why there is no effect size, or an empty text if there is one."""
    if len(means) < 2:
        return "nothing observed" if len(means) == 0 else f"one alone of {what} has no spread"
    return f"all {what} agree" if float(means.std()) <= 1e-12 * max(float(np.abs(means).max()), 1e-300) else ""
