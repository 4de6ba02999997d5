"""Shows ratings as tables and figures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import attrs
from arena.tables import Cell, Figure, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import normal

from arena_metric_ratings import elo, glicko, plackett_luce
from arena_metric_ratings.bradley_terry import Model, PairCounts
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.intervals import Ranking, Rated, standing
from arena_metric_ratings.scale import Anchor


@attrs.frozen(kw_only=True)
class RatingSettings:
    """The metric's parameters with the report's level and seed.

    ``references`` are the kinds of baseline agents, by agent.
    """

    anchor: Anchor
    model: Model
    k: float
    tau: float
    period: int
    resamples: int
    level: float
    seed: int
    references: Mapping[str, str]


@attrs.define(eq=False, slots=False)
class ConnectedGroup:
    """Agents that are connected by matches of a game; ``part`` numbers such groups if there are several."""

    game: str
    part: int
    agents: tuple[str, ...]
    played: tuple[Contest, ...]
    undecided: int
    settings: RatingSettings

    @property
    def name(self) -> str:
        """The game, with the group's number if there are several."""
        return f"{self.game}, group {self.part}" if self.part else self.game

    @cached_property
    def standing(self) -> Ranking:
        """The strengths of the group's agents in the Bradley-Terry model."""
        s = self.settings
        model = attrs.evolve(s.model, has_seats=s.model.has_seats and all(len(c.agents) == 2 for c in self.played))
        if model.ties == "davidson" and not any(len(set(c.places)) < len(c.places) for c in self.played):
            model = attrs.evolve(model, ties="half-wins")  # without ties both models are equal
        pairs = PairCounts.of(self.played, self.agents, model)
        return standing(self.played, pairs, s.anchor, resamples=s.resamples, level=s.level, seed=s.seed)

    def score(self, agent: str) -> tuple[int, int, int, int]:
        """The numbers of matches, and of pairs won, tied and lost, in this order."""
        found: Counter[float] = Counter()
        for contest in self.played:
            for first, second, score in contest.pairs():
                found[score] += first == agent
                found[1 - score] += second == agent
        return sum(agent in c.agents for c in self.played), found[1.0], found[0.5], found[0.0]

    def remarks(self) -> Iterator[str]:
        """The notes that the table shows about this group."""
        if self.undecided:
            yield f"{self.game}: matches that gave nobody a return and are left out: {self.undecided}."
        if self.part == 1:
            yield (
                f"{self.game}: the agents fall into groups that never met, directly or through others; ratings compare "
                "agents of one group only, and each group has its own anchor."
            )
        if len(self.agents) == 1:
            yield f"{self.name}: {self.agents[0]} met nobody but itself, and has no rating."
            return
        if self.settings.anchor.agent and self.settings.anchor.agent not in self.agents:
            yield f"{self.name}: the anchor {self.settings.anchor.agent!r} is not among the agents."
        if any(each.bound != "finite" for each in self.standing.rated):
            yield (
                f"{self.name}: who won or lost everything against the others has no finite strength; the bound is "
                "one-sided: by how unlikely such results would be beyond it. A prior (`prior: 400`) makes all finite."
            )

    def has(self, kind: str) -> bool:
        """Whether a baseline agent of this kind, such as random play, is in the group."""
        return any(self.settings.references.get(agent) == kind for agent in self.agents)


def strengths(pools: Sequence[ConnectedGroup]) -> Table:
    """Bradley-Terry strengths with both intervals, and ranks."""
    columns = (
        *text("game", "agent", "reference"),
        *counts("matches", "won", "tied", "lost"),
        *numbers("strength", "by the Hessian"),
        *text("rank"),
    )
    rows = [
        (pool.name, each.agent, pool.settings.references.get(each.agent), *pool.score(each.agent), *_strength(each))
        for pool in pools
        for each in pool.standing.rated
    ]
    note = (
        "The first interval is by resampling whole rotation blocks, the second takes all pairs as independent. Ranks "
        "are those that nothing contradicts: an agent is surely ahead of another if it is in nearly all resamples, "
        "with Bonferroni's correction over all others. Matches of more than two count once for each two players."
    )
    return Table(title="Strengths", columns=columns, rows=tuple(rows), note=note)


def _strength(each: Rated) -> tuple[Cell, ...]:
    rank = "—" if each.rank is None else f"{each.rank} [{each.best}, {each.worst}]"
    if each.bound == "finite":
        return each.bootstrap, each.hessian, rank
    if each.bound == "apart":
        return "not comparable with the anchor", None, rank
    side, beyond = ("above", "over") if each.bound == "above" else ("below", "under")
    limit = "" if each.limit is None else f", {beyond} {each.limit:.0f}"
    return f"unbounded {side}{limit}", None, rank


def seats(pools: Sequence[ConnectedGroup]) -> Table:
    """The advantage of the first seat, and how often equals tie."""
    columns = (*text("game"), *numbers("first seat's advantage"), *shares("ties of equals"))
    rows = [(pool.name, pool.standing.seat, pool.standing.tie) for pool in pools]
    kept = tuple(row for row in rows if row[1:] != (None, None))
    note = "In points: so much stronger is an agent in the first of two seats."
    return Table(title="Seats and ties", columns=columns, rows=kept, note=note)


def others(pools: Sequence[ConnectedGroup]) -> Table:
    """The ratings by Elo, Glicko-2 and Plackett-Luce, for comparison."""
    columns = (
        *text("game", "agent"),
        *numbers("Elo", "Elo, SPIN-Bench's batch", "Glicko-2", "Plackett-Luce"),
    )
    rows = [row for pool in pools for row in _others(pool)]
    note = (
        "Elo depends on the order of the matches: it is the mean over random orders, and its interval is over "
        "resampled blocks in random orders. The batch procedure depends on the order of pairs, does not converge where "
        "somebody won everything, and has no interval. Glicko-2 and Plackett-Luce give intervals of their own."
    )
    return Table(title="Other ratings", columns=columns, rows=tuple(rows), note=note)


def _others(pool: ConnectedGroup) -> Iterator[tuple[Cell, ...]]:
    s, agents = pool.settings, pool.agents
    held = pool.standing.held
    by_elo = elo.over_orders(
        pool.played,
        Anchor(held[0], s.anchor.rating) if len(held) == 1 else s.anchor,
        k=s.k,
        draws=min(s.resamples, 200),
        seed=s.seed,
        level=s.level,
    )
    batch = dict.fromkeys(agents, elo.START) | elo.batch(pool.played)
    strengths = glicko.rated(pool.played, tau=s.tau, period=s.period)
    many = plackett_luce.rated(pool.played, seed=s.seed)
    shifts = [
        s.anchor.shift(ratings, held)
        for ratings in (batch, {a: g.rating for a, g in strengths.items()}, {a: m for a, (m, _) in many.items()})
    ]
    for each in pool.standing.rated:
        agent = each.agent
        n = pool.score(agent)[0]
        known, (mean, deviation) = strengths[agent], many[agent]
        by_glicko = normal(known.rating + shifts[1], known.deviation, n, level=s.level)
        by_many = normal(mean + shifts[2], deviation, n, level=s.level)
        yield (
            *(pool.name, agent, by_elo[agent], batch[agent] + shifts[0]),
            attrs.evolve(by_glicko, method="Glicko-2's deviation"),
            attrs.evolve(by_many, method="Plackett-Luce's deviation"),
        )


def figure(pool: ConnectedGroup) -> Figure:
    """Strengths with their intervals, and baseline agents as lines."""
    finite = [each for each in pool.standing.rated if each.bound == "finite"]
    lines = {
        f"{pool.settings.references[each.agent]} ({each.agent})": float(each.bootstrap.value or 0)
        for each in finite
        if each.agent in pool.settings.references
    }
    left = [each.agent for each in pool.standing.rated if each.bound != "finite"]
    return Figure(
        kind="scatter",
        title=f"Strengths: {pool.name}",
        x=tuple(each.agent for each in finite),
        series={"strength": tuple(each.bootstrap for each in finite)},
        y_title="points",
        references=lines,
        note=f"Without a finite strength: {', '.join(left)}." if left else "",
    )
