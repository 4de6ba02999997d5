"""Who is told apart, and by how much: one critical value for all statements of a table.

The effective score of a cluster is what it says against two agents being equal. If they are, its sign is as likely as
the other one; so the signs of all clusters are changed at random, the same for all pairs, and what the greatest
statistic of all pairs exceeds in 5 % of these changes is the critical value. A lead's interval holds what the same
critical value does not refuse, so that an interval, a group and a rank cannot contradict each other.
"""

from collections.abc import Iterable, Sequence
from math import ceil, inf, sqrt
from statistics import NormalDist
from typing import Any, Final

import numpy as np

from arena_standings.equations import Array, Equations
from arena_standings.rows import Rows

ALL_SIGNS: Final = 13
"""Up to so many clusters every change of signs is looked at."""

MOST_CLUSTERS: Final = 2_000
"""Above so many clusters the sums are drawn from the normal distribution that they have in the limit."""

DRAWS: Final = 19_999
"""How many changes of signs are drawn above ``ALL_SIGNS`` clusters."""

WIDEST: Final = 10.0
"""An interval that does not end within so many log-odds of the lead is open there."""

_SEED: Final = 20_260_717
_DIGITS: Final = 6
_BISECTIONS: Final = 20
_CHUNK: Final = 1_000


class Family:
    """Statements that are judged together: contrasts of strengths, a line for each, with their statistics."""

    def __init__(self, equations: Equations, fitted: Array, contrasts: Sequence[Array], shrunk: float) -> None:
        self._equations = equations
        self._fitted = fitted
        self._shrunk = shrunk
        self._contrasts = np.array(contrasts).reshape(-1, equations.size)
        self.leads: Array = self._contrasts @ fitted
        self._equal = equations.fit_at(self._at_fit(self._contrasts), self._contrasts, np.zeros(len(self._contrasts)))
        self.scores: Array = equations.scores(self._equal, self._contrasts).by_cluster()
        self.t: Array = np.round(shrunk * self.scores.sum(axis=1) / _length(self.scores), _DIGITS)

    def _at_fit(self, contrasts: Array) -> Array:
        return np.repeat(self._fitted[None], len(contrasts), axis=0)

    def intervals(self, critical: float, which: Sequence[int]) -> list[tuple[float | None, float | None]]:
        """Both ends of some leads, as far as ``critical`` does not refuse them; an open end is ``None``."""
        if np.isinf(critical) or not which:
            return [(None, None)] * len(which)
        chosen = self._contrasts[list(which)]
        equal = self._equations.scores(self._equal[list(which)], chosen)
        modelled = equal.model_variance()
        excess = np.where(modelled > 0, (equal.of_wins() ** 2).sum(axis=1) / np.maximum(modelled, 1e-300), 0.0)
        cases = len(which)
        contrasts, excess = np.tile(chosen, (2, 1)), np.tile(excess, 2)
        centres, sides = np.tile(self.leads[list(which)], 2), np.repeat([-1.0, 1.0], cases)
        inner, outer = np.zeros(2 * cases), np.full(2 * cases, WIDEST)
        is_open = np.zeros(2 * cases, dtype=bool)
        strengths = self._at_fit(contrasts)
        for step in range(_BISECTIONS):
            tried = outer if step == 0 else (inner + outer) / 2
            strengths = self._equations.fit_at(strengths, contrasts, centres + sides * tried)
            found = self._equations.scores(strengths, contrasts)
            variance = excess * found.model_variance() + found.of_pays_squared()
            t = np.abs(self._shrunk * found.sums()) / np.sqrt(np.maximum(variance, 1e-300))
            is_inside = t <= critical
            if step == 0:
                is_open = is_inside
            else:
                inner, outer = np.where(is_inside, tried, inner), np.where(is_inside, outer, tried)
        ends = centres + sides * (inner + outer) / 2
        told = [None if is_open[i] else float(ends[i]) for i in range(2 * cases)]
        return list(zip(told[:cases], told[cases:], strict=True))


class Separation:
    """The strengths of agents that met, and what is judged about them.

    ``strengths`` are those that include disqualifications, ``by_play`` those without them.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._equations = equations = Equations(rows)
        self._fitted = fitted = equations.fit()
        count = len(rows.agents)
        self.by_play: Array = fitted[:count]
        self.strengths: Array = fitted[equations.plays :] if rows.refused else self.by_play
        self.pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
        self.clusters = len(equations.clusters)
        lost = count - 2 + equations.seats
        self._shrunk = sqrt(max(1 - lost / self.clusters, 0.0)) if self.clusters else 0.0

    def of_pairs(self) -> Family:
        """The comparisons of every two agents."""
        return self._family(self._of_two(a, b) for a, b in self.pairs)

    def of_means(self) -> Family:
        """Every two agents, then each agent and the mean of all."""
        count = len(self.rows.agents)
        with_mean = ([(i == a) - 1 / count for i in range(count)] for a in range(count))
        return self._family([*(self._of_two(a, b) for a, b in self.pairs), *map(self._of_all, with_mean)])

    def of_weights(self, weights: Iterable[Sequence[float]]) -> Family:
        """Sums of strengths, with a weight for each agent."""
        return self._family(map(self._of_all, weights))

    def _family(self, contrasts: Iterable[Array]) -> Family:
        return Family(self._equations, self._fitted, list(contrasts), self._shrunk)

    def _of_two(self, a: int, b: int) -> Array:
        found = np.zeros(self._equations.size)
        base = self._equations.plays if {a, b} & self.rows.refused else 0
        found[base + a], found[base + b] = 1.0, -1.0
        return found

    def _of_all(self, weights: Sequence[float]) -> Array:
        found = np.zeros(self._equations.size)
        base = self._equations.plays if self.rows.refused else 0
        found[base : base + len(weights)] = weights
        return found


def _length(scores: Array) -> Array:
    found = np.sqrt((scores**2).sum(axis=1))
    return np.where(found > 1e-12, found, inf)


def critical_value(families: Sequence[Array], level: float = 0.95) -> float:
    """What statistics must exceed, from the scores of families that share no cluster; infinite if nothing can.

    That is so where chance alone reaches the greatest possible value too often, as with few clusters.
    """
    units = [scores / _length(scores)[:, None] for scores in families if len(scores)]
    clusters = sum(unit.shape[1] for unit in units)
    if not units:
        return inf
    greatest = np.sort(np.round(_all_signs(units) if clusters <= ALL_SIGNS else _drawn(units), _DIGITS))
    if np.mean(greatest >= greatest[-1]) > 1 - level:
        return inf
    found = float(greatest[ceil(level * len(greatest)) - 1])
    if sum(map(len, units)) == 1:  # one pair has few values: of all that decide alike, the normal one if it is there
        above = greatest[greatest > found]
        normal = NormalDist().inv_cdf((1 + level) / 2)
        if found <= normal and (not len(above) or normal < float(above[0])):
            return normal
    return found


def _all_signs(units: Sequence[Array]) -> Array:
    begins = np.cumsum([0, *(unit.shape[1] for unit in units)])
    numbers = np.arange(2 ** max(int(begins[-1]) - 1, 0))  # turning all signs changes nothing
    found = np.zeros(len(numbers))
    for begin, unit in zip(begins[:-1], units, strict=True):
        signs = 1.0 - 2.0 * (numbers[:, None] >> (begin + np.arange(unit.shape[1])) & 1)
        found = np.maximum(found, np.abs(signs @ unit.T).max(axis=1))
    return found


def _drawn(units: Sequence[Array]) -> Array:
    random = np.random.default_rng(_SEED)
    found = np.zeros(DRAWS)
    for unit in units:
        pairs, clusters = unit.shape
        is_many = clusters > MOST_CLUSTERS
        root: Any = np.linalg.cholesky(unit @ unit.T + 1e-12 * np.eye(pairs)) if is_many else unit
        for begin in range(0, DRAWS, _CHUNK):
            many = min(_CHUNK, DRAWS - begin)
            if is_many:
                signs = random.standard_normal((many, pairs))
            else:
                signs = 1.0 - 2.0 * random.integers(0, 2, (many, clusters), dtype=np.int8)
            sums = np.abs(signs @ root.T).max(axis=1)
            found[begin : begin + many] = np.maximum(found[begin : begin + many], sums)
    return found
