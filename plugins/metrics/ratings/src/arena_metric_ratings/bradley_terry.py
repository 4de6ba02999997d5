"""Bradley-Terry strengths by maximum likelihood, with ties and the advantage of the first seat.

R. A. Bradley and M. E. Terry, Biometrika 39 (1952) 324-345. Ties count as half a win for each, or have a parameter of
their own: R. R. Davidson, Journal of the American Statistical Association 65 (1970) 317-328; with a seat's advantage:
R. R. Davidson and R. J. Beaver, Biometrics 33 (1977) 693-702. In logarithms, with d the first one's lead including the
advantage of its seat: a win of the first has the utility d/2, of the second -d/2, a tie the same for all.
"""

from collections.abc import Iterable, Sequence
from typing import Literal

import attrs
import numpy as np
from arena_metric_statistics.clusters import numbered
from numpy.typing import NDArray

from arena_metric_ratings.choices import Choices, Floats, Recession
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.scale import POINTS

Ties = Literal["half-wins", "davidson"]


@attrs.frozen(kw_only=True)
class Model:
    """What is estimated besides the strengths.

    ``ties`` says how ties count, ``has_seats`` asks for the advantage of the earlier seat, and ``prior`` is a standard
    deviation in points, or ``None``.
    """

    ties: Ties = "half-wins"
    has_seats: bool = True
    prior: float | None = None

    @property
    def extra(self) -> int:
        """The number of parameters after the strengths: the seat's advantage, then the utility of a tie."""
        return int(self.has_seats) + int(self.ties == "davidson")


@attrs.frozen(eq=False)
class PairCounts:
    """Every two players of each match, ready to be counted with any weights.

    ``cells`` number the ordered pairs of agents, and ``options`` say who won: 0 the first, 1 the second, 2 tied;
    ``weights`` are those of the matches.
    """

    agents: tuple[str, ...]
    model: Model
    cells: NDArray[np.intp]
    options: NDArray[np.intp]
    clusters: tuple[str, ...]
    design: Floats
    weights: Floats

    @classmethod
    def of(cls, played: Sequence[Contest], agents: Sequence[str], model: Model) -> "PairCounts":
        """All pairs of the matches between these agents; an agent against itself only informs about seats."""
        place = {agent: i for i, agent in enumerate(agents)}
        found = [
            (place[first], place[second], score, contest.block, contest.weight)
            for contest in played
            for first, second, score in contest.pairs()
            if first in place and (model.has_seats or first != second)
        ]
        ordered = [(first, second) for first, second, *_ in found]
        design = _design(list(dict.fromkeys(ordered)), len(agents), model)
        options = np.array([{1.0: 0, 0.0: 1}.get(score, 2) for _, _, score, *_ in found], dtype=int)
        clusters = tuple(block for *_, block, _ in found)
        weights = np.array([weight for *_, weight in found], dtype=float)
        return cls(tuple(agents), model, numbered(ordered), options, clusters, design, weights)

    def choices(self, weights: Floats | None = None) -> Choices:
        """The observations, each counted as often as its weight says; without weights, as those of the matches say."""
        weights = self.weights if weights is None else weights
        cells, options, size = len(self.design), self.design.shape[1], self.design.shape[2]
        counts = np.bincount(self.cells * 3 + self.options, weights, cells * 3).reshape(cells, 3).astype(float)
        if self.model.ties == "half-wins":
            counts = counts[:, :2] + counts[:, 2:] / 2
        precision = np.full(size, (POINTS / self.model.prior) ** 2 if self.model.prior else 0.0)
        return Choices(self.design, counts, np.ones((cells, options), dtype=bool), precision)

    def shares(self) -> Floats:
        """Weights with which all pairs of one cluster together count as one observation."""
        labels = numbered(self.clusters)
        return 1 / np.bincount(labels)[labels]

    def resampled(self, weights: Iterable[Floats]) -> tuple[Floats, NDArray[np.bool_]]:
        """The counts with the weights of each resample, and which agents have matches in it, by index.

        ``weights`` are those of the observations; observations of one cluster have the same.
        """
        labels = numbered(self.clusters)
        firsts = np.unique(labels, return_index=True)[1]
        cells, size = len(self.design), len(self.design) * 3
        places = labels * size + self.cells * 3 + self.options
        by_cluster = np.bincount(places, self.weights, minlength=len(firsts) * size)
        drawn = np.array([each[firsts] for each in weights])
        counts = (drawn @ by_cluster.reshape(len(firsts), size)).reshape(-1, cells, 3)
        there = counts.sum(axis=2) @ np.abs(self.design[:, 0, : len(self.agents)]) > 0
        if self.model.ties == "half-wins":
            counts = counts[:, :, :2] + counts[:, :, 2:] / 2
        return counts, there


def _design(pairs: Sequence[tuple[int, int]], agents: int, model: Model) -> Floats:
    options = 3 if model.ties == "davidson" else 2
    made = np.zeros((len(pairs), options, agents + model.extra))
    for cell, (first, second) in enumerate(pairs):
        made[cell, 0, first] += 0.5
        made[cell, 0, second] -= 0.5
        made[cell, 0, agents : agents + model.has_seats] = 0.5
        made[cell, 1] = -made[cell, 0]
        made[cell, 2:, -1] = 1.0
    return made


@attrs.frozen(eq=False)
class Fit:
    """The estimate and its limits, in units of log-odds; ``values`` are meaningful for finite contrasts only."""

    pairs: PairCounts
    choices: Choices
    recession: Recession
    values: Floats

    @classmethod
    def of(cls, pairs: PairCounts) -> "Fit":
        """Find the maximum of the likelihood, or the limit that it approaches."""
        choices = pairs.choices()
        recession = Recession.of(choices)
        return cls(pairs, choices, recession, recession.limit.maximum())

    def strength(self, agent: int, held: Sequence[int]) -> Floats:
        """The contrast of one agent's strength with the mean strength of the agents ``held`` fixed."""
        contrast = np.zeros(len(self.values))
        contrast[list(held)] -= 1 / len(held)
        contrast[agent] += 1
        return contrast

    def parameter(self, place: int) -> Floats:
        """The contrast that picks one parameter after the strengths."""
        return np.eye(len(self.values))[len(self.pairs.agents) + place]

    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The agents in groups with finite differences, the largest group first."""
        found: list[list[int]] = []
        for agent in range(len(self.pairs.agents)):
            own = next((each for each in found if self.recession.is_finite(self.strength(agent, each[:1]))), None)
            if own is None:
                found.append([agent])
            else:
                own.append(agent)
        return tuple(map(tuple, sorted(found, key=len, reverse=True)))

    def error(self, contrast: Floats) -> float:
        """The standard error of a finite contrast, from the Hessian."""
        return float(np.sqrt(max(contrast @ self.recession.limit.covariance(self.values) @ contrast, 0.0)))

    def deviance(self, contrast: Floats, value: float) -> float:
        """Twice the loss of log-likelihood if the contrast had this value, each cluster counted as one match."""
        start = contrast * value / (contrast @ contrast)
        choices = self.pairs.choices(self.pairs.shares())
        limit = attrs.evolve(choices, allowed=self.recession.limit.allowed)
        best = limit.log_likelihood(limit.maximum(self.values))
        return 2 * (best - choices.log_likelihood(choices.maximum(start, along=contrast)))
