"""Exact tests for paired data, and corrections for many tests at once."""

from collections.abc import Sequence
from functools import lru_cache

import attrs

from arena_metric_statistics.numerics import AT_ONCE, ArrayLike, np, special

EXACT_UP_TO = 20
"""The most differences for which all sign patterns are tried, which are 2^20."""


@attrs.frozen(kw_only=True)
class Comparison:
    """The result of a test of no difference: ``p`` is two-sided, ``n`` counts the informative observations."""

    difference: float
    p: float
    n: int
    method: str


def sign_flip(differences: ArrayLike, *, resamples: int = 20_000, seed: int = 0) -> Comparison:
    """Test whether paired differences (one per rotation block) are centred on zero, by flipping their signs.

    Exact if swapping the two agents would flip the sign, that is, if both played all seats with the same deals. With up
    to ``EXACT_UP_TO`` differences all patterns are tried, with more as many random ones as ``resamples``; the observed
    pattern always counts, so that p is never zero.
    """
    found = np.asarray(differences, dtype=float)
    mean = float(found.mean()) if len(found) else 0.0
    moving = found[found != 0]
    n = len(moving)
    if n == 0:
        return Comparison(difference=mean, p=1.0, n=0, method="no difference in any block")
    reached = abs(float(moving.sum())) * (1 - 1e-12)
    if n <= EXACT_UP_TO:
        sums = np.zeros(1)
        for size in np.abs(moving):
            sums = np.concatenate([sums + size, sums - size])
        p = float((np.abs(sums) >= reached).mean())
        return Comparison(difference=mean, p=p, n=n, method=f"sign flips, all {2**n} patterns")
    hits = _hits(moving.tobytes(), reached, resamples, seed)
    p = (1 + hits) / (1 + resamples)
    return Comparison(difference=mean, p=p, n=n, method=f"sign flips, {resamples} random patterns")


@lru_cache(maxsize=8)  # a verdict, a table and a figure ask for the same test
def _hits(moving: bytes, reached: float, resamples: int, seed: int) -> int:
    sizes, rng = np.frombuffer(moving), np.random.default_rng(seed)
    hits, total, step = 0, float(sizes.sum()), max(1, AT_ONCE // len(sizes))
    for start in range(0, resamples, step):
        kept = rng.integers(2, size=(min(step, resamples - start), len(sizes)))
        # What keeps its sign less what flips it; a product of floats is many times as fast as one with integers.
        hits += int((np.abs(2 * (kept.astype(float) @ sizes) - total) >= reached).sum())
    return hits


def mcnemar(only_first: int, only_second: int, *, mid_p: bool = False) -> Comparison:
    """Test whether two agents solve the same share of the same tasks, from the tasks that only one of them solved.

    Exact; ``mid_p`` counts half of the observed case, which is less conservative. Q. McNemar, Psychometrika 12 (1947)
    153-157.
    """
    n, fewer = only_first + only_second, min(only_first, only_second)
    tail = float(special.bdtr(fewer, n, 0.5)) if n else 1.0
    p = 2 * tail - (_binomial(fewer, n) if mid_p else 0.0)
    method = "McNemar, mid-p" if mid_p else "McNemar, exact"
    return Comparison(difference=float(only_first - only_second), p=min(p, 1.0), n=n, method=method)


def _binomial(k: int, n: int) -> float:
    return float(special.binom(n, k) * 0.5**n)


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values so that the chance of even one false alarm among all stays below the threshold.

    S. Holm, Scandinavian Journal of Statistics 6 (1979) 65-70.
    """
    order = sorted(range(len(ps)), key=ps.__getitem__)
    adjusted, reached = [0.0] * len(ps), 0.0
    for place, i in enumerate(order):
        reached = max(reached, min(1.0, (len(ps) - place) * ps[i]))
        adjusted[i] = reached
    return tuple(adjusted)


def benjamini_hochberg(ps: Sequence[float]) -> tuple[float, ...]:
    """Adjust p-values so that the expected share of false alarms among the findings stays below the threshold.

    Y. Benjamini, Y. Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289-300.
    """
    order = sorted(range(len(ps)), key=ps.__getitem__, reverse=True)
    adjusted, reached = [0.0] * len(ps), 1.0
    for place, i in enumerate(order):
        reached = min(reached, ps[i] * len(ps) / (len(ps) - place))
        adjusted[i] = reached
    return tuple(adjusted)
