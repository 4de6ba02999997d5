"""Ranks agents by strength, in games that count wins."""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from math import ceil
from typing import Final

import attrs
from arena.metric import Baseline
from arena_cli.output import signed
from arena_metric_ratings.bradley_terry import Model, PairCounts
from arena_metric_ratings.contests import Contest as RatedMatch, sorted_by_results
from arena_metric_ratings.intervals import Ranking, Rated, standing
from arena_metric_ratings.scale import Anchor
from arena_report import AgentRating, RankedAgent, Verdict, verdict_of, without_repeats

from arena_command_leaderboard.board import BoardRow, Standing
from arena_command_leaderboard.entrants import Entrant
from arena_command_leaderboard.identified_matches import PlayedOnce

ENOUGH_RUNS: Final = 5
"""From so many runs of each agent on, intervals are over runs."""

WIDEST: Final = 800.0
"""An interval of more points says too little to rank by."""

_MOST_RESAMPLES: Final = 4_000


@attrs.frozen(kw_only=True)
class Table:
    """What standings are made from: who plays which game, and the level of intervals.

    ``random`` are the digests of agents that play at random.
    """

    agents: Mapping[str, Entrant]
    games: Mapping[str, Entrant]
    baselines: Mapping[str, Baseline]
    random: Collection[str]
    level: float

    def verdict(self, matches: Sequence[PlayedOnce], ratings: Mapping[str, AgentRating] | None = None) -> Verdict:
        """The verdict on some matches, whose agents and games are digests."""
        contests = [match.contest for match in matches]
        told = None if ratings is None else {"": ratings}
        return verdict_of(contests, self.baselines, level=self.level, ratings=told, random=self.random)

    def game_names(self, matches: Sequence[PlayedOnce]) -> tuple[str, ...]:
        """The labels of the games that were played, in the order of the register."""
        there = {match.game for match in matches}
        return tuple(game.label for digest, game in self.games.items() if digest in there)

    def row(self, found: RankedAgent, matches: Sequence[PlayedOnce]) -> BoardRow:
        """The row of an agent, with its counts, as a verdict ranks it by what it earned."""
        own = [match for match in matches if found.agent in match.agents]
        return BoardRow(
            agent=self.agents[found.agent],
            rank=found.rank,
            ranks=found.ranks,
            mean_return=found.mean_return,
            interval=found.mean_interval,
            unit=found.unit,
            score=found.score,
            won=found.won,
            drawn=found.drawn,
            lost=found.lost,
            matches=found.matches,
            blocks=found.blocks,
            games=self.game_names(own),
            turns=sum(match.turns.get(found.agent, 0) for match in own),
            illegal_turns=sum(match.illegal.get(found.agent, 0) for match in own),
        )

    def named(self, verdict: Verdict) -> Verdict:
        """The verdict with labels for digests, in its pairs."""
        label = {digest: agent.label for digest, agent in self.agents.items()}
        return attrs.evolve(verdict, pairs=tuple(attrs.evolve(p, a=label[p.a], b=label[p.b]) for p in verdict.pairs))


def rated(matches: Sequence[PlayedOnce], agents: Sequence[str], table: Table, title: str) -> Standing:
    """The standing of agents that are connected by matches; each game weighs the same."""
    kept, repeats = without_repeats([match.contest for match in matches], table.random)
    ranking, unit = _ranking(matches, {contest.match: contest.block for contest in kept}, agents, table)
    order = {each.agent: each for each in ranking.rated}
    anchor = ranking.held[0] if set(ranking.held) <= set(table.random) else None
    published = {agent: _published(each, is_anchor=agent == anchor) for agent, each in order.items()}
    verdict = table.verdict(matches, published)
    sure = [agent for agent in order if _is_enough(published[agent], len(order))]
    is_ahead = ranking.comparisons.is_ahead
    earned = {each.agent: each for each in verdict.ranking}
    rows: list[BoardRow] = []
    for agent in (*sure, *(agent for agent in order if agent not in sure)):
        own, rating = table.row(earned[agent], matches), published[agent]
        place: int | None = None
        ranks: tuple[int, int] | None = None
        if agent in sure:
            place = 1 + sum((order[other].rank or 0) < (order[agent].rank or 0) for other in sure)
            above = sum(is_ahead(other, agent) for other in sure if other != agent)
            ranks = 1 + above, len(sure) - sum(is_ahead(agent, other) for other in sure if other != agent)
        rows.append(
            attrs.evolve(
                own,
                rank=place,
                ranks=ranks,
                rating=rating.rating,
                interval=rating.interval,
                is_reference=agent == anchor,
                mean_return=None,
                unit="",
            )
        )
    notes = [] if anchor else ["nobody plays at random here, so 1500 is the mean of all with a finite rating"]
    notes += [
        f"of {each.matches:,} matches of the same agents in {table.games[each.game].label} "
        f"{each.different:,} differ and count"
        for each in repeats
    ]
    return Standing(
        title=title,
        kind="rating",
        games=table.game_names(matches),
        rows=tuple(rows),
        pairs=table.named(verdict).pairs,
        sentences=_not_apart(sure, ranking, {agent: table.agents[agent] for agent in sure}),
        notes=tuple(notes),
        resampled="runs" if unit == "runs" else "blocks",
    )


def _ranking(
    matches: Sequence[PlayedOnce], blocks: Mapping[str, str], agents: Sequence[str], table: Table
) -> tuple[Ranking, str]:
    """Bradley-Terry strengths; ``blocks`` are those of the matches that count."""
    counted = [match for match in matches if match.id in blocks]
    runs = {agent: {match.source for match in counted if agent in match.agents} for agent in agents}
    by_runs = min(map(len, runs.values())) >= ENOUGH_RUNS
    in_game = Counter(match.game for match in counted)
    played = sorted_by_results(
        RatedMatch(
            match.id,
            match.source if by_runs else blocks[match.id],
            match.agents,
            match.places,
            len(counted) / len(in_game) / in_game[match.game],
        )
        for match in counted
    )
    model = Model(has_seats=all(len(match.agents) == 2 for match in played))
    tail = (1 - table.level) / 2 / max(len(agents) - 1, 1)
    resamples = min(_MOST_RESAMPLES, max(1_000, ceil(5 / tail)))
    pairs = PairCounts.of(played, agents, model)
    anchor = Anchor(usual=tuple(sorted(table.random)))
    return standing(played, pairs, anchor, resamples=resamples, level=table.level, seed=0), "runs" * by_runs


def _published(each: Rated, *, is_anchor: bool) -> AgentRating:
    rating, ends = each.published(is_anchor=is_anchor)
    return AgentRating(
        rating=rating,
        interval=ends,
        rank=each.rank,
        ranks=(each.best, each.worst),
        reference="reference" if is_anchor else "",
    )


def _is_enough(rating: AgentRating, agents: int) -> bool:
    """Whether an agent's interval says enough to rank it; one that is open does if some rank is ruled out."""
    low, high = rating.interval
    if rating.reference:
        return True
    if low is not None and high is not None:
        return high - low <= WIDEST
    return (low, high) != (None, None) and rating.rank is not None and rating.ranks != (1, agents)


def _not_apart(order: Sequence[str], ranking: Ranking, agents: Mapping[str, Entrant]) -> tuple[str, ...]:
    """A sentence for each group of neighbours of whom none is surely ahead of another."""
    is_ahead: Callable[[str, str], bool] = ranking.comparisons.is_ahead
    groups: list[list[str]] = []
    for agent in order:
        if groups and not any(is_ahead(other, agent) or is_ahead(agent, other) for other in groups[-1]):
            groups[-1].append(agent)
        else:
            groups.append([agent])
    return tuple(_sentence(group, ranking, [agents[agent] for agent in group]) for group in groups if len(group) > 1)


def _sentence(group: Sequence[str], ranking: Ranking, agents: Sequence[Entrant]) -> str:
    labels = [agent.label for agent in agents]
    who = f"{', '.join(labels[:-1])} and {labels[-1]}"
    if len(group) > 2:
        return f"{who} cannot be told apart."
    if agents[0].names == agents[1].names:
        who = f"The two {agents[0].names[0]}"
    lead = ranking.comparisons.lead(group[0], group[1])
    told = "" if lead is None else f": {signed(lead[0])} [{signed(lead[1])}, {signed(lead[2])}]"
    return f"{who} cannot be told apart{told}."
