"""Intervals of ratings: from the Hessian, by resampling blocks, and from the likelihood if nothing bounds them."""

from collections.abc import Sequence
from math import log
from typing import Literal

import attrs
from arena.tables import Estimate
from arena_metric_statistics.means import normal
from arena_metric_statistics.numerics import Floats, np, optimize
from arena_metric_statistics.resampling import redrawn

from arena_metric_ratings.bradley_terry import Fit
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.observations import Observations
from arena_metric_ratings.scale import POINTS, Anchor

FAR = 8.0
"""The log-odds from which a resample's estimate counts as unbounded: 3,000 to one."""

Bound = Literal["finite", "above", "below", "apart"]


@attrs.frozen(kw_only=True)
class Rated:
    """One agent's strength in points.

    ``bound`` says whether it is finite, unbounded above or below, or not comparable with the anchor at all. ``hessian``
    and ``bootstrap`` are intervals with a value if it is finite; ``limit`` bounds an unbounded strength from the other
    side. ``rank`` is 1 for the best; ``best`` and ``worst`` bound it.
    """

    agent: str
    bound: Bound
    hessian: Estimate
    bootstrap: Estimate
    limit: float | None = None
    rank: int | None
    best: int
    worst: int

    @property
    def told(self) -> Estimate | str:
        """The strength with its interval by resampling, or in words why it has none."""
        if self.bound == "finite":
            return self.bootstrap
        if self.bound == "apart":
            return "not comparable with the anchor"
        side, beyond = ("above", "over") if self.bound == "above" else ("below", "under")
        return f"unbounded {side}" + ("" if self.limit is None else f", {beyond} {self.limit:.0f}")

    def published(self, *, is_anchor: bool) -> tuple[float | None, tuple[float | None, float | None]]:
        """The rating, ``None`` without bound, and the ends of its interval, of which open ones are ``None``.

        The anchor's interval is its rating twice.
        """
        if is_anchor:
            return self.bootstrap.value, (self.bootstrap.value, self.bootstrap.value)
        if self.bound == "finite":
            return self.bootstrap.value, (self.bootstrap.low, self.bootstrap.high)
        return None, (self.limit, None) if self.bound == "above" else (None, self.limit)


@attrs.frozen(kw_only=True)
class Ranking:
    """The strengths of all agents, in the order of their ranks.

    ``seat`` is the first seat's advantage in points; ``tie`` is the chance of a tie between equals without a seat's
    advantage. Both are ``None`` if they are not in the model, and a word if nothing bounds them. ``held`` are the
    agents whose mean is the anchor, and ``comparisons`` tell who is ahead of whom.
    """

    rated: tuple[Rated, ...]
    seat: Estimate | str | None
    tie: Estimate | str | None
    held: tuple[str, ...]
    comparisons: "Comparisons"


def standing(
    played: Sequence[Contest], pairs: Observations, anchor: Anchor, *, resamples: int, level: float, seed: int
) -> Ranking:
    """Fit the model and compute all intervals and ranks."""
    fit = Fit.of(pairs)
    agents = pairs.agents
    held = tuple(map(agents.index, anchor.among([agents[i] for i in fit.classes()[0]], agents)))
    drawn = _drawn(fit, held, resamples, seed)
    contrasts = [fit.strength(agent, held) for agent in range(len(agents))]
    bounds: list[Bound] = [_bound(fit, contrast) for contrast in contrasts]
    rank = Comparisons(fit, fit.places(), drawn[:, : len(agents)], level)
    found: list[Rated] = []
    for i, agent in enumerate(agents):
        blocks = [contest.block for contest in played if agent in contest.agents]
        spot = _EstimateContext(len(set(blocks)), len(set(blocks)) == len(blocks), level, POINTS, anchor.rating)
        is_finite = bounds[i] == "finite"
        best, worst = rank.ends(i)
        found.append(
            Rated(
                agent=agent,
                bound=bounds[i],
                hessian=spot.normal(fit, contrasts[i]) if is_finite else spot.nothing,
                bootstrap=spot.resampled(fit, contrasts[i], drawn[:, i]) if is_finite else spot.nothing,
                limit=_limit(fit, contrasts[i], bounds[i], level, anchor),
                rank=None if bounds[i] == "apart" else rank.of(i),
                best=best,
                worst=worst,
            )
        )
    found.sort(key=lambda each: (each.rank is None, each.rank or 0, each.agent))
    blocks = set(pairs.clusters)
    spot = _EstimateContext(len(blocks), len(blocks) == len(played), level, POINTS, 0.0)
    seat = _extra(fit, 0, spot, drawn) if pairs.model.has_seats else None
    tie = _extra(fit, int(pairs.model.has_seats), spot, drawn) if pairs.model.ties == "davidson" else None
    return Ranking(
        rated=tuple(found),
        seat=seat,
        tie=_tie_share(tie) if isinstance(tie, Estimate) else tie,
        held=tuple(agents[i] for i in held),
        comparisons=rank,
    )


@attrs.frozen
class _EstimateContext:
    """Turns estimates in log-odds into points with an interval: their number, level and scale."""

    n: int
    are_single: bool
    level: float
    points: float
    shift: float

    @property
    def unit(self) -> str:
        return "matches" if self.are_single else "blocks"

    @property
    def nothing(self) -> Estimate:
        return Estimate(value=None, n=self.n, level=self.level, unit=self.unit, method="")

    def normal(self, fit: Fit, contrast: Floats) -> Estimate:
        value, error = float(contrast @ fit.values), fit.error(contrast)
        if error < 1e-9:
            anchored = self.shift + self.points * value
            return attrs.evolve(self.nothing, value=anchored, method="the anchor, by definition")
        made = normal(self.shift + self.points * value, self.points * error, self.n, level=self.level, unit=self.unit)
        return attrs.evolve(made, method="normal, by the Hessian")

    def resampled(self, fit: Fit, contrast: Floats, drawn: Floats) -> Estimate:
        value = attrs.evolve(self.nothing, value=self.shift + self.points * float(contrast @ fit.values))
        if not np.any(contrast):
            return attrs.evolve(value, method="the anchor, by definition")
        if self.n < 2:
            return attrs.evolve(value, method=f"no interval: one of the {self.unit} alone")
        known = drawn[~np.isnan(drawn)]
        if not len(known) or known.min() > known.max() - 1e-9:
            return attrs.evolve(value, method="no interval: all resamples agree")
        known = np.where(np.abs(known) > FAR, np.copysign(np.inf, known), known)
        tails = (1 - self.level) / 2, (1 + self.level) / 2
        low, high = (self.shift + self.points * float(e) for e in np.quantile(known, tails, method="inverted_cdf"))
        if not np.isfinite(low):
            ceiling = f"; at most {high:.0f}" if np.isfinite(high) else ""
            return attrs.evolve(value, method=f"no interval: nothing bounds it from below{ceiling}")
        return attrs.evolve(
            value,
            low=low,
            high=high if np.isfinite(high) else None,
            method=f"bootstrap of {self.unit} (percentile, {len(drawn)} resamples)",
        )


def _drawn(fit: Fit, held: Sequence[int], resamples: int, seed: int) -> Floats:
    """The parameters of each resample: strengths relative to the mean of those ``held``, then the other parameters.

    An agent without a match in a resample is NaN there.
    """
    pairs, count = fit.pairs, len(fit.pairs.agents)
    found = np.full((resamples, len(fit.values)), np.nan)
    if len(set(pairs.clusters)) < 2:
        return found
    counts, there = pairs.resampled(redrawn(pairs.clusters, resamples=resamples, seed=seed))
    values = fit.choices.rough_maxima(counts, fit.values)
    for row, own, is_there in zip(found, values, there, strict=True):
        anchors = [i for i in held if is_there[i]]
        if anchors:
            row[:count][is_there] = own[:count][is_there] - own[anchors].mean()
        row[count:] = own[count:]
    return found


def _bound(fit: Fit, contrast: Floats) -> Bound:
    if fit.recession.is_finite(contrast):
        return "finite"
    down, up = fit.recession.reach(contrast)
    return "apart" if down == up else "above" if up else "below"


def _limit(fit: Fit, contrast: Floats, bound: Bound, level: float, anchor: Anchor) -> float | None:
    """The finite end of a one-sided interval: beyond it, results as one-sided would be less likely than 1 - level.

    Exact (Clopper and Pearson) if the agent met a single opponent; each block counts as one match.
    """
    if bound not in ("above", "below"):
        return None
    towards = contrast if bound == "above" else -contrast
    worth = -2 * log(1 - level)

    def lost(value: float) -> float:
        return fit.deviance(towards, value) - worth

    far = 2 * FAR
    if lost(-far) < 0 or lost(far) > 0:
        return None
    end = float(optimize.brentq(lost, -far, far, xtol=1e-6))  # pyright: ignore[reportArgumentType]  # a root alone
    return anchor.rating + POINTS * (end if bound == "above" else -end)


def _extra(fit: Fit, place: int, spot: _EstimateContext, drawn: Floats) -> Estimate | str:
    contrast = fit.parameter(place)
    if (bound := _bound(fit, contrast)) != "finite":
        return "unbounded " + bound if bound != "apart" else "not determined"
    return spot.resampled(fit, contrast, drawn[:, len(fit.pairs.agents) + place])


def _tie_share(utility: Estimate) -> Estimate:
    def share(points: float | None) -> float | None:
        return None if points is None else float(1 / (1 + 2 * np.exp(-points / POINTS)))

    return attrs.evolve(utility, value=share(utility.value), low=share(utility.low), high=share(utility.high))


@attrs.frozen(eq=False)
class Comparisons:
    """Ranks with intervals: the best and worst rank compatible with the pairwise comparisons.

    An agent is ahead of another if the estimates say so, and nearly all resamples (with Bonferroni's correction over
    all others); so a rank lies within its interval. If their difference is unbounded, resamples always agree, so
    results this one-sided must also be unlikely between equals. ``places`` order the estimates.
    """

    fit: Fit
    places: Sequence[tuple[float, float]]
    drawn: Floats
    level: float

    def of(self, agent: int) -> int:
        """The rank by the point estimates, 1 for the best."""
        return 1 + sum(other > self.places[agent] for other in self.places)

    def ends(self, agent: int) -> tuple[int, int]:
        """The best and the worst rank that the agent may have."""
        others = [other for other in range(len(self.places)) if other != agent]
        above = sum(self._is_ahead(other, agent) for other in others)
        below = sum(self._is_ahead(agent, other) for other in others)
        return 1 + above, len(self.places) - below

    def is_ahead(self, first: str, second: str) -> bool:
        """Whether one agent is surely ahead of another."""
        place = self.fit.pairs.agents.index
        return self._is_ahead(place(first), place(second))

    def lead(self, first: str, second: str) -> tuple[float, float, float] | None:
        """The lead of one agent over another in points, and both ends of its interval, corrected as ranks are.

        ``None`` where the lead or its interval has no bound, or there are too few matches for an interval.
        """
        a, b = map(self.fit.pairs.agents.index, (first, second))
        contrast = self.fit.strength(a, [b])
        leads = self.drawn[:, a] - self.drawn[:, b]
        leads = leads[~np.isnan(leads)]
        if not self.fit.recession.is_finite(contrast) or not len(leads) or np.ptp(leads) < 1e-9:
            return None
        tail = self._tail
        low, high = np.quantile(leads, [tail, 1 - tail], method="inverted_cdf")
        if max(-low, high) > FAR:
            return None
        return POINTS * float(contrast @ self.fit.values), POINTS * float(low), POINTS * float(high)

    @property
    def _tail(self) -> float:
        return (1 - self.level) / 2 / max(len(self.places) - 1, 1)

    def _is_ahead(self, first: int, second: int) -> bool:
        if self.places[first] <= self.places[second]:
            return False
        leads = self.drawn[:, first] - self.drawn[:, second]
        leads = leads[~np.isnan(leads)]
        if not len(leads) or (leads <= 0).mean() > self._tail:
            return False
        contrast = self.fit.strength(first, [second])
        return self.fit.recession.is_finite(contrast) or self.fit.deviance(contrast, 0.0) > -2 * log(self._tail)
