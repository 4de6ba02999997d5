"""What random play scores with as many matches, answers or choices as the row beside which it stands.

The value is what random play scores on average. The interval is that in which it lies with so many, with a probability
of at least 95 %: an agent inside of it plays no better and no worse than at random, as far as so few can say. It holds
the value too, even where one match can only score less or more.
"""

from math import lgamma, log, log1p, sqrt
from typing import Final

import attrs
from arena.tables import Estimate

from arena_metric_statistics.means import Bounds, normal
from arena_metric_statistics.numerics import ArrayLike, Floats, np

_EXACT_UP_TO: Final = 2_000
"""Of more matches or choices the numbers of hits are taken as normal."""


def random_share(value: float, n: int, playouts: int, *, level: float = 0.95, unit: str = "matches") -> Estimate:
    """The share of ``n`` matches that random play wins if it wins this share of all.

    ``value`` is exact if ``playouts`` is 0, else it was seen in so many random matches, and the interval allows for it.
    """
    method = _said(n, unit, playouts)
    if n < 1:
        return Estimate(value=value, n=0, level=level, unit=unit, method="nothing observed")
    if playouts == 0 and value in (0.0, 1.0):
        return Estimate(value=value, n=n, level=level, unit=unit, method="exact")
    if n > _EXACT_UP_TO:
        seen = (value * playouts + 0.5) / (playouts + 1) if playouts else value
        error = sqrt(seen * (1 - seen) * (1 / n + (1 / playouts if playouts else 0.0)))
        return _normal(value, error, n, level, (0.0, 1.0), unit, method)
    return _between(value, _hits(value, n, playouts), n, level, unit, method)


def random_hits(chances: ArrayLike, *, level: float = 0.95, unit: str = "choices") -> Estimate:
    """The share of hits of random choices, each of which hits with its own chance, independently of the others."""
    found = np.asarray(chances, dtype=float)
    n = len(found)
    if n == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    value, spread, method = float(found.mean()), float((found * (1 - found)).sum()), _said(n, unit, 0)
    if spread <= 1e-12:
        return Estimate(value=value, n=n, level=level, unit=unit, method="exact")
    if n > _EXACT_UP_TO:
        return _normal(value, sqrt(spread) / n, n, level, (0.0, 1.0), unit, method)
    weights = np.ones(1)
    for chance in found:
        weights = np.convolve(weights, [1 - chance, chance])
    return _between(value, weights, n, level, unit, method)


def random_mean(
    value: float,
    deviations: ArrayLike,
    *,
    error: float = 0.0,
    playouts: int = 0,
    level: float = 0.95,
    bounds: Bounds = (None, None),
    unit: str = "matches",
) -> Estimate:
    """The mean of as many random matches as there are ``deviations``, each the standard deviation of one match.

    ``error`` is the standard error with which ``value`` itself is known, from so many ``playouts``.
    """
    found = np.asarray(deviations, dtype=float)
    n = len(found)
    spread = sqrt(float(found @ found)) / n if n else 0.0
    if n == 0 or spread == 0:
        return Estimate(value=value, n=n, level=level, unit=unit, method="exact" if n else "nothing observed")
    return _normal(value, sqrt(spread**2 + error**2), n, level, bounds, unit, _said(n, unit, playouts))


def random_simulated(value: float, drawn: ArrayLike, n: int, *, level: float = 0.95, unit: str = "matches") -> Estimate:
    """A score of random play over ``n`` units, ``drawn`` in simulated runs of as many; ``value`` is its mean."""
    found = np.asarray(drawn, dtype=float)
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2], method="weibull")
    method = f"{_said(n, unit, 0)}, {len(found)} simulated"
    return _around(value, float(low), float(high), n, level, unit, method)


def _said(n: int, unit: str, playouts: int) -> str:
    known = f", known from {playouts} random matches" if playouts else ""
    return f"where random play lies in {n} {unit}{known}"


def _hits(value: float, n: int, playouts: int) -> Floats:
    """The probability of each number of hits: binomial, and beta-binomial where the share is only estimated."""
    k = np.arange(n + 1)
    ways = lgamma(n + 1) - _log_gammas(1, n) - _log_gammas(1, n)[::-1]
    if playouts:
        a, b = value * playouts + 0.5, (1 - value) * playouts + 0.5
        together = _log_gammas(a, n) + _log_gammas(b, n)[::-1] - lgamma(n + a + b)
        return np.exp(ways + together - lgamma(a) - lgamma(b) + lgamma(a + b))
    return np.exp(ways + k * log(value) + (n - k) * log1p(-value))


def _log_gammas(first: float, n: int) -> Floats:
    """The logarithms of the gamma function at ``first`` and the ``n`` numbers that follow it; SciPy is not loaded."""
    return np.array([lgamma(first + k) for k in range(n + 1)])


def _between(value: float, weights: Floats, n: int, level: float, unit: str, method: str) -> Estimate:
    """Between the numbers of hits where at least ``level`` lies, with at most half of the rest on each side."""
    reached = np.cumsum(weights)
    tail = (1 - level) / 2 * (1 - 1e-9)
    low = int(np.searchsorted(reached, tail, side="right")) / n
    high = int(np.searchsorted(reached, reached[-1] - tail, side="left")) / n
    return _around(value, low, high, n, level, unit, method)


def _around(value: float, low: float, high: float, n: int, level: float, unit: str, method: str) -> Estimate:
    ends = {"low": min(low, value), "high": max(high, value)}
    return Estimate(value=value, n=n, **ends, level=level, unit=unit, method=method)


def _normal(value: float, error: float, n: int, level: float, bounds: Bounds, unit: str, method: str) -> Estimate:
    return attrs.evolve(
        normal(value, error, n, level=level, bounds=bounds, unit=unit), standard_error=None, method=method
    )
