"""Puts the agents in order by rating, score or mean return, and tells the scores by game."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean

import attrs
from arena.metric import Baseline
from arena.tables import Cell, Column, Estimate, Table

from arena_report.verdict.blocks import BlockMean, BlockValues
from arena_report.verdict.pairs import counts_wins, unit_of
from arena_report.verdict.values import AgentRating, Contest, RankedAgent, VerdictPair
from arena_report.verdict.words import names, number


@attrs.frozen(eq=False, kw_only=True)
class Played:
    """What one agent did in each game: its scores and its returns by block, and its comparisons with others.

    A score is the share of points against the others of a match. ``returns`` are sums over the agent's seats, or means
    where it is alone in a match, or in a cooperative game, where one seat earns what all do.
    """

    scores: Mapping[str, BlockValues]
    returns: Mapping[str, BlockValues]
    record: Counter[int]
    matches: int

    @property
    def blocks(self) -> int:
        """How many rotation blocks the agent's matches are."""
        return sum(map(len, self.returns.values()))

    def score(self, games: Iterable[str]) -> float | None:
        """The share of points over games, each of which weighs the same; ``None`` if it met nobody in them."""
        means = [BlockMean.of([self.scores[game].values()]).value for game in games if game in self.scores]
        return fmean(means) if means else None

    def mean_return(self, games: Iterable[str]) -> BlockMean | None:
        """The mean return over games, each of which weighs the same; ``None`` without a match in them."""
        own = [self.returns[game].values() for game in games if game in self.returns]
        return BlockMean.of(own) if own else None


def by_agent(contests: Iterable[Contest], baselines: Mapping[str, Baseline]) -> dict[str, Played]:
    """What every agent did, in the order of first occurrence."""
    scores: dict[str, dict[str, BlockValues]] = defaultdict(lambda: defaultdict(BlockValues))
    returns: dict[str, dict[str, BlockValues]] = defaultdict(lambda: defaultdict(BlockValues))
    records: dict[str, Counter[int]] = defaultdict(Counter)
    matches: Counter[str] = Counter()
    for contest in contests:
        baseline = baselines.get(contest.game)
        is_common = baseline is not None and baseline.returns == "cooperative"
        for agent, value in contest.returns.items():
            matches[agent] += 1
            others = [other for name, other in contest.returns.items() if name != agent]
            signs = [(value > other) - (value < other) for other in others]
            if not is_common:
                records[agent].update(signs)
                if signs:
                    scores[agent][contest.game].add(contest.block, (fmean(signs) + 1) / 2)
            seats = len(contest.seats.get(agent, ())) or 1
            returns[agent][contest.game].add(contest.block, value / seats if is_common or not signs else value)
    return {
        agent: Played(scores=scores.get(agent, {}), returns=own, record=records[agent], matches=matches[agent])
        for agent, own in returns.items()
    }


def ranked(
    agents: Mapping[str, Played],
    pairs: Mapping[tuple[str, str], VerdictPair],
    baselines: Mapping[str, Baseline],
    games: Sequence[str],
    ratings: Mapping[str, AgentRating],
    level: float,
) -> tuple[RankedAgent, ...]:
    """The agents in order of rank, with the ranks that no certain comparison contradicts.

    Where all games count wins the order is that of ``ratings``, or of scores; where all pay in one unit, that of mean
    returns; otherwise that of the mean rank over games.
    """
    merits = _merits(agents, baselines, games, ratings)
    order = sorted(agents, key=lambda agent: (-merits[agent], agent))
    units = {unit_of(baselines.get(game)) for game in games}
    pays = len(units) == 1 and not any(counts_wins(baselines.get(game)) for game in games)
    wins = [game for game in games if counts_wins(baselines.get(game))]
    found: list[RankedAgent] = []
    for agent in order:
        own, rating = agents[agent], ratings.get(agent)
        mean = own.mean_return(games) if pays or len(units) == 1 else None
        found.append(
            RankedAgent(
                rank=1 + sum(merits[other] > merits[agent] for other in agents),
                ranks=_ranks(agent, merits, pairs),
                agent=agent,
                rating=rating.rating if rating else None,
                interval=rating.interval if rating else (None, None),
                reference=rating.reference if rating else "",
                mean_return=mean.value if mean else None,
                mean_interval=(mean.interval(level) if mean else None) or (None, None),
                unit=next(iter(units)) if mean else "",
                won=own.record[1],
                drawn=own.record[0],
                lost=own.record[-1],
                matches=own.matches,
                blocks=own.blocks,
                score=own.score(wins),
            )
        )
    return tuple(found)


def _merits(
    agents: Mapping[str, Played],
    baselines: Mapping[str, Baseline],
    games: Sequence[str],
    ratings: Mapping[str, AgentRating],
) -> dict[str, float]:
    """A number for each agent, greater for the better."""
    if set(agents) <= ratings.keys() and all(rating.rank is not None for rating in ratings.values()):
        return {agent: -float(ratings[agent].rank or 0) for agent in agents}
    kinds = {(counts_wins(baselines.get(game)), unit_of(baselines.get(game))) for game in games}
    if len(kinds) == 1 or all(is_won for is_won, _ in kinds):
        return {agent: _merit(own, baselines, games) for agent, own in agents.items()}
    places: dict[str, list[int]] = defaultdict(list)
    for game in games:
        own = {agent: _merit(each, baselines, [game]) for agent, each in agents.items() if game in each.returns}
        for agent, merit in own.items():
            places[agent].append(sum(other > merit for other in own.values()))
    return {agent: -fmean(own) for agent, own in places.items()}


def _merit(own: Played, baselines: Mapping[str, Baseline], games: Sequence[str]) -> float:
    by_score = own.score(games) if all(counts_wins(baselines.get(game)) for game in games) else None
    mean = own.mean_return(games)
    merit = by_score if by_score is not None else mean.value if mean else 0.0
    return round(merit, 12)


def _ranks(agent: str, merits: Mapping[str, float], pairs: Mapping[tuple[str, str], VerdictPair]) -> tuple[int, int]:
    """The best and the worst rank by the certain pairs; one that contradicts the order leaves both ranks open."""
    above = below = 0
    for other in merits:
        pair = pairs.get((agent, other)) or pairs.get((other, agent))
        if pair is not None and pair.settled:
            is_better = (pair.lead > 0) == (pair.a == agent)
            above += not is_better and merits[other] > merits[agent]
            below += is_better and merits[other] < merits[agent]
    return 1 + above, len(merits) - below


def score_table(
    groups: Mapping[str, Sequence[str]],
    agents: Mapping[str, Played],
    baselines: Mapping[str, Baseline],
    order: Sequence[str],
    level: float,
) -> Table:
    """One row for each agent, one column for each game or group of variants, and what random and optimal play earn."""
    columns = [Column(name="agent", title="agent")]
    notes: list[str] = []
    for name, games in groups.items():
        is_won = all(counts_wins(baselines.get(game)) for game in games)
        unit = "share of points" if is_won else unit_of(baselines.get(games[0]))
        columns.append(Column(name=name, title=name, style="share" if is_won else "number", help=unit))
    if any(column.style == "share" for column in columns):
        notes.append("random play against itself: 50 %")
    for name, games in groups.items():
        if any(not counts_wins(baselines.get(game)) for game in games) and len(games) == 1:
            notes += _earned(name, baselines.get(games[0]))
    lacking = [name for name, games in groups.items() if not all(_is_optimal_known(baselines.get(g)) for g in games)]
    notes += [f"optimal play: not known for {names(lacking)}"] if lacking else []
    rows = tuple(
        (agent, *(_cell(agents[agent], games, baselines, level) for games in groups.values())) for agent in order
    )
    return Table(title="score", columns=tuple(columns), rows=rows, note="; ".join(notes))


def _cell(own: Played, games: Sequence[str], baselines: Mapping[str, Baseline], level: float) -> Cell:
    is_won = all(counts_wins(baselines.get(game)) for game in games)
    values = own.scores if is_won else own.returns
    found = [values[game].values() for game in games if game in values]
    return _estimate(BlockMean.of(found), level, is_score=is_won) if found else None


def _estimate(mean: BlockMean, level: float, *, is_score: bool) -> Estimate:
    ends = mean.score_interval(level) if is_score else mean.interval(level)
    low, high = ends or (None, None)
    return Estimate(
        value=mean.value,
        n=mean.blocks,
        low=low,
        high=high,
        standard_error=mean.error or None,
        level=level,
        unit="blocks",
        method="over blocks" if ends else "no interval: one block, or all alike",
    )


def _is_optimal_known(baseline: Baseline | None) -> bool:
    return baseline is not None and baseline.optimal is not None


def _earned(name: str, baseline: Baseline | None) -> list[str]:
    if baseline is None:
        return [f"random play: not known for {name}"]
    random = sum(baseline.random) / baseline.players
    return [f"{name}: random play earns {number(random)} on average over the seats"]
