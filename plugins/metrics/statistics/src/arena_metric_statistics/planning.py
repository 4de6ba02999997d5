"""How many matches are needed, before anybody pays for them.

All counts are of independent units. Where matches are not, multiply by the design effect: how many times the variance
exceeds that of independent matches.
"""

from math import ceil, sqrt

from scipy import special

from arena_metric_statistics.clusters import normal_quantile
from arena_metric_statistics.proportions import wilson


def for_half_width(share: float, half_width: float, *, level: float = 0.95) -> int:
    """Matches until Wilson's interval around ``share`` reaches out by ``half_width`` to each side, on average."""
    _check_share("share", share)
    if not 0 < half_width < 0.5:
        raise ValueError(f"half_width: expected a number between 0 and 0.5, got {half_width!r}")
    low, high = 1, 1
    while _half_width(share, high, level) > half_width:
        low, high = high, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if _half_width(share, middle, level) > half_width else (low, middle)
    return high


def for_two_shares(first: float, second: float, *, level: float = 0.95, power: float = 0.8) -> int:
    """Matches of each of two agents until a difference of these shares is found with probability ``power``.

    The usual normal approximation: J. L. Fleiss, Statistical Methods for Rates and Proportions, chapter 4.
    """
    _check_share("first", first)
    _check_share("second", second)
    _check_differs(first - second)
    middle = (first + second) / 2
    z, reserve = normal_quantile(level), float(special.ndtri(power))
    spread = z * sqrt(2 * middle * (1 - middle)) + reserve * sqrt(first * (1 - first) + second * (1 - second))
    return max(ceil((spread / (first - second)) ** 2), 1)


def for_mean_difference(deviation: float, difference: float, *, level: float = 0.95, power: float = 0.8) -> int:
    """Blocks until a mean paired ``difference`` is found; ``deviation`` is the standard deviation between blocks."""
    _check_differs(difference)
    if deviation <= 0:
        raise ValueError(f"deviation: expected a number above 0, got {deviation!r}")
    reach = normal_quantile(level) + float(special.ndtri(power))
    # Guenther's correction for Student's distribution in place of the normal one.
    return max(ceil((reach * deviation / difference) ** 2 + normal_quantile(level) ** 2 / 2), 2)


def _half_width(share: float, trials: int, level: float) -> float:
    low, high = wilson(share * trials, trials, level=level)
    return (high - low) / 2


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name}: expected a number from 0 to 1, got {value!r}")


def _check_differs(difference: float) -> None:
    if difference == 0:
        raise ValueError("no number of matches can tell apart what does not differ")
