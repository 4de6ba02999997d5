"""Student's distribution, computed without other packages, so that every report has intervals.

The tail is a regularised incomplete beta function, by its continued fraction: NIST Digital Library of Mathematical
Functions, 8.17.5 and 8.17.22, evaluated by W. J. Lentz, Applied Optics 15 (1976) 668-671.
"""

from functools import lru_cache
from math import exp, lgamma, log, log1p
from statistics import NormalDist

_SMALLEST = 1e-300
_NORMAL_FROM = 1e6


@lru_cache(maxsize=4096)
def student_quantile(level: float, freedom: float) -> float:
    """Half the width of a two-sided interval in standard errors, with ``freedom`` degrees of freedom above 0."""
    if freedom >= _NORMAL_FROM:
        return normal_quantile(level)
    low, high = 0.0, 1.0
    while _two_tails(high, freedom) > 1 - level:
        low, high = high, 2 * high
    while high - low > 1e-11 * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _two_tails(middle, freedom) > 1 - level else (low, middle)
    return (low + high) / 2


def normal_quantile(level: float) -> float:
    """Half the width of a two-sided normal interval in standard errors."""
    return NormalDist().inv_cdf((1 + level) / 2)


def blocks_needed(effect: float, level: float, power: float) -> float:
    """How many blocks tell a mean difference of ``effect`` standard deviations apart from 0 with probability ``power``.

    The normal approximation with its correction for Student's test: W. C. Guenther, The American Statistician 35 (1981)
    243-244. Raises ``ZeroDivisionError`` if there is no effect.
    """
    reach = normal_quantile(level)
    return ((reach + NormalDist().inv_cdf(power)) / effect) ** 2 + reach**2 / 2


def _two_tails(t: float, freedom: float) -> float:
    """How probable a value beyond ``t`` on either side is."""
    x = freedom / (freedom + t * t)
    return _beta(x, freedom / 2, 0.5) if t > 0 else 1.0


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function; the fraction converges fast below the mean."""
    if x >= 1:
        return 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    return front / _fraction(x, a, b)


def _fraction(x: float, a: float, b: float) -> float:
    value, top, bottom = 1.0, 1.0, 0.0
    for step in range(1, 500):
        m = step // 2
        if step % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        top = (1 + term / top) or _SMALLEST
        bottom = 1 / ((1 + term * bottom) or _SMALLEST)
        value *= top * bottom
        if abs(top * bottom - 1) < 1e-15:
            break
    return value
