"""The metric ``ratings``, which shows the ratings of other methods than that by which a report ranks."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Final, Literal

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.tables import Cell, Estimate, Section, Table
from arena_metric_outcomes.columns import counts, numbers, text
from arena_metric_statistics.columns import Columns, Kind
from arena_metric_statistics.means import normal
from attrs.validators import ge, gt

from arena_metric_ratings import elo, glicko, weng_lin
from arena_metric_ratings.contests import PLACE, Contest, contests, groups, measured
from arena_metric_ratings.orders import MOST, OverOrders
from arena_metric_ratings.scale import Anchor

_EVERYTHING: Final = "all games"

_MOST_DRAWS: Final = 200
"""The most resamples for the interval of Elo."""

_MEANING: Final = (
    "These are other methods than the one by which a report ranks agents: they say nothing about who is better, and "
    "their intervals do not hold together. 400 points are odds of ten to one; a match counts by who earned more."
)

_NOTE: Final = (
    "Ratings that go from match to match depend on their order: Elo and Weng-Lin (openskill) are means over random "
    "orders. Weng-Lin's interval holds its own deviation and the spread between orders, Elo's is over resampled blocks "
    "in random orders, Glicko-2 has one of its own. Matches of more than two count once for each two players. Agents "
    "stand by name."
)


@attrs.frozen(kw_only=True)
class Ratings(Metric):
    """Ratings by Elo, Glicko-2, and Weng and Lin, by game and over all games, for comparison; they rank nobody."""

    anchor: str = attrs.field(
        default="", metadata={"help": "the agent that has `rating`; empty: random play if there is any, else the mean"}
    )
    rating: float = attrs.field(default=1500.0, metadata={"help": "the anchor's points"})
    disqualified: Literal["left-out", "lose"] = attrs.field(
        default="left-out", metadata={"help": "whether a disqualification is nobody's win, or the others'"}
    )
    k: float = attrs.field(default=32.0, validator=gt(0), metadata={"help": "how far a result moves an Elo rating"})
    tau: float = attrs.field(default=0.5, validator=gt(0), metadata={"help": "how far Glicko-2's volatility moves"})
    period: int = attrs.field(
        default=0, validator=ge(0), metadata={"help": "matches of a rating period of Glicko-2; 0: all are one"}
    )
    random: tuple[str, ...] = attrs.field(default=("random",), metadata={"help": "agents that play at random"})

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per player: its place in the match."""
        return measured(match.record, disqualified_lose=self.disqualified == "lose")

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Ratings for each game, then for all games together if there are several."""

        def is_contest(kind: Kind) -> bool:
            reference = measurements.baselines.get(kind.game)
            return len(kind.agents) > 1 and (reference is None or reference.returns != "cooperative")

        rows = Columns.of(measurements.rows).named(PLACE).of_kinds(is_contest)
        kept = rows.of_kinds(lambda kind: not (kind.at_fault or kind.ending.is_forfeit))
        if measurements.forfeits != "without":
            yield self._section("Ratings by other methods", measurements, rows)
        if measurements.forfeits == "without" or (measurements.forfeits == "both" and 0 < len(kept) < len(rows)):
            yield self._section("Ratings by other methods without forfeited matches", measurements, kept)

    def _section(self, title: str, table: Measurements, rows: Columns) -> Section:
        games = {game: own for (game,), own in rows.grouped("game").items()}
        if len(games) > 1:
            games = {**games, _EVERYTHING: rows}
        said: list[str] = []
        cells: list[tuple[Cell, ...]] = []
        for game, own in games.items():
            played = contests(own)
            if undecided := own.match_count - len(played):
                said.append(f"{game}: matches that gave nobody a return and are left out: {undecided}.")
            parts = groups(played)
            if len(parts) > 1:
                said.append(f"{game}: the agents fall into groups that never met; each group has its own anchor.")
            for number, agents in enumerate(parts, 1):
                name = f"{game}, group {number}" if len(parts) > 1 else game
                if len(agents) == 1:
                    said.append(f"{name}: {agents[0]} met nobody but itself, and has no rating.")
                    continue
                if self.anchor and self.anchor not in agents:
                    said.append(f"{name}: the anchor {self.anchor!r} is not among the agents.")
                inside = [contest for contest in played if contest.agents[0] in agents]
                cells += self._rows(name, agents, inside, table)
        if not cells:
            return Section(
                title=title, text=" ".join(["There is no match in which one player could be ahead of another.", *said])
            )
        who = repr(self.anchor) if self.anchor else "random play, or else the mean of all"
        anchored = f"The anchor is {who}, at {self.rating:g}."
        columns = (*text("game", "agent"), *counts("matches"), *numbers("Elo", "Glicko-2", "Weng-Lin"))
        shown = Table(title="Other methods", columns=columns, rows=tuple(cells), note=_NOTE)
        return Section(title=title, text=" ".join([_MEANING, anchored, *said]), tables=(shown,))

    def _rows(
        self, game: str, agents: Sequence[str], played: Sequence[Contest], table: Measurements
    ) -> Iterator[tuple[Cell, ...]]:
        anchor = Anchor(self.anchor, self.rating, self.random)
        held = anchor.among(agents)
        by_elo = elo.over_orders(
            played,
            Anchor(held[0], self.rating) if len(held) == 1 else anchor,
            k=self.k,
            draws=_MOST_DRAWS,
            seed=table.seed,
            level=table.level,
        )
        by_period = partial(glicko.rated, tau=self.tau, period=self.period)
        periods = OverOrders.of(played, by_period, table.seed, MOST if self.period else 1)
        online = OverOrders.of(played, weng_lin.rated, table.seed)

        def moved(found: OverOrders, agent: str, n: int, method: str) -> Estimate:
            shift = anchor.shift({name: level.rating for name, level in found.levels.items()}, held)
            own = found.levels[agent]
            made = normal(own.rating + shift, own.deviation, n, level=table.level)
            orders = f", mean over {found.orders} orders with their spread" if found.orders > 1 else ""
            return attrs.evolve(made, method=method + orders)

        for agent in sorted(agents):
            n = sum(agent in contest.agents for contest in played)
            yield (
                *(game, agent, n, by_elo[agent]),
                moved(periods, agent, n, "Glicko-2's deviation"),
                moved(online, agent, n, "deviation of Weng and Lin"),
            )
