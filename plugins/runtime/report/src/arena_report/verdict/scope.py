"""The verdict on one set of matches: on all games together, or on one of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property

import attrs
from arena.metric import Baseline

from arena_report.verdict import words
from arena_report.verdict.blocks import BlockMean
from arena_report.verdict.pairs import compared, counts_wins, judged, unit_of
from arena_report.verdict.ranking import Played, by_agent, ranked
from arena_report.verdict.values import AgentRating, Contest, RankedAgent, Verdict, VerdictPair

Ratings = Mapping[str, Mapping[str, AgentRating]]
"""Ratings by game, by agent; under the empty name those over all games."""


@attrs.define(eq=False, slots=False, kw_only=True)
class Scope:
    """All that is compared at one level: ``corrected`` is it after the correction for the number of pairs."""

    games: tuple[str, ...]
    agents: Mapping[str, Played]
    pairs: Mapping[tuple[str, str], VerdictPair]
    ranking: tuple[RankedAgent, ...]
    baselines: Mapping[str, Baseline]
    level: float
    corrected: float
    has_points: bool

    @classmethod
    def of(
        cls,
        contests: Sequence[Contest],
        baselines: Mapping[str, Baseline],
        level: float,
        ratings: Ratings | None,
        name: str,
        tests: int,
        power: float = 0.8,
    ) -> "Scope":
        """Compare everybody; ``tests`` is how many such sets of comparisons are shown side by side."""
        games = tuple(dict.fromkeys(contest.game for contest in contests))
        agents = by_agent(contests, baselines)
        met = compared(contests, baselines)
        corrected = 1 - (1 - level) / max(len(met) * tests, 1)
        judgements = {pair: judged(*pair, meetings, corrected, power) for pair, meetings in met.items()}
        pairs = {names: pair for names, pair in judgements.items() if pair is not None}
        all_won = all(counts_wins(baselines.get(game)) for game in games)
        own = ratings.get(name, {}) if ratings is not None and all_won else dict[str, AgentRating]()
        ranking = ranked(agents, pairs, baselines, games, own, level)
        place = {each.agent: i for i, each in enumerate(ranking)}
        ordered = sorted(
            (pair if place[pair.a] < place[pair.b] else pair.turned() for pair in pairs.values()),
            key=lambda pair: (place[pair.a], place[pair.b]),
        )
        return cls(
            games=games,
            agents=agents,
            pairs={(pair.a, pair.b): pair for pair in ordered},
            ranking=ranking,
            baselines=baselines,
            level=level,
            corrected=corrected,
            has_points=ratings is not None,
        )

    @cached_property
    def is_mixed(self) -> bool:
        """Whether the games' results are counted in different things, so that they cannot be added up."""
        kinds = {("", "") if counts_wins(b := self.baselines.get(g)) else ("pays", unit_of(b)) for g in self.games}
        return len(kinds) > 1

    def sentences(self) -> tuple[str, ...]:
        """Who is better, in one or two sentences."""
        order = [each.agent for each in self.ranking]
        if len(order) == 1:
            return (f"{self._alone(order[0])}.",)
        if not self.pairs and all((b := self.baselines.get(g)) and b.returns == "cooperative" for g in self.games):
            return (f"{self._team(order)}.",)
        if len(order) == 2:
            pair = next(iter(self.pairs.values()), None)
            return (f"{self._pair(pair)}{self._references()}." if pair else f"{words.names(order)} have not met.",)
        told = words.ranks_sentence(order, self.pairs, self.corrected) or f"{words.names(order)} have not met"
        return (f"{told}{self._references()}.",)

    def leader(self) -> str:
        """The agent that is certainly better than each other one; empty without one."""
        first = self.ranking[0].agent
        mine = [pair for pair in self.pairs.values() if pair.a == first and pair.settled and pair.lead > 0]
        return first if len(self.ranking) > 1 and len(mine) == len(self.ranking) - 1 else ""

    def certain(self) -> tuple[str, ...]:
        """Who is certainly better than whom, where some agents have not met; empty where all have."""
        if len(self.pairs) == len(self.ranking) * (len(self.ranking) - 1) // 2:
            return ()
        return tuple(words.short_sentence(pair) for pair in self.pairs.values() if pair.settled)

    def verdict(self) -> Verdict:
        """The verdict on this set alone."""
        return Verdict(
            sentences=self.sentences(),
            pairs=tuple(self.pairs.values()),
            ranking=self.ranking,
            level=self.level,
            footnotes=self.footnotes(1),
        )

    def footnotes(self, games: int) -> tuple[str, ...]:
        """How the intervals were made, and what they are corrected for."""
        if not self.pairs and games == 1:
            return ()
        share = f"{100 * self.level:.4g} %"
        said = [
            f"Intervals are at {share} over rotation blocks (matches that share their deals): Student's, or Wilson's "
            "with Student's quantile where scores make that too narrow. One is called better only where the interval "
            "of the difference excludes 0."
        ]
        if any(pair.is_alike for pair in self.pairs.values()):
            said.append(
                "Where a difference is the same in all blocks, its interval is an exact bound (Clopper and Pearson's) "
                "between the least and the greatest return of the game."
            )
        count = len(self.pairs)
        if count > 1 or games > 1:
            by_game = f", and by game for all pairs in all {games:,} games" if games > 1 else ""
            over = f"for all {count:,} pairs" if count > 1 else ""
            told = f"{over}{by_game}".removeprefix(", and ")
            said.append(f"Together they hold at {share}: each is corrected {told} (Bonferroni).")
        return tuple(said)

    def like_random(self, random: Collection[str]) -> Iterable[str]:
        """The agents that cannot be told apart from random play."""
        for pair in self.pairs.values():
            if (pair.a in random) != (pair.b in random) and not pair.settled:
                yield pair.b if pair.a in random else pair.a

    def _pair(self, pair: VerdictPair) -> str:
        return words.pair_sentence(
            pair, self.level, corrected=self.corrected, has_points=self.has_points, explains=True
        )

    def _references(self) -> str:
        """What random and optimal play earn, in a single game in which nobody plays against anybody."""
        baseline = self.baselines.get(self.games[0]) if len(self.games) == 1 else None
        is_apart = baseline is not None and (baseline.returns == "cooperative" or baseline.players == 1)
        return words.references(baseline) if is_apart else ""

    def _team(self, agents: Sequence[str]) -> str:
        """Agents of which none had a team of its own; what a team earns says nothing of one member against another."""
        own = self.agents[agents[0]]
        if len(agents) > 2 or self.is_mixed:
            return f"{words.names(agents)} played in teams together, which says nothing of one against another"
        mean = BlockMean.of(own.returns[game].values() for game in self.games)
        ends = mean.interval(self.level)
        between = f" ({words.interval(ends, self.level)})" if ends else ""
        unit = unit_of(self.baselines.get(self.games[0]))
        told = words.played(own.matches, own.blocks)
        earned = f"{words.names(agents)} played as one team: {words.number(mean.value)} {unit} in {told}{between}"
        return f"{earned}{self._references()}"

    def _alone(self, agent: str) -> str:
        """One agent beside random and optimal play; against itself in play of one against another there is no score."""
        own = self.agents[agent]
        told = words.played(own.matches, own.blocks)
        rivals = [game for game in self.games if (b := self.baselines.get(game)) is None or b.has_winners]
        if rivals:
            return f"{agent} played nobody but itself: {told}, no winner to name"
        if self.is_mixed:
            return f"{agent} played {told} of {len(self.games):,} games, whose returns are counted in different things"
        mean = BlockMean.of(own.returns[game].values() for game in self.games)
        ends = mean.interval(self.level)
        between = f" ({words.interval(ends, self.level)})" if ends else ""
        unit = unit_of(self.baselines.get(self.games[0]))
        baseline = self.baselines.get(self.games[0]) if len(self.games) == 1 else None
        return f"{agent} earns {words.number(mean.value)} {unit} in {told}{between}{words.references(baseline)}"
