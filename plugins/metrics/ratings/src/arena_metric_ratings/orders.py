"""Ratings that go from match to match, as a mean over orders of the matches."""

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Final, Protocol

import attrs
from arena_metric_statistics.numerics import np

from arena_metric_ratings.contests import Contest

MOST: Final = 200
"""How many orders a mean is over, where that does not take too long."""

_PLAYERS: Final = 200_000
"""How many players of matches are rated at most, over all orders: about two seconds of processor time."""


class Rating(Protocol):
    """A rating in points, with its standard deviation in points."""

    @property
    def rating(self) -> float:
        """The rating in points."""
        ...

    @property
    def deviation(self) -> float:
        """The rating's standard deviation in points."""
        ...


@attrs.frozen
class Level:
    """A rating in points, with its standard deviation in points."""

    rating: float
    deviation: float


Rate = Callable[[Sequence[Contest]], Mapping[str, Rating]]


@attrs.frozen
class OverOrders:
    """The mean of a rating over ``orders`` orders; deviations hold the spread between orders beside its own."""

    levels: Mapping[str, Level]
    orders: int

    @classmethod
    def of(cls, played: Sequence[Contest], rate: Rate, seed: int, most: int = MOST) -> "OverOrders":
        """Rate the matches in ``most`` random orders, or as many as take about two seconds, two at the least."""
        size = sum(len(contest.agents) + 1 for contest in played)
        count = min(most, max(2, _PLAYERS // max(size, 1)))
        rng = np.random.default_rng(seed)
        found = [rate([played[i] for i in rng.permutation(len(played))]) for _ in range(count)]
        return cls({agent: _mean([each[agent] for each in found]) for agent in sorted(found[0])}, count)


def _mean(levels: Sequence[Rating]) -> Level:
    ratings = np.array([each.rating for each in levels])
    own = np.mean([each.deviation**2 for each in levels])
    spread = float(ratings.var(ddof=1)) if len(levels) > 1 else 0.0
    return Level(float(ratings.mean()), sqrt(float(own) + spread))
