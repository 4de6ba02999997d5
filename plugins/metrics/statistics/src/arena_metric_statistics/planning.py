"""Computes how many matches are needed, before they are paid for.

All counts are of independent units. If matches are not independent, multiply by the design effect: how many times the
variance exceeds that of independent matches.
"""

from collections.abc import Callable, Hashable, Sequence
from math import ceil, log2, sqrt
from statistics import NormalDist

from arena.tables import Estimate

from arena_metric_statistics.clusters import Clusters, normal_quantile, student_quantile
from arena_metric_statistics.effects import compatible
from arena_metric_statistics.numerics import ArrayLike, special
from arena_metric_statistics.proportions import wilson


def for_half_width(share: float, half_width: float, *, level: float = 0.95) -> int:
    """Matches needed for Wilson's interval around ``share`` to be ``half_width`` wide on each side, on average."""
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
    """Matches of each of two agents needed to find a difference of these shares with probability ``power``.

    The usual normal approximation: J. L. Fleiss, Statistical Methods for Rates and Proportions, chapter 4.
    """
    _check_share("first", first)
    _check_share("second", second)
    _check_differs(first - second)
    middle = (first + second) / 2
    z, reserve = normal_quantile(level), NormalDist().inv_cdf(power)
    spread = z * sqrt(2 * middle * (1 - middle)) + reserve * sqrt(first * (1 - first) + second * (1 - second))
    return max(ceil((spread / (first - second)) ** 2), 1)


def for_mean_difference(deviation: float, difference: float, *, level: float = 0.95, power: float = 0.8) -> int:
    """Blocks needed to find a mean paired ``difference``.

    ``deviation`` is the standard deviation between blocks. Exact for Student's paired test of normally distributed
    blocks.
    """
    _check_differs(difference)
    if deviation <= 0:
        raise ValueError(f"deviation: expected a number above 0, got {deviation!r}")
    return _blocks(abs(difference) / deviation, level, power)


def power_of(blocks: int, effect: float, *, level: float = 0.95) -> float:
    """The power of Student's paired test for a mean difference of ``effect`` standard deviations between blocks.

    By the non-central t distribution: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 2nd ed. (1988),
    chapter 2.
    """
    if blocks < 2:
        return 0.0
    freedom, shift = blocks - 1, abs(effect) * sqrt(blocks)
    reach = student_quantile(level, freedom)
    missed = special.nctdtr(freedom, shift, reach) - special.nctdtr(freedom, shift, -reach)
    return float(1 - missed)


def power_of_groups(each: int, effect: float, *, level: float = 0.95) -> float:
    """The power of Student's test of two independent samples of ``each``, ``effect`` deviations apart."""
    if each < 2:
        return 0.0
    freedom, shift = 2 * each - 2, abs(effect) * sqrt(each / 2)
    reach = student_quantile(level, freedom)
    missed = special.nctdtr(freedom, shift, reach) - special.nctdtr(freedom, shift, -reach)
    return float(1 - missed)


def for_group_difference(deviation: float, difference: float, *, level: float = 0.95, power: float = 0.8) -> int:
    """Observations needed of each of two agents that share no matches and no deals.

    ``deviation`` is the standard deviation within one agent's observations. Exact for normal ones of equal variance.
    """
    _check_differs(difference)
    if deviation <= 0:
        raise ValueError(f"deviation: expected a number above 0, got {deviation!r}")
    effect = abs(difference) / deviation
    return _fewest(lambda each: power_of_groups(each, effect, level=level), power)


def deviation_of_score(score: float, draws: float) -> float:
    """The standard deviation of one match's score (1 won, 0.5 drawn, 0 lost) from its mean and the share of draws."""
    _check_share("score", score)
    _check_share("draws", draws)
    if draws > 2 * min(score, 1 - score):
        raise ValueError(
            f"draws: {draws:g} of the matches cannot be drawn at a score of {score:g}; "
            f"expected at most {2 * min(score, 1 - score):g}"
        )
    return sqrt(max(score * (1 - score) - draws / 4, 0.0))


def to_separate(
    differences: ArrayLike,
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = 0.95,
    power: float = 0.8,
) -> Estimate:
    """Matches needed to tell two agents apart with probability ``power``, given the differences seen so far.

    ``differences`` are paired, one for each match; those with the same label in ``clusters`` are one observation, since
    their matches share their deals. The test is Student's over such blocks, with at least as many of them as flipping
    signs needs to reach ``level`` at all.

    The interval is that of the effect (mean over standard deviation), by the non-central t distribution (G. Cumming, S.
    Finch, Educational and Psychological Measurement 61 (2001) 532-574), converted to matches. Without ``high`` it has
    no upper end: the blocks seen are compatible with equally strong agents. Without ``value`` the agents cannot be told
    apart at the observed difference, and ``method`` says why.
    """
    groups = Clusters.of(differences, None, clusters)
    n, unit = groups.count, groups.unit("matches")
    if n < 2:
        why = "nothing observed" if n == 0 else f"not separable: one of the {unit} alone says nothing of its variance"
        return Estimate(value=None, n=n, level=level, unit=unit, method=why)
    means = groups.sums / groups.bases
    size = float(groups.bases.mean())
    centre, deviation = float(means.mean()), float(means.std(ddof=1))
    scale = float(abs(means).max())
    if abs(centre) <= 1e-12 * scale or scale == 0:
        return Estimate(value=None, n=n, level=level, unit=unit, method=f"not separable: no difference over {n} {unit}")
    least = _least_blocks(level)
    if deviation <= 1e-12 * scale:
        why = f"all {n} {unit} agree: as many as flipping signs needs"
        return Estimate(value=ceil(least * size), n=n, level=level, unit=unit, method=why)
    ends = sorted((end / sqrt(n) for end in compatible(centre / deviation * sqrt(n), n - 1, level)), key=abs)
    is_clear = ends[0] * ends[1] > 0
    low, value = (ceil(max(_blocks(e, level, power), least) * size) for e in (ends[1], centre / deviation))
    high = ceil(max(_blocks(ends[0], level, power), least) * size) if is_clear else None
    method = f"paired Student, power {power:g}, interval by the non-central t"
    return Estimate(value=value, n=n, low=low, high=high, level=level, unit=unit, method=method)


def _blocks(effect: float, level: float, power: float) -> int:
    return _fewest(lambda blocks: power_of(blocks, effect, level=level), power)


def _fewest(power_with: Callable[[int], float], power: float) -> int:
    """The smallest number of observations that reaches ``power``; power grows with every observation."""
    if not 0 < power < 1:
        raise ValueError(f"power: expected a number between 0 and 1, got {power!r}")
    low, high = 2, 2
    while power_with(high) < power:
        low, high = high + 1, 2 * high
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if power_with(middle) < power else (low, middle)
    return high


def _least_blocks(level: float) -> int:
    """The number of blocks that must agree before flipping signs gives a p-value of 1 - level: 2 of 2^n patterns."""
    return max(ceil(log2(2 / (1 - level)) - 1e-9), 2)


def _half_width(share: float, trials: int, level: float) -> float:
    low, high = wilson(share * trials, trials, level=level)
    return (high - low) / 2


def _check_share(name: str, value: float) -> None:
    if not 0 <= value <= 1:
        raise ValueError(f"{name}: expected a number from 0 to 1, got {value!r}")


def _check_differs(difference: float) -> None:
    if difference == 0:
        raise ValueError("no number of matches can tell apart what does not differ")
