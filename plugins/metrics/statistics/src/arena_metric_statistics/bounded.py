"""Gaffke's interval for the mean of values that a game keeps between two bounds.

The observed values and the lower bound get random weights that add up to 1, all weights being equally likely. The 2.5 %
quantile of such weighted means is the lower end of a 95 % interval; the upper end does the same with the upper bound.
N. Gaffke, Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative variable,
Mathematical Methods of Statistics 14 (2005) 451-467. For values of 0 and 1 it is the interval of Clopper and Pearson.
That it never covers too little is proved for those, and conjectured in general (E. Learned-Miller and P. S. Thomas, A
new confidence interval for the mean of a bounded random variable, arXiv 1905.06208).

The quantile is exact, not drawn. Such weights are independent exponential numbers over their sum, so the weighted mean
is at most q if a sum of exponential numbers, each times its value less q, is at most 0. That probability is an integral
over a line in the complex plane, here through its saddle point, where few nodes give all digits.
"""

from math import log, sqrt
from typing import Final

import attrs

from arena_metric_statistics.clusters import Clusters, normal_quantile
from arena_metric_statistics.numerics import AT_ONCE, Floats, np

_CLOSE: Final = 1e-11
_TRIES: Final = 100
_STEP: Final = 0.25
_MOST: Final = 4_096
"""The most different values that are told apart; of more, neighbours count with their mean."""


def gaffke(groups: Clusters, low: float, high: float, level: float) -> tuple[float, float]:
    """The interval of ``groups.ratio`` if no cluster has a ratio outside ``low`` to ``high``; each cluster is one unit.

    What was not seen gets the weight of a cluster of mean size.
    """
    spread = _Spread.of(groups)
    tail = (1 - level) / 2
    return spread.lower_end(low, tail), -spread.mirrored().lower_end(-high, tail)


@attrs.frozen(eq=False)
class _Spread:
    """The different clusters, how often each came up, and the size of what was not seen."""

    sums: Floats
    bases: Floats
    counts: Floats
    size: float

    @classmethod
    def of(cls, groups: Clusters) -> "_Spread":
        different, counts = np.unique(groups.sums + 1j * groups.bases, return_counts=True)
        sums, bases, weights = different.real, different.imag, counts.astype(float)
        if len(sums) > _MOST:
            off = sums - groups.ratio * bases
            edges = np.linspace(off.min(), off.max(), _MOST + 1)[1:-1]
            places = np.searchsorted(edges, off)
            found = np.bincount(places, weights)
            kept = found > 0
            sums, bases = (np.bincount(places, weights * each)[kept] / found[kept] for each in (sums, bases))
            weights = found[kept].astype(float)
        return cls(sums, bases, weights, float(groups.bases.mean()))

    def mirrored(self) -> "_Spread":
        """The same with the other sign, whose lower end is the upper end here."""
        return attrs.evolve(self, sums=-self.sums)

    def lower_end(self, bound: float, tail: float) -> float:
        """The ``tail`` quantile of weighted means together with ``bound``, by Newton's method.

        The logarithm of the probability is concave, so each step from below the quantile stays below it.
        """
        every = _Spread(
            np.append(self.sums, bound * self.size),
            np.append(self.bases, self.size),
            np.append(self.counts, 1.0),
            self.size,
        )
        total, units = float(every.counts @ every.bases), float(every.counts.sum())
        centre = float(every.counts @ every.sums) / total
        deviation = sqrt(float(every.counts @ (every.sums - centre * every.bases) ** 2) * units / (units + 1)) / total
        if deviation <= _CLOSE * max(abs(bound), abs(centre), 1e-300):
            return bound
        scale, wanted = deviation, log(tail)
        below, above = bound, float((self.sums / self.bases).max())
        at = max(centre - normal_quantile(1 - 2 * tail) * deviation, (bound + centre) / 2)
        for _ in range(_TRIES):
            probability, density = every.probability_below(at)
            if probability <= 0:
                below, at = at, (at + above) / 2
                continue
            error = log(probability) - wanted
            below, above = (at, above) if error < 0 else (below, at)
            step = at - error * probability / density if density > 0 else below
            step = step if below < step < above else (below + above) / 2
            if abs(step - at) <= _CLOSE * scale:
                return step
            at = step
        return at

    def probability_below(self, at: float) -> tuple[float, float]:
        """The probability that a weighted mean is at most ``at``, and its density there."""
        off = self.sums - at * self.bases
        if float(off.max()) <= 0:
            return 1.0, 0.0
        if float(off.min()) >= 0:
            return 0.0, 0.0
        off = off / float(np.abs(off).max())
        saddle, scale, bend = _saddle(off, self.counts)
        nodes = np.arange(0.0, 16.0, _STEP)
        line = saddle + scale * (1j * np.sinh(nodes) + bend * (np.cosh(nodes) - 1))
        exponents, slopes = np.zeros(len(nodes), dtype=complex), np.zeros(len(nodes), dtype=complex)
        at_once = max(1, AT_ONCE // len(nodes))
        factor = float(np.abs(self.sums - at * self.bases).max())
        for start in range(0, len(off), at_once):
            part = slice(start, start + at_once)
            below = 1 - np.outer(line, off[part])
            exponents -= np.log(below) @ self.counts[part]
            slopes += (1 / below) @ (self.counts[part] * self.bases[part])
        weights = scale * (1j * np.cosh(nodes) + bend * np.sinh(nodes)) * _STEP / np.pi
        weights[0] /= 2
        heights = np.exp(exponents) * weights
        return -float((heights / line).imag.sum()), float((heights * slopes).imag.sum()) / factor


def _saddle(off: Floats, counts: Floats) -> tuple[float, float, float]:
    """Where the integrand is least on the negative axis, how wide it is there, and where its ridge turns."""
    end = 1 / float(off.min())
    at = end / 2
    below, above = end, 0.0
    slope = curve = 0.0
    for _ in range(_TRIES):
        parts = off / (1 - off * at)
        slope, curve = float(counts @ parts) - 1 / at, float(counts @ parts**2) + 1 / at**2
        below, above = (at, above) if slope < 0 else (below, at)
        step = at - slope / curve
        step = step if below < step < above else (below + above) / 2
        if abs(step - at) <= 1e-6 * abs(at):
            break
        at = step
    parts = off / (1 - off * at)
    third = 2 * (float(counts @ parts**3) - 1 / at**3)
    return at, 1 / sqrt(curve), third / curve**1.5 / 3
