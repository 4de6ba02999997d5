"""Observations of who was chosen from whom, ready to be counted with any weights."""

from collections.abc import Iterable
from itertools import islice
from typing import Literal

import attrs
from arena_metric_statistics.clusters import numbered
from arena_metric_statistics.numerics import AT_ONCE, Booleans, Floats, Integers, np

from arena_metric_ratings.choices import Choices
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
class Observations:
    """What was observed in each cell of ``design`` (cells × options × parameters), of which ``allowed`` are options.

    ``cells`` and ``options`` number what was observed, ``clusters`` name what is resampled together, ``weights`` are
    those of the matches, and ``shares`` the weights with which each cluster counts as one match.
    """

    agents: tuple[str, ...]
    model: Model
    design: Floats
    allowed: Booleans
    cells: Integers
    options: Integers
    clusters: tuple[str, ...]
    weights: Floats
    shares: Floats

    def choices(self, weights: Floats | None = None) -> Choices:
        """The observations, each counted as often as its weight says; without weights, as those of the matches say."""
        weights = self.weights if weights is None else weights
        cells, width, size = self.design.shape
        counts = np.bincount(self.cells * width + self.options, weights, cells * width).reshape(cells, width)
        precision = np.full(size, (POINTS / self.model.prior) ** 2 if self.model.prior else 0.0)
        return Choices(self.design, counts.astype(float), self.allowed, precision)

    def resampled(self, weights: Iterable[Floats]) -> tuple[Floats, Booleans]:
        """The counts with the weights of each resample, and which agents have matches in it, by index.

        ``weights`` are those of the observations; observations of one cluster have the same.
        """
        labels = numbered(self.clusters)
        firsts = np.unique(labels, return_index=True)[1]
        cells, width, _ = self.design.shape
        size = cells * width
        places = labels * size + self.cells * width + self.options
        by_cluster = np.bincount(places, self.weights, minlength=len(firsts) * size)
        sums = by_cluster.reshape(len(firsts), size)
        given = iter(weights)
        parts: list[Floats] = []
        # A few resamples at a time: all of a long run's would fill the memory.
        while drawn := [each[firsts] for each in islice(given, max(1, AT_ONCE // max(len(firsts), 1)))]:
            parts.append(np.array(drawn) @ sums)
        counts = np.concatenate([*parts, np.empty((0, size))]).reshape(-1, cells, width)
        strengths = np.where(self.allowed[:, :, None], self.design, np.nan)[:, :, : len(self.agents)]
        tells = np.nanmax(strengths, axis=1) > np.nanmin(strengths, axis=1)
        return counts, counts.sum(axis=2) @ tells > 0
