"""One scale for all ratings: Elo's, on which 400 points are odds of ten to one."""

from collections.abc import Mapping, Sequence
from math import log

import attrs

POINTS = 400 / log(10)
"""Rating points for a unit of log-odds."""


def expected(difference: float) -> float:
    """The score that a lead of so many points is expected to bring."""
    return 1 / (1 + 10 ** (-difference / 400))


@attrs.frozen
class Anchor:
    """What is known by definition: that ``agent`` has ``rating`` points.

    Without such an agent it is one of those ``usual``, and where none of them is there, the mean of all.
    """

    agent: str = ""
    rating: float = 1500.0
    usual: tuple[str, ...] = ()

    def among(self, agents: Sequence[str], everybody: Sequence[str] = ()) -> tuple[str, ...]:
        """The agents whose mean is the anchor: the one chosen among ``everybody``, else of ``agents``."""
        if self.agent in (*agents, *everybody):
            return (self.agent,)
        usual = next((name for name in self.usual if name in agents), None)
        return tuple(agents) if usual is None else (usual,)

    def shift(self, ratings: Mapping[str, float], held: Sequence[str]) -> float:
        """How much is to be added to all ``ratings``, so that the mean of those held is where it belongs."""
        return self.rating - sum(ratings[agent] for agent in held) / len(held)
