"""Plackett-Luce strengths by maximum likelihood, for matches of any number of players and without any order.

R. L. Plackett, Applied Statistics 24 (1975) 193-202. The best of a match is chosen from all players, the next one from
those who are left, and so on, each with a chance in proportion to its worth. Players who tie were chosen in some order;
all their orders count alike, so that a tie of two is half a win for each.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import comb
from typing import Final

from arena_metric_statistics.clusters import numbered
from arena_metric_statistics.numerics import np

from arena_metric_ratings.contests import Contest
from arena_metric_ratings.observations import Model, Observations

_MOST_TIED: Final = 10
"""Up to so many who tie, all their orders are counted; of more, each is chosen from all of them (N. Breslow, 1974)."""


def choices(played: Sequence[Contest], agents: Sequence[str], prior: float | None = None) -> Observations:
    """Who was chosen from whom in each match between these agents."""
    place = {agent: i for i, agent in enumerate(agents)}
    inside = [contest for contest in played if contest.agents[0] in place]
    labels = numbered(contest.block for contest in inside)
    sizes = np.bincount(labels, minlength=1)
    cells: dict[tuple[int, ...], int] = {}
    found = [
        (cells.setdefault(left, len(cells)), option, part, contest, part / sizes[label])
        for label, contest in zip(labels, inside, strict=True)
        for left, option, part in _stages([place[agent] for agent in contest.agents], contest.places)
    ]
    width = max(map(len, cells), default=2)
    design = np.zeros((len(cells), width, len(agents)))
    allowed = np.zeros((len(cells), width), dtype=bool)
    for left, cell in cells.items():
        allowed[cell, : len(left)] = True
        design[cell, range(len(left)), left] = 1.0
    return Observations(
        agents=tuple(agents),
        model=Model(has_seats=False, prior=prior),
        design=design,
        allowed=allowed,
        cells=np.array([cell for cell, *_ in found], dtype=int),
        options=np.array([option for _, option, *_ in found], dtype=int),
        clusters=tuple(contest.block for *_, contest, _ in found),
        weights=np.array([part * contest.weight for _, _, part, contest, _ in found], dtype=float),
        shares=np.array([share for *_, share in found], dtype=float),
    )


def _stages(players: Sequence[int], places: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int, float]]:
    """Who was left, which of them was chosen, and for how much of the match that counts."""
    for rank in sorted(set(places)):
        tied = [player for player, place in zip(players, places, strict=True) if place == rank]
        below = [player for player, place in zip(players, places, strict=True) if place > rank]
        for left, share in _orders(tied):
            if len(left) + len(below) > 1:
                there = tuple(sorted((*left, *below)))
                yield from ((there, there.index(player), share) for player in left)


def _orders(tied: Sequence[int]) -> Iterable[tuple[tuple[int, ...], float]]:
    """The sets of those who tie that may be left at some time, with the share of all orders for each of them."""
    if len(tied) > _MOST_TIED:
        return [(tuple(tied), 1.0)]
    sizes = range(len(tied), 0, -1)
    return [(left, 1 / size / comb(len(tied), size)) for size in sizes for left in combinations(tied, size)]
