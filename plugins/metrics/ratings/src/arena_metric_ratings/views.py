"""Shows ratings as tables and figures."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, partial

import attrs
from arena.tables import Cell, Estimate, Figure, Table
from arena_metric_outcomes.columns import counts, numbers, shares, text
from arena_metric_statistics.means import normal

from arena_metric_ratings import elo, glicko, plackett_luce, weng_lin
from arena_metric_ratings.bradley_terry import Model, PairCounts
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.intervals import Ranking, Rated, standing
from arena_metric_ratings.orders import MOST, OverOrders
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

    @cached_property
    def choices(self) -> Ranking:
        """The strengths of the group's agents in the Plackett-Luce model."""
        s = self.settings
        if all(len(c.agents) == 2 for c in self.played) and self.standing.seat is None and self.standing.tie is None:
            return self.standing  # of two players without a seat's advantage both models are equal
        seen = plackett_luce.choices(self.played, self.agents, s.model.prior)
        return standing(self.played, seen, s.anchor, resamples=s.resamples, level=s.level, seed=s.seed)

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
    return each.told, each.hessian if each.bound == "finite" else None, rank


def seats(pools: Sequence[ConnectedGroup]) -> Table:
    """The advantage of the first seat, and how often equals tie."""
    columns = (*text("game"), *numbers("first seat's advantage"), *shares("ties of equals"))
    rows = [(pool.name, pool.standing.seat, pool.standing.tie) for pool in pools]
    kept = tuple(row for row in rows if row[1:] != (None, None))
    note = "In points: so much stronger is an agent in the first of two seats."
    return Table(title="Seats and ties", columns=columns, rows=kept, note=note)


def others(pools: Sequence[ConnectedGroup]) -> Table:
    """The ratings by Plackett-Luce, Elo and Glicko-2, for comparison."""
    columns = (
        *text("game", "agent"),
        *numbers("Plackett-Luce", "Plackett-Luce, online", "Elo"),
        *numbers("Elo, SPIN-Bench's batch", unit="points"),  # the one without an interval
        *numbers("Glicko-2"),
    )
    rows = [row for pool in pools for row in _others(pool)]
    note = (
        "Plackett-Luce is by maximum likelihood, of whole matches of any number of players; it knows no seats. Ratings "
        "that go from match to match depend on their order: the online rating (openskill) and Elo are means over "
        "random orders. The online rating's interval holds its own deviation and the spread between orders, Elo's is "
        "over resampled blocks in random orders. The batch procedure depends on the order of pairs, does not converge "
        "where somebody won everything, and has no interval. Glicko-2 has an interval of its own."
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
    batch_shift = s.anchor.shift(batch, held)
    online = OverOrders.of(pool.played, weng_lin.rated, s.seed)
    by_period = partial(glicko.rated, tau=s.tau, period=s.period)
    periods = OverOrders.of(pool.played, by_period, s.seed, MOST if s.period else 1)
    many = {each.agent: each for each in pool.choices.rated}
    for each in pool.standing.rated:
        agent = each.agent
        yield (
            *(pool.name, agent, many[agent].told),
            _normal(pool, online, agent, "deviation of Weng and Lin"),
            *(by_elo[agent], batch[agent] + batch_shift),
            _normal(pool, periods, agent, "Glicko-2's deviation"),
        )


def _normal(pool: ConnectedGroup, found: OverOrders, agent: str, method: str) -> Estimate:
    s = pool.settings
    shift = s.anchor.shift({name: level.rating for name, level in found.levels.items()}, pool.standing.held)
    own = found.levels[agent]
    made = normal(own.rating + shift, own.deviation, pool.score(agent)[0], level=s.level)
    orders = f", mean over {found.orders} orders with their spread" if found.orders > 1 else ""
    return attrs.evolve(made, method=method + orders)


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
