"""Who is told apart, and by how much: one critical value for all statements of a table.

The effective score of a cluster is what it says against two agents being equal. If they are, its sign is as likely as
the other one; so the signs of all clusters are changed at random, the same for all pairs, and what the greatest
statistic of all pairs exceeds in 5 % of these changes is the critical value. A lead's interval holds what the same
critical value does not refuse, so that an interval, a group and a rank cannot contradict each other.
"""

from collections.abc import Iterable, Sequence
from math import ceil, inf, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from arena_standings.equations import Equations
from arena_standings.rows import Floats, Ints, PairRows

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
_MOST_STEPS: Final = 40
_CLOSE: Final = 1e-7
"""How near the search for an end of an interval comes."""

_FEW_CLUSTERS: Final = 40
"""Up to so many matches of two agents an estimated advantage of the first seat may hide that results are tied."""

_LONG: Final = 50_000
"""Above so many scores, ties do not matter, and signs are multiplied in short numbers."""

_CHUNK: Final = 1_000


class Family:
    """Statements that are judged together: contrasts of strengths, a line for each, with their statistics.

    Where matches say less than a single decided one, as eight draws do, nothing tells how widely results are dispersed:
    it may be as widely as wins and losses are, so the scores of such a silent contrast are those of decided matches.
    """

    def __init__(self, equations: Equations, fitted: Floats, contrasts: Sequence[Floats], shrunk: float) -> None:
        self._equations = equations
        self._fitted = fitted
        self._shrunk = shrunk
        self._contrasts = np.array(contrasts).reshape(-1, equations.size)
        self.leads: Floats = self._contrasts @ fitted
        self._equal = equations.fit_at(self._at_fit(self._contrasts), self._contrasts, np.zeros(len(self._contrasts)))
        found = equations.scores(self._equal, self._contrasts)
        self.scores: Floats = found.by_cluster()
        self.t: Floats = statistics(self.scores, shrunk)
        if hides_ties(equations) and len(self.scores) == 1:
            self.scores = max(self.scores, found.without_seats(), key=lambda own: critical_value([own]))
        decided = found.if_decided()
        self._is_silent = (np.abs(self.t) < 1) & ((self.scores**2).sum(axis=1) < decided.max(axis=1, initial=0.0) ** 2)
        self.scores = np.where(self._is_silent[:, None], decided, self.scores)

    def _at_fit(self, contrasts: Floats) -> Floats:
        return np.repeat(self._fitted[None], len(contrasts), axis=0)

    def intervals(self, critical: float, which: Sequence[int]) -> list[tuple[float | None, float | None]]:
        """Both ends of some leads, as far as ``critical`` does not refuse them; an open end is ``None``."""
        if np.isinf(critical) or not len(which):
            return [(None, None)] * len(which)
        places = list(which)
        search = _Search(self._equations, self._contrasts[places], critical / max(self._shrunk, 1e-300))
        squared = self._equations.scores(self._equal[places], search.contrasts).of_wins_squared()
        squared = np.where(self._is_silent[places], (self.scores[places] ** 2).sum(axis=1), squared)
        ends = search.ends(self._at_fit(search.contrasts), self._equal[places], self.leads[places], squared)
        return list(zip(ends[: len(places)], ends[len(places) :], strict=True))


class _Search:
    """Looks for the two leads of each contrast at which its statistic reaches ``critical``."""

    def __init__(self, equations: Equations, contrasts: Floats, critical: float) -> None:
        self.contrasts = contrasts
        self._equations = equations
        self._both = np.tile(contrasts, (2, 1))
        self._critical = critical

    def ends(self, fitted: Floats, equal: Floats, leads: Floats, squared: Floats) -> list[float | None]:
        """All lower ends, then all upper ones; ``squared`` are the scores of rows of wins at the strengths ``equal``.

        Each step takes the place where a straight line would reach the critical value, each third one the middle.
        """
        excess = np.tile(self._dispersion(equal, squared), 2)
        centres, sides = np.tile(leads, 2), np.repeat([-1.0, 1.0], len(leads))
        inner, outer = np.zeros(len(sides)), np.full(len(sides), WIDEST)
        strengths = self._equations.fit_at(np.tile(fitted, (2, 1)), self._both, centres + sides * outer)
        below, above = np.full(len(sides), -1.0), self._beyond(strengths, excess)
        is_open = above <= 0
        for step in range(1, _MOST_STEPS):
            middle = (inner + outer) / 2
            straight = inner + (outer - inner) * below / np.minimum(below - above, -1e-300)
            tried = np.where(is_open | (step % 3 == 0), middle, np.clip(straight, inner, outer))
            strengths = self._equations.fit_at(strengths, self._both, centres + sides * tried)
            found = self._beyond(strengths, excess)
            is_inside, is_end = found <= 0, np.abs(found) < _CLOSE
            inner = np.where(is_inside | is_end, tried, inner)
            outer = np.where(is_inside & ~is_end, outer, tried)
            below, above = np.where(is_inside, found, below / 2), np.where(is_inside, above / 2, found)
            if np.all(is_open | (outer - inner < _CLOSE)):
                break
        ends = centres + sides * (inner + outer) / 2
        return [None if is_open[i] else float(ends[i]) for i in range(len(ends))]

    def _dispersion(self, equal: Floats, squared: Floats) -> Floats:
        modelled = self._equations.scores(equal, self.contrasts).model_variance()
        return np.where(modelled > 0, squared / np.maximum(modelled, 1e-300), 0.0)

    def _beyond(self, strengths: Floats, excess: Floats) -> Floats:
        """From −1 where the statistic is 0 through 0 where it is critical to 1 where it is infinite."""
        found = self._equations.scores(strengths, self._both)
        variance = excess * found.model_variance() + found.of_pays_squared()
        sums, limit = np.abs(found.sums()), self._critical * np.sqrt(np.maximum(variance, 1e-300))
        return (sums - limit) / (sums + limit)


class Separation:
    """The strengths of agents that met, and what is judged about them.

    ``strengths`` are those that include disqualifications, ``by_play`` those without them.
    """

    def __init__(self, rows: PairRows) -> None:
        self.rows = rows
        self._equations = equations = Equations(rows)
        self._fitted = fitted = equations.fit()[0]
        count = len(rows.agents)
        self.by_play: Floats = fitted[:count]
        self.strengths: Floats = fitted[equations.plays :] if rows.refused else self.by_play
        self.pairs = [(a, b) for a in range(count) for b in range(a + 1, count)]
        self.clusters = len(equations.clusters)
        self._shrunk = shrinkage(equations)

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

    def _family(self, contrasts: Iterable[Floats]) -> Family:
        return Family(self._equations, self._fitted, list(contrasts), self._shrunk)

    def _of_two(self, a: int, b: int) -> Floats:
        found = np.zeros(self._equations.size)
        base = self._equations.plays if {a, b} & self.rows.refused else 0
        found[base + a], found[base + b] = 1.0, -1.0
        return found

    def _of_all(self, weights: Sequence[float]) -> Floats:
        found = np.zeros(self._equations.size)
        base = self._equations.plays if self.rows.refused else 0
        found[base : base + len(weights)] = weights
        return found


def hides_ties(equations: Equations) -> bool:
    """Whether two agents played so few matches that what seats are estimated to be worth parts tied results.

    The signs of their scores then seem to say more than they do: 7–1 would be told apart, which a coin shows too often.
    So the critical value is the greater of the one with and the one without an advantage of the first seat.
    """
    few = len(equations.clusters) <= _FEW_CLUSTERS and len(equations.rows.agents) == 2
    return few and bool(equations.seats) and not equations.pays.any()


def shrinkage(equations: Equations) -> float:
    """The factor of all statistics: fitting makes residuals smaller, which matters with few clusters."""
    clusters = len(equations.clusters)
    lost = len(equations.rows.agents) - 2 + equations.seats
    return sqrt(max(1 - lost / clusters, 0.0)) if clusters else 0.0


def statistics(scores: Floats, shrunk: float) -> Floats:
    """The statistic of each line of scores."""
    found: Floats = shrunk * scores.sum(axis=-1) / _length(scores)
    return np.round(found, _DIGITS)


def _length(scores: Floats) -> Floats:
    found = np.sqrt((scores**2).sum(axis=-1))
    return np.where(found > 1e-12, found, inf)


def critical_value(families: Sequence[Floats], level: float = 0.95, draws: int = DRAWS) -> float:
    """What statistics must exceed, from the scores of families that share no cluster; infinite if nothing can.

    That is so where chance alone reaches the greatest possible value too often, as with few clusters.
    """
    units = [scores / _length(scores)[:, None] for scores in families if len(scores)]
    if not units:
        return inf
    clusters = sum(unit.shape[1] for unit in units)
    greatest = np.sort(np.round(_all_signs(units) if clusters <= ALL_SIGNS else _drawn(units, draws), _DIGITS))
    if np.mean(greatest >= greatest[-1]) > 1 - level:
        return inf
    found = float(greatest[ceil(level * len(greatest)) - 1])
    if sum(map(len, units)) > 1:
        return found
    # One pair has few values: of all critical ones that decide alike, the normal one if it is among them.
    above = greatest[greatest > found]
    normal = NormalDist().inv_cdf((1 + level) / 2)
    return normal if found <= normal and (not len(above) or normal < float(above[0])) else found


def _all_signs(units: Sequence[Floats]) -> Floats:
    begins = np.cumsum([0, *(unit.shape[1] for unit in units)])
    numbers: Ints = np.arange(1 << max(int(begins[-1]) - 1, 0))  # turning all signs changes nothing
    found = np.zeros(len(numbers))
    for begin, unit in zip(map(int, begins[:-1]), units, strict=True):
        bits: Ints = numbers[:, None] >> np.arange(begin, begin + int(unit.shape[1]))
        signs: Floats = 1.0 - 2.0 * (bits & 1)
        found = np.maximum(found, np.abs(signs @ unit.T).max(axis=1))
    return found


def _drawn(units: Sequence[Floats], draws: int) -> Floats:
    random = np.random.default_rng(_SEED)
    found = np.zeros(draws)
    for unit in units:
        is_many = unit.shape[1] > MOST_CLUSTERS
        root = _root(unit) if is_many else unit.T
        root = root.astype(np.float32) if is_many or unit.size > _LONG else root
        for begin in range(0, draws, _CHUNK):
            lines = min(_CHUNK, draws - begin)
            made = _normal(random, lines, len(root)) if is_many else _signs(random, lines, root)
            own = found[begin : begin + lines]
            np.maximum(own, np.abs(made @ root).max(axis=1), out=own)
    return found


def _root(unit: Floats) -> Floats:
    return np.linalg.cholesky(unit @ unit.T + 1e-12 * np.eye(len(unit))).T


def _normal(random: np.random.Generator, lines: int, size: int) -> Floats:
    return random.standard_normal((lines, size), dtype=np.float32)


def _signs(random: np.random.Generator, lines: int, root: Floats) -> Floats:
    size = len(root)
    bits = np.frombuffer(random.bytes(lines * (size + 7 >> 3)), dtype=np.uint8).reshape(lines, -1)
    return 1 - 2 * np.unpackbits(bits, axis=1, count=size).astype(root.dtype)
