"""The metric ``ratings``, which compares agents on Elo's scale."""

from collections.abc import Iterable, Mapping
from typing import Literal

import attrs
from arena.metric import FinishedMatch, Measurement, Measurements, Metric
from arena.record import JSON
from arena.tables import Section
from arena_metric_statistics.columns import Columns, Kind
from attrs.validators import ge, gt, optional

from arena_metric_ratings.bradley_terry import Model, Ties
from arena_metric_ratings.contests import PLACE, contests, groups, measured
from arena_metric_ratings.intervals import Rated
from arena_metric_ratings.scale import Anchor
from arena_metric_ratings.views import ConnectedGroup, RatingSettings, figure, others, seats, strengths

_EVERYTHING = "all games"

_MEANING = (
    "400 points are odds of ten to one. A match counts by who earned more than whom. The strengths are "
    "Bradley-Terry's, by maximum likelihood; Elo, Glicko-2 and Plackett-Luce are beside them for comparison, moved to "
    "the same anchor. "
)


def _deviation() -> float | None:
    text = "a normal prior of so many points on every strength, on seat and on ties, so that all estimates are finite"
    return attrs.field(default=None, validator=optional(gt(0)), metadata={"help": text})


@attrs.frozen(kw_only=True)
class Ratings(Metric):
    """The strength of agents, by game and over all games, with intervals and ranks."""

    anchor: str = attrs.field(
        default="", metadata={"help": "the agent that has `rating`; empty: random play if there is any, else the mean"}
    )
    rating: float = attrs.field(default=1500.0, metadata={"help": "the anchor's points"})
    ties: Ties = attrs.field(default="half-wins", metadata={"help": "half-wins, or davidson: a parameter of their own"})
    seat_advantage: bool = attrs.field(default=True, metadata={"help": "estimate what the first of two seats is worth"})
    prior: float | None = _deviation()
    disqualified: Literal["left-out", "lose"] = attrs.field(
        default="left-out", metadata={"help": "whether a disqualification is nobody's win, or the others'"}
    )
    k: float = attrs.field(default=32.0, validator=gt(0), metadata={"help": "how far a result moves an Elo rating"})
    tau: float = attrs.field(default=0.5, validator=gt(0), metadata={"help": "how far Glicko-2's volatility moves"})
    period: int = attrs.field(
        default=0, validator=ge(0), metadata={"help": "matches of a rating period of Glicko-2; 0: all are one"}
    )
    resamples: int = attrs.field(default=1000, validator=ge(100), metadata={"help": "resamples for intervals"})
    random: tuple[str, ...] = attrs.field(
        default=("random",), metadata={"help": "agents that play at random, marked as such"}
    )
    optimal: tuple[str, ...] = attrs.field(
        default=("optimal", "perfect", "solver", "minimax"), metadata={"help": "agents that play optimally"}
    )

    def measure(self, match: FinishedMatch) -> Iterable[Measurement]:
        """One row per player: its place in the match."""
        return measured(match.record, disqualified_lose=self.disqualified == "lose")

    def summarize(self, measurements: Measurements) -> Iterable[Section]:
        """Ratings for each game, then for all games together if there are several."""
        rows, kept = self._contests(measurements)
        if measurements.forfeits != "without":
            yield self._section("Ratings", measurements, rows)
        if measurements.forfeits == "without" or (measurements.forfeits == "both" and 0 < len(kept) < len(rows)):
            yield self._section("Ratings without forfeited matches", measurements, kept)

    def rate(self, measurements: Measurements) -> Mapping[str, Mapping[str, JSON]]:
        """The strength of each agent over all games together, for the verdict of a report, which takes such a table.

        Each has ``rating`` (``None`` without bound), ``interval`` (open ends are ``None``), ``rank`` and ``ranks``, the
        best and worst that nothing contradicts, and ``reference``, which says whether it is the anchor. There are none
        if the agents fall into groups that never met.
        """
        rows, kept = self._contests(measurements)
        pools = list(self._groups(_EVERYTHING, kept if measurements.forfeits == "without" else rows, measurements))
        if len(pools) != 1 or len(pools[0].agents) < 2:
            return {}
        ranking = pools[0].standing
        anchor = ranking.held[0] if len(ranking.held) == 1 else None
        return {each.agent: _published(each, is_anchor=each.agent == anchor) for each in ranking.rated}

    def _contests(self, table: Measurements) -> tuple[Columns, Columns]:
        """The places in matches of one agent against another: in all of them, and in those that nobody forfeited."""

        def is_contest(kind: Kind) -> bool:
            reference = table.baselines.get(kind.game)
            return len(kind.agents) > 1 and (reference is None or reference.returns != "cooperative")

        rows = Columns.of(table.rows).named(PLACE).of_kinds(is_contest)
        return rows, rows.of_kinds(lambda kind: not (kind.at_fault or kind.ending.is_forfeit))

    def _section(self, title: str, table: Measurements, rows: Columns) -> Section:
        found = tuple(self._pools(table, rows))
        pools = tuple(pool for pool in found if len(pool.agents) > 1)
        if not pools:
            return Section(title=title, text="There is no match in which one player could be ahead of another.")
        views = (strengths(pools), seats(pools), others(pools))
        said = [_MEANING + self._said(), *(line for pool in found for line in pool.remarks())]
        for kind in ("random play", "optimal play"):
            if lacking := [pool.name for pool in pools if not pool.has(kind)]:
                said.append(f"Without an agent of {kind}: {', '.join(lacking)}.")
        return Section(
            title=title,
            text=" ".join(dict.fromkeys(said)),
            tables=tuple(view for view in views if view.rows),
            figures=tuple(map(figure, pools)),
        )

    def _said(self) -> str:
        who = repr(self.anchor) if self.anchor else "random play, or else the mean of all with finite differences"
        prior = f" Every strength has a normal prior of {self.prior:g} points." if self.prior else ""
        none = "A disqualification is nobody's win and no result here." if self.disqualified == "left-out" else ""
        return f"The anchor is {who}, at {self.rating:g}.{prior} {none}".strip()

    def _pools(self, table: Measurements, rows: Columns) -> Iterable[ConnectedGroup]:
        games = {game: own for (game,), own in rows.grouped("game").items()}
        if len(games) > 1:
            games = {**games, _EVERYTHING: rows}
        for game, own in games.items():
            yield from self._groups(game, own, table)

    def _groups(self, game: str, rows: Columns, table: Measurements) -> Iterable[ConnectedGroup]:
        played = contests(rows)
        undecided = rows.match_count - len(played)
        parts = groups(played)
        for number, agents in enumerate(parts, 1):
            yield ConnectedGroup(
                game=game,
                part=number if len(parts) > 1 else 0,
                agents=agents,
                played=tuple(contest for contest in played if contest.agents[0] in agents),
                undecided=undecided,
                settings=self._settings(table),
            )

    def _settings(self, table: Measurements) -> RatingSettings:
        return RatingSettings(
            anchor=Anchor(self.anchor, self.rating, self.random),
            model=Model(ties=self.ties, has_seats=self.seat_advantage, prior=self.prior),
            k=self.k,
            tau=self.tau,
            period=self.period,
            resamples=self.resamples,
            level=table.level,
            seed=table.seed,
            references={**dict.fromkeys(self.random, "random play"), **dict.fromkeys(self.optimal, "optimal play")},
        )


def _published(each: Rated, *, is_anchor: bool) -> Mapping[str, JSON]:
    rating, interval = each.published(is_anchor=is_anchor)
    return {
        "rating": rating,
        "interval": interval,
        "rank": each.rank,
        "ranks": (each.best, each.worst),
        "reference": is_anchor,
    }
