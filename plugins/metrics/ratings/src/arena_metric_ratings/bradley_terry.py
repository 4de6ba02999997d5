"""Bradley-Terry strengths by maximum likelihood, with ties and the advantage of the first seat.

R. A. Bradley and M. E. Terry, Biometrika 39 (1952) 324-345. Ties count as half a win for each, or have a parameter of
their own: R. R. Davidson, Journal of the American Statistical Association 65 (1970) 317-328; with a seat's advantage:
R. R. Davidson and R. J. Beaver, Biometrics 33 (1977) 693-702. In logarithms, with d the first one's lead including the
advantage of its seat: a win of the first has the utility d/2, of the second -d/2, a tie the same for all.
"""

from collections.abc import Sequence

import attrs
from arena_metric_statistics.clusters import numbered
from arena_metric_statistics.numerics import Floats, np

from arena_metric_ratings.choices import Choices, Recession
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.observations import Model, Observations, Ties

__all__ = ["Fit", "Model", "PairCounts", "Ties"]

_WEAK = 1e-4
"""The precision of a prior that is too weak to matter: a standard deviation of 17,000 points."""


class PairCounts(Observations):
    """Every two players of each match; the options are a win of the first, of the second and, with Davidson, a tie."""

    @classmethod
    def of(cls, played: Sequence[Contest], agents: Sequence[str], model: Model) -> "PairCounts":
        """All pairs of the matches between these agents; an agent against itself only informs about seats."""
        place = {agent: i for i, agent in enumerate(agents)}
        found = [
            ((place[first], place[second]), option, contest, part)
            for contest in played
            for first, second, score in contest.pairs()
            if first in place and (model.has_seats or first != second)
            for option, part in _options(score, model)
        ]
        ordered = [pair for pair, *_ in found]
        design = _design(list(dict.fromkeys(ordered)), len(agents), model)
        clusters = tuple(contest.block for _, _, contest, _ in found)
        parts = np.array([part for *_, part in found], dtype=float)
        labels = numbered(clusters)
        return cls(
            agents=tuple(agents),
            model=model,
            design=design,
            allowed=np.ones(design.shape[:2], dtype=bool),
            cells=numbered(ordered),
            options=np.array([option for _, option, *_ in found], dtype=int),
            clusters=clusters,
            weights=parts * [contest.weight for _, _, contest, _ in found],
            shares=parts / np.bincount(labels, parts)[labels],
        )


def _options(score: float, model: Model) -> tuple[tuple[int, float], ...]:
    """The options that a score counts for, and how much: half for each where a tie is half a win."""
    if score in (0.0, 1.0):
        return ((int(score == 0.0), 1.0),)
    return ((2, 1.0),) if model.ties == "davidson" else ((0, 0.5), (1, 0.5))


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

    pairs: Observations
    choices: Choices
    recession: Recession
    values: Floats

    @classmethod
    def of(cls, pairs: Observations) -> "Fit":
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

    def places(self) -> tuple[tuple[float, float], ...]:
        """For each agent what orders it among all: who leads without bound first, then by likelihood.

        Between agents of whom neither leads the other, and whose difference is not finite either, a normal prior too
        weak to matter anywhere else decides.
        """
        count = len(self.pairs.agents)
        classes = self.classes()
        weak = np.full(len(self.values), _WEAK)
        weakly = self.values if len(classes) == 1 else attrs.evolve(self.choices, precision=weak).maximum()
        likely = np.empty(count)
        for own in map(list, classes):
            likely[own] = self.values[own] - self.values[own].mean() + weakly[own].mean()
        return tuple(zip(self.recession.away[:count].round(6).tolist(), likely.round(7).tolist(), strict=True))

    def error(self, contrast: Floats) -> float:
        """The standard error of a finite contrast, from the Hessian."""
        return float(np.sqrt(max(contrast @ self.recession.limit.covariance(self.values) @ contrast, 0.0)))

    def deviance(self, contrast: Floats, value: float) -> float:
        """Twice the loss of log-likelihood if the contrast had this value, each cluster counted as one match."""
        start = contrast * value / (contrast @ contrast)
        choices = self.pairs.choices(self.pairs.shares)
        limit = attrs.evolve(choices, allowed=self.recession.limit.allowed)
        best = limit.log_likelihood(limit.maximum(self.values))
        return 2 * (best - choices.log_likelihood(choices.maximum(start, along=contrast)))
