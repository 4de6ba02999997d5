"""How likely a planned design is to tell agents apart: its matches are simulated, and judged as played ones are.

In each simulated run one agent, another one each time, is better than all others, which are equal: it wins by the same
odds against each of them, whatever the game. Matches are independent of each other, and none is drawn.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import inf, log
from typing import Final

import attrs
import numpy as np

from arena_standings.equations import Equations
from arena_standings.matches import Contest, GameKind, connected
from arena_standings.rows import FIELD, Floats, rows_of
from arena_standings.separation import critical_value, hides_ties, shrinkage, statistics

TRUTHS: Final = (0.75, 0.6)
"""How often the better agent wins: the shares that a forecast names."""

RUNS: Final = 400
"""The most runs that are simulated for each truth."""

_LEAST: Final = 40
_MOST_SIZE: Final = 3_000_000
"""Designs with more rows times pairs than this are not simulated."""

_WORK: Final = 1_000_000
"""About how many rows times pairs are simulated for each truth, which takes about half a second."""

_OPPONENTS: Final = 3
"""The most opponents of the better agent that a run looks at, each time others."""

_FEW_CLUSTERS: Final = 60
"""Up to so many clusters a single pair has few critical values, and each run its own."""

_CRITICAL_RUNS: Final = 5
_CRITICAL_DRAWS: Final = 1_999
_SEED: Final = 20_261_129


@attrs.frozen
class PlannedMatch:
    """A match that will be played: its game, the block whose deals it shares, and its agents by seat."""

    game: str
    block: str
    agents: tuple[str, ...]


@attrs.frozen(kw_only=True)
class Power:
    """In what ``share`` of ``runs`` an agent that wins with chance ``truth`` is told apart from another one.

    ``clusters`` are the independent results of a run. With few of them ``can_decide`` is false: nobody is ever told
    apart. ``agents`` are those that are compared.
    """

    truth: float
    share: float
    runs: int
    clusters: int
    can_decide: bool
    agents: tuple[str, ...]


def power_of(
    planned: Iterable[PlannedMatch],
    games: Mapping[str, GameKind],
    *,
    truths: Sequence[float] = TRUTHS,
    level: float = 0.95,
    runs: int = RUNS,
) -> tuple[Power, ...]:
    """The power of a design for each truth, with the same numbers each time.

    Fewer than ``runs`` are simulated of large designs. Of agents that do not all meet, the largest group is looked at.
    Empty where no two agents are compared, where agents that play apart share no deals, and for designs that are too
    large.
    """
    contests = [
        Contest(game=each.game, block=each.block, match=str(i), agents=each.agents, returns=_some_returns(each.agents))
        for i, each in enumerate(planned)
    ]
    parts = connected(contests, games)
    if not parts or len(parts[0]) < 2:
        return ()
    agents = parts[0]
    present = set(agents)
    rows = rows_of((each for each in contests if each.agents[0] in present), agents, games)
    size = len(rows.columns) * len(agents) * (len(agents) - 1) // 2
    if not len(rows.columns) or size > _MOST_SIZE or np.any(rows.columns.second == FIELD):
        return ()
    design = _Design(Equations(rows), level)
    return tuple(design.power(truth, runs) for truth in truths)


def _some_returns(agents: Sequence[str]) -> tuple[float, ...]:
    """Returns for the form alone; two agents differ by two, as a win and a loss do."""
    order = {agent: 2.0 * i for i, agent in enumerate(sorted(set(agents)))}
    return tuple(order[agent] for agent in agents)


class _Design:
    """The equations of a planned design, and what is the same in all its runs."""

    def __init__(self, equations: Equations, level: float) -> None:
        self._equations = equations
        self._level = level
        self._shrunk = shrinkage(equations)
        columns = equations.rows.columns
        self._count = len(equations.rows.agents)
        keys = np.concatenate([columns.draw * self._count + columns.first, columns.draw * self._count + columns.second])
        self._keys, places = np.unique(keys, return_inverse=True)
        self._first, self._second = places[: len(columns)], places[len(columns) :]
        self._pays = np.array(equations.rows.pays, dtype=bool)[columns.game]
        self._known: dict[tuple[float, ...], float] = {}

    def power(self, truth: float, runs: int) -> Power:
        """How often a pair is told apart in which one wins with chance ``truth``."""
        random = np.random.default_rng(_SEED)
        taken = min(_OPPONENTS, self._count - 1)
        fitting = _WORK // (taken * len(self._equations.rows.columns))
        runs = min(runs, max(fitting, _LEAST))
        has_few = self._count == 2 and len(self._equations.clusters) <= _FEW_CLUSTERS
        critical = None if has_few else self._critical(truth, random)
        told: list[bool] = []
        chunk = max(_WORK // (8 * taken * len(self._equations.rows.columns)), 1)
        for begin in range(0, runs, chunk):
            better = np.arange(begin, min(begin + chunk, runs)) % self._count
            lines, pairs = self._lines(better, taken, random)
            scores = self._scores(self._played(truth, better, random)[lines], pairs)
            t = statistics(scores[0], self._shrunk)
            one_pair = zip(*scores, strict=True) if critical is None else ()
            told += list(t > (critical or [max(map(self._of_one_pair, own)) for own in one_pair]))
        most = min(self._known.values()) if critical is None else critical
        return Power(
            truth=truth,
            share=float(np.mean(told)),
            runs=runs,
            clusters=len(self._equations.clusters),
            can_decide=most < inf,
            agents=self._equations.rows.agents,
        )

    def _lines(self, better: Floats, taken: int, random: np.random.Generator) -> tuple[Floats, Floats]:
        """For each run some pairs of its better agent: the run's number, and the contrast of the two."""
        contrasts = np.zeros((len(better), taken, self._equations.size))
        for run, agent in enumerate(map(int, better)):
            others = [i for i in range(self._count) if i != agent]
            contrasts[run, :, agent] = 1.0
            contrasts[run, np.arange(taken), random.permutation(others)[:taken]] = -1.0
        return np.repeat(np.arange(len(better)), taken), contrasts.reshape(-1, self._equations.size)

    def _played(self, truth: float, better: Floats, random: np.random.Generator) -> Floats:
        """The values of all rows, a line for each run: in each match the greatest sum of strength and noise wins."""
        noise = random.gumbel(size=(len(better), len(self._keys)))
        noise += np.where(self._keys % self._count == better[:, None], log(truth / (1 - truth)), 0.0)
        ahead = noise[:, self._first] > noise[:, self._second]
        return np.where(self._pays, np.where(ahead, 2.0, -2.0), ahead)

    def _scores(self, values: Floats, contrasts: Floats) -> tuple[Floats, ...]:
        """The scores of clusters, and those without an advantage of seats where the critical value looks at both."""
        equations = self._equations
        cells = equations.cell_values(values)
        equal = equations.fit_at(np.zeros_like(contrasts), contrasts, np.zeros(len(contrasts)), cells)
        found = equations.scores(equal, contrasts, cells)
        scores = found.by_cluster(values)
        return (scores, found.without_seats(values)) if hides_ties(equations) else (scores,)

    def _of_one_pair(self, scores: Floats) -> float:
        """The critical value for a single pair; it depends on the sizes of the scores alone."""
        sizes = np.sort(np.abs(scores))
        key = tuple(map(float, np.round(sizes / max(float(sizes[-1]), 1e-300), 6)))
        if key not in self._known:
            self._known[key] = critical_value([sizes[None]], self._level)
        return self._known[key]

    def _critical(self, truth: float, random: np.random.Generator) -> float:
        """The critical value for all pairs: the median of some runs, which differ little in it."""
        pairs = [(i, j) for i in range(self._count) for j in range(i + 1, self._count)]
        contrasts = np.zeros((len(pairs), self._equations.size))
        for place, (i, j) in enumerate(pairs):
            contrasts[place, i], contrasts[place, j] = 1.0, -1.0
        size = len(pairs) * len(self._equations.rows.columns)
        better = np.arange(min(max(_WORK // size, 1), _CRITICAL_RUNS)) % self._count
        found = [
            critical_value(
                [self._scores(np.repeat(values[None], len(pairs), axis=0), contrasts)[0]], self._level, _CRITICAL_DRAWS
            )
            for values in self._played(truth, better, random)
        ]
        return float(np.median(found))
