"""Glicko-2: a rating, its uncertainty, and how much it moves from one rating period to the next.

M. E. Glickman, "Example of the Glicko-2 system" (2012); the steps are numbered as there.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import exp, log, pi, sqrt
from typing import Final

import attrs

from arena_metric_ratings.contests import Contest
from arena_metric_ratings.scale import POINTS


@attrs.frozen
class Strength:
    """A rating in points with its deviation in points, and its volatility."""

    rating: float = 1500.0
    deviation: float = 350.0
    volatility: float = 0.06


NEWCOMER: Final = Strength()

_EXACT: Final = 1e-9
"""How exactly the logarithm of the squared volatility is found."""


def rated(played: Sequence[Contest], *, tau: float = 0.5, period: int = 0) -> dict[str, Strength]:
    """The strength of each agent after rating periods of ``period`` matches each.

    With 0, all matches are one period.
    """
    agents = sorted({agent for contest in played for agent in contest.agents})
    strengths = dict.fromkeys(agents, NEWCOMER)
    size = period or max(len(played), 1)
    for start in range(0, len(played), size):
        results = _results(played[start : start + size])
        strengths = {
            agent: updated(own, [(strengths[other], score) for other, score in results.get(agent, ())], tau=tau)
            for agent, own in strengths.items()
        }
    return strengths


def updated(own: Strength, results: Iterable[tuple[Strength, float]], *, tau: float = 0.5) -> Strength:
    """A strength after one rating period, from the opponents' strengths before it and the scores against them."""
    met = [(_weight(other.deviation / POINTS), (own.rating - other.rating) / POINTS, score) for other, score in results]
    deviation = own.deviation / POINTS  # step 2
    if not met:
        return attrs.evolve(own, deviation=POINTS * sqrt(deviation**2 + own.volatility**2))
    hoped = [(weight, 1 / (1 + exp(-weight * gap)), score) for weight, gap, score in met]
    variance = 1 / sum(weight**2 * share * (1 - share) for weight, share, _ in hoped)  # step 3
    surplus = sum(weight * (score - share) for weight, share, score in hoped)  # step 4, without the variance
    volatility = _volatility(variance * surplus, deviation, variance, own.volatility, tau)  # step 5
    after = 1 / sqrt(1 / (deviation**2 + volatility**2) + 1 / variance)  # steps 6 and 7
    return Strength(own.rating + POINTS * after**2 * surplus, POINTS * after, volatility)  # step 8


def _weight(deviation: float) -> float:
    return 1 / sqrt(1 + 3 * deviation**2 / pi**2)


def _volatility(change: float, deviation: float, variance: float, before: float, tau: float) -> float:
    """Step 5: the root of an equation in the logarithm of the squared volatility."""

    def slope(x: float) -> float:
        spread = deviation**2 + variance + exp(x)
        return exp(x) * (change**2 - spread) / (2 * spread**2) - (x - log(before**2)) / tau**2

    low = high = log(before**2)
    while slope(low) < 0:
        low -= tau
    while slope(high) > 0:
        high += tau
    while high - low > _EXACT:
        middle = (low + high) / 2
        if slope(middle) > 0:
            low = middle
        else:
            high = middle
    return exp((low + high) / 4)


def _results(played: Iterable[Contest]) -> Mapping[str, list[tuple[str, float]]]:
    found: dict[str, list[tuple[str, float]]] = {}
    for contest in played:
        for first, second, score in contest.pairs():
            if first != second:
                found.setdefault(first, []).append((second, score))
                found.setdefault(second, []).append((first, 1 - score))
    return found
