"""The mean over rotation blocks with its error: blocks are what is independent, and each game weighs the same.

The tail is a regularised incomplete beta function, by its continued fraction: NIST Digital Library of Mathematical
Functions, 8.17.5 and 8.17.22, evaluated by W. J. Lentz, Applied Optics 15 (1976) 668-671.
"""

from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from math import exp, fsum, lgamma, log, log1p, sqrt
from statistics import NormalDist
from typing import Self

import attrs

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


_EQUAL = 1e-12

_MANY = 20
"""The fewest blocks from which the scores of two agents have Student's interval."""

_USUAL = 0.95
"""The highest level at which they have it."""

_ENOUGH = 5
"""The fewest blocks that must be won, and lost, in all for that."""


class BlockValues:
    """Values by rotation block, of very many matches: two machine words each, until somebody asks for them."""

    def __init__(self) -> None:
        self._blocks: list[str] = []
        self._values = array("d")

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Self:
        """One value of each block."""
        found = cls()
        for block, value in values.items():
            found.add(block, value)
        return found

    def add(self, block: str, value: float) -> None:
        """Add the value of one match."""
        self._blocks.append(block)
        self._values.append(value)

    def by_block(self) -> dict[str, list[float]]:
        """The values of each block, in the order of first occurrence."""
        found: defaultdict[str, list[float]] = defaultdict(list)
        for block, value in zip(self._blocks, self._values, strict=True):
            found[block].append(value)
        return found

    def values(self) -> Collection[list[float]]:
        """The values, a list for each block."""
        return self.by_block().values()

    def __len__(self) -> int:
        return len(set(self._blocks))


@attrs.frozen(kw_only=True)
class BlockMean:
    """A weighted mean over blocks; ``error`` is its standard error, 0 if all blocks are alike.

    ``freedom`` are the degrees of freedom of ``error``. ``blocks`` counts them, and ``weight`` is how many of equal
    weight would have the same error.
    """

    value: float
    error: float
    freedom: float
    weight: float
    blocks: int

    @classmethod
    def of(cls, games: Iterable[Iterable[Sequence[float]]]) -> Self:
        """The mean of values by game, by block; a match weighs the same within its game, and each game the same.

        The variance is the linearised estimator of a weighted mean, made unbiased for blocks of equal variance: it is
        Student's where all blocks weigh the same. What differs between games counts as variance, too. Degrees of
        freedom are F. E. Satterthwaite's, Biometrics Bulletin 2 (1946) 110-114. Raises ``ValueError`` without a value.
        """
        used = [[own for own in game if own] for game in games]
        used = [game for game in used if game]
        if not used:
            raise ValueError("a mean over blocks takes at least one value")
        weights: list[float] = []
        means: list[float] = []
        for game in used:
            count = sum(map(len, game))
            weights += [len(own) / count / len(used) for own in game]
            means += [fsum(own) / len(own) for own in game]
        value = _exact(fsum(w * m for w, m in zip(weights, means, strict=True)), max(map(abs, means)))
        second, third, fourth = (fsum(w**power for w in weights) for power in (2, 3, 4))
        spread = fsum((w * (m - value)) ** 2 for w, m in zip(weights, means, strict=True))
        left = second - 2 * third + second**2
        scale = max(map(abs, means)) ** 2 * second
        error = sqrt(spread * second / left) if left > _EQUAL * second and spread > _EQUAL**2 * scale else 0.0
        return cls(
            value=value,
            error=error,
            freedom=max(second**2 / fourth - 1, 1.0),
            weight=round(1 / second, 9),
            blocks=len(means),
        )

    def minus(self, other: "BlockMean") -> "BlockMean":
        """The difference of two means that share no block; B. L. Welch, Biometrika 34 (1947) 28-35."""
        error = sqrt(self.error**2 + other.error**2)
        parts = self.error**4 / self.freedom + other.error**4 / other.freedom
        blocks = self.blocks + other.blocks
        return BlockMean(
            value=_exact(self.value - other.value, max(abs(self.value), abs(other.value))),
            error=error,
            freedom=max(error**4 / parts, 1.0) if parts else float(min(self.freedom, other.freedom)),
            weight=blocks,
            blocks=blocks,
        )

    @property
    def deviation(self) -> float:
        """The standard deviation between blocks."""
        return self.error * sqrt(self.weight)

    def interval(self, level: float) -> tuple[float, float] | None:
        """Student's interval; ``None`` with fewer than two blocks, or if all are alike."""
        if self.blocks < 2 or self.error == 0:
            return None
        reach = student_quantile(level, self.freedom) * self.error
        return self.value - reach, self.value + reach

    def alike_interval(self, level: float, least: int, low: float, high: float) -> tuple[float, float] | None:
        """The interval where all blocks are alike and no value lies outside ``low`` to ``high``; else ``None``.

        If a block has this value with probability p, ``least`` have it with p^least, which bounds p as C. J. Clopper
        and E. S. Pearson do, Biometrika 26 (1934) 404-413; all other blocks may have the least or the greatest value.
        """
        if self.error or self.blocks < 2:
            return None
        rest = 1 - ((1 - level) / 2) ** (1 / least)
        return self.value - rest * (self.value - low), self.value + rest * (high - self.value)

    def score_interval(self, level: float) -> tuple[float, float] | None:
        """The interval of a mean of scores from 0 to 1; ``None`` with fewer than two blocks, or if all are alike.

        Student's up to a level of 95 %, where there are enough blocks, and enough of them both won and lost. Else E. B.
        Wilson's, Journal of the American Statistical Association 22 (1927) 209-212, with as many trials as the variance
        between blocks makes it, and Student's quantile: it stays between 0 and 1 and holds for few blocks and in the
        tails, where Student's is too narrow (it makes more of 9 won of 10 than the exact bound makes of 10).
        """
        found = self.interval(level)
        fewer = round(self.weight * min(self.value, 1 - self.value), 9)
        if found is None or (level <= _USUAL and self.weight >= _MANY and fewer >= _ENOUGH):
            return found
        spread = self.value * (1 - self.value)
        trials = spread / self.error**2 * self.weight / (self.weight - 1)
        reach = student_quantile(level, self.freedom)
        share = reach**2 / trials
        centre = (self.value + share / 2) / (1 + share)
        half = reach * sqrt(spread / trials + share / (4 * trials)) / (1 + share)
        return centre - half, centre + half


def _exact(value: float, scale: float) -> float:
    """The value, or 0 where nothing but the rounding of numbers of this size makes it another one."""
    return 0.0 if abs(value) <= _EQUAL * scale else value
