"""The scale of all ratings: Elo's, on which 400 points are odds of ten to one."""

from collections.abc import Mapping, Sequence
from math import log

import attrs

POINTS = 400 / log(10)
"""Rating points for a unit of log-odds."""


def expected(difference: float) -> float:
    """The expected score, from 0 to 1, with a lead of ``difference`` points."""
    return 1 / (1 + 10 ** (-difference / 400))


@attrs.frozen
class Anchor:
    """The fixed point of the scale: ``agent`` has ``rating`` points.

    Without that agent it is one of those ``usual``, and if none of them played, the mean of all agents.
    """

    agent: str = ""
    rating: float = 1500.0
    usual: tuple[str, ...] = ()

    def among(self, agents: Sequence[str], everybody: Sequence[str] = ()) -> tuple[str, ...]:
        """The agents whose mean is the anchor; ``everybody`` also has agents of other connected groups.

        That is the chosen agent if it played at all, otherwise the first usual one among ``agents``, otherwise all of
        them. A single agent has no difference to anybody that could be kept finite: then it is the first usual one of
        all.
        """
        if self.agent in (*agents, *everybody):
            return (self.agent,)
        there = everybody if len(agents) == 1 and everybody else agents
        usual = next((name for name in self.usual if name in there), None)
        return tuple(agents) if usual is None else (usual,)

    def shift(self, ratings: Mapping[str, float], held: Sequence[str]) -> float:
        """The number of points to add to all ``ratings``, so that the mean of those ``held`` is the anchor's rating."""
        return self.rating - sum(ratings[agent] for agent in held) / len(held)
