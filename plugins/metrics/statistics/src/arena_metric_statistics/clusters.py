"""Sums observations by the unit that is independent, such as a rotation block."""

from collections.abc import Hashable, Iterable, Sequence
from statistics import NormalDist
from typing import cast

import attrs

from arena_metric_statistics.numerics import ArrayLike, Floats, Integers, np, special


@attrs.frozen(eq=False)
class Clusters:
    """Sums of a quantity and of its base (trials, exposure, or a count of ones), by cluster.

    ``are_single`` means that every cluster is one observation, so that observations are independent. Clusters whose
    base is zero are left out.
    """

    sums: Floats
    bases: Floats
    are_single: bool

    @classmethod
    def of(cls, values: ArrayLike, bases: ArrayLike | None, labels: Sequence[Hashable] | None) -> "Clusters":
        """Add up by label; ``ValueError`` if lengths differ or a number is not finite."""
        numbers = np.asarray(values, dtype=float)
        weights = np.ones(len(numbers)) if bases is None else np.asarray(bases, dtype=float)
        if len(weights) != len(numbers) or (labels is not None and len(labels) != len(numbers)):
            given = 0 if labels is None else len(labels)
            raise ValueError(f"{len(numbers)} values, {len(weights)} bases and {given} labels do not match")
        if not (np.isfinite(numbers).all() and np.isfinite(weights).all()):
            raise ValueError("an interval needs finite numbers, got NaN or infinity")
        places = np.arange(len(numbers)) if labels is None else numbered(labels)
        count = int(places.max(initial=-1)) + 1
        sums = np.bincount(places, numbers, count).astype(float)
        totals = np.bincount(places, weights, count).astype(float)
        kept = totals > 0
        return cls(sums[kept], totals[kept], count == len(numbers))

    @property
    def are_trials(self) -> bool:
        """Whether every cluster is one observation with a base of one."""
        return self.are_single and bool((self.bases == 1).all())

    @property
    def count(self) -> int:
        """The number of clusters that have a base."""
        return len(self.sums)

    @property
    def ratio(self) -> float:
        """The quantity per unit of its base, over all clusters."""
        return float(self.sums.sum() / self.bases.sum())

    def variance(self) -> float:
        """The cluster-robust variance of ``ratio``; zero if all clusters agree up to rounding.

        The linearised estimator with the factor G / (G - 1): W. G. Cochran, Sampling Techniques, 3rd ed. (1977),
        chapter 6. With single observations it is the usual variance of a mean.
        """
        ratio, count = self.ratio, self.count
        residuals = self.sums - ratio * self.bases
        scale = float(np.abs(self.sums).max() + abs(ratio) * self.bases.max())
        if count < 2 or float(np.abs(residuals).max()) <= 1e-12 * scale:
            return 0.0
        return float(count / (count - 1) * (residuals**2).sum() / self.bases.sum() ** 2)

    def unit(self, single: str) -> str:
        """The name of the clusters in a report: ``single`` if each is one observation, otherwise blocks."""
        return single if self.are_single else "blocks"


def numbered(labels: Iterable[Hashable]) -> Integers:
    """The labels as 0, 1, 2, … in the order in which they first occur."""
    if isinstance(labels, np.ndarray):
        _, firsts, places = np.unique(cast("Integers", labels), return_index=True, return_inverse=True)
        ranks = np.empty(len(firsts), dtype=np.intp)
        ranks[np.argsort(firsts)] = np.arange(len(firsts))
        return ranks[places]
    given = list(labels)
    places = {label: place for place, label in enumerate(dict.fromkeys(given))}
    return np.fromiter(map(places.__getitem__, given), dtype=np.intp, count=len(given))


def student_quantile(level: float, freedom: float) -> float:
    """Half the width of a two-sided Student interval, in standard errors."""
    return float(special.stdtrit(freedom, (1 + level) / 2))


def normal_quantile(level: float) -> float:
    """Half the width of a two-sided normal interval, in standard errors."""
    return NormalDist().inv_cdf((1 + level) / 2)
