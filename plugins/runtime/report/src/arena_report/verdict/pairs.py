"""Compares two agents: in the matches they played against each other, on the same deals, or apart."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from math import ceil, floor, log, log10

import attrs
from arena.metric import Baseline

from arena_report.verdict.blocks import BlockMean, BlockValues, blocks_needed
from arena_report.verdict.values import Contest, Ends, VerdictPair

LEAST_BLOCKS = 10
"""How many blocks it takes before it is said how many more are needed."""

_UNIT = "points"


@attrs.frozen(eq=False)
class Meeting:
    """What two agents did in one game: the first one's values by block, from their common matches or deals.

    In games that count wins the values of common matches are scores: 1 won, 0.5 drawn, 0 lost. Otherwise they are
    differences of returns. Where both play alone and share no deals, ``values`` are the first one's returns and
    ``others`` the second one's. ``bounds`` are the least and the greatest return of one, where both are known.
    """

    is_score: bool
    unit: str
    values: BlockValues
    others: BlockValues = attrs.field(factory=BlockValues)
    record: tuple[int, int, int] = (0, 0, 0)
    matches: int = 0
    bounds: tuple[float, float] | None = None


def counts_wins(baseline: Baseline | None) -> bool:
    """Whether a game's results are wins, draws and losses; so it is where nothing is known of the game."""
    return baseline is None or baseline.counts_wins


def unit_of(baseline: Baseline | None) -> str:
    """What a game's returns are counted in."""
    return baseline.return_unit if baseline else _UNIT


def compared(contests: Iterable[Contest], baselines: Mapping[str, Baseline]) -> dict[tuple[str, str], list[Meeting]]:
    """What every two agents did, game by game; pairs that cannot be compared in any game are not in it."""
    games: dict[str, list[Contest]] = defaultdict(list)
    for contest in contests:
        games[contest.game].append(contest)
    found: dict[tuple[str, str], list[Meeting]] = defaultdict(list)
    for game, own in games.items():
        baseline = baselines.get(game)
        for pair, meeting in _in_game(own, baseline).items():
            found[pair].append(attrs.evolve(meeting, bounds=_bounds(baseline)))
    return dict(found)


def _bounds(baseline: Baseline | None) -> tuple[float, float] | None:
    """The least and the greatest return of an agent; a team's are shared by its members."""
    if baseline is None or baseline.returns == "cooperative":
        return None
    low, high = baseline.min_return, baseline.max_return
    return None if low is None or high is None else (low, high)


def _in_game(contests: Sequence[Contest], baseline: Baseline | None) -> dict[tuple[str, str], Meeting]:
    is_common = baseline is not None and baseline.returns == "cooperative"
    if is_common or all(len(contest.returns) == 1 for contest in contests):
        if baseline is not None and baseline.has_winners:
            return {}  # what one earns against itself says nothing
        # What a team earned says nothing of one member against another.
        return _apart((contest for contest in contests if len(contest.returns) == 1), unit_of(baseline), is_common)
    met = _met(contests, counts_wins(baseline), unit_of(baseline))
    return {**_same_rivals(contests, unit_of(baseline), met.keys()), **met}


def _met(contests: Sequence[Contest], is_score: bool, unit: str) -> dict[tuple[str, str], Meeting]:
    values: dict[tuple[str, str], BlockValues] = defaultdict(BlockValues)
    records: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for contest in contests:
        for first, second in combinations(sorted(contest.returns), 2):
            gap = contest.returns[first] - contest.returns[second]
            sign = (gap > 0) - (gap < 0)
            records[first, second][sign] += 1
            values[first, second].add(contest.block, (sign + 1) / 2 if is_score else gap)
    return {
        pair: Meeting(
            is_score=is_score,
            unit=unit,
            values=values[pair],
            record=(count[1], count[0], count[-1]),
            matches=count.total(),
        )
        for pair, count in records.items()
    }


def _apart(contests: Iterable[Contest], unit: str, is_common: bool) -> dict[tuple[str, str], Meeting]:
    """Agents that play without rivals, compared on the deals that both had, or else by all that each earned."""
    earned: dict[str, BlockValues] = defaultdict(BlockValues)
    for contest in contests:
        ((agent, value),) = contest.returns.items()
        earned[agent].add(contest.block, value / (len(contest.seats.get(agent, ())) or 1) if is_common else value)
    found: dict[tuple[str, str], Meeting] = {}
    for first, second in combinations(sorted(earned), 2):
        one, two = earned[first].by_block(), earned[second].by_block()
        shared = [block for block in one if block in two]
        if shared:
            gaps = BlockValues.of({block: _mean(one[block]) - _mean(two[block]) for block in shared})
            count = sum(len(each[block]) for each in (one, two) for block in shared)
            found[first, second] = Meeting(is_score=False, unit=unit, values=gaps, matches=count)
        else:
            count = sum(len(own) for each in (one, two) for own in each.values())
            found[first, second] = Meeting(
                is_score=False, unit=unit, values=earned[first], others=earned[second], matches=count
            )
    return found


def _same_rivals(
    contests: Sequence[Contest], unit: str, met: Collection[tuple[str, str]]
) -> dict[tuple[str, str], Meeting]:
    """Agents that did not meet, but played against the same others on the same deals."""
    agents = {agent for contest in contests if len(contest.returns) > 1 for agent in contest.returns}
    unmet = [pair for pair in combinations(sorted(agents), 2) if pair not in met]
    if not unmet:
        return {}
    earned: dict[str, dict[str, list[tuple[tuple[str, ...], float]]]] = defaultdict(lambda: defaultdict(list))
    for contest in contests:
        for agent, value in contest.returns.items() if len(contest.returns) > 1 else ():
            rivals = tuple(sorted(other for other in contest.returns if other != agent))
            earned[agent][contest.block].append((rivals, value))
    found: dict[tuple[str, str], Meeting] = {}
    for pair in unmet:
        one, two = (earned[agent] for agent in pair)
        alike = [
            block
            for block in one
            if block in two and sorted(r for r, _ in one[block]) == sorted(r for r, _ in two[block])
        ]
        if alike:
            gaps = BlockValues.of(
                {block: _mean([v for _, v in one[block]]) - _mean([v for _, v in two[block]]) for block in alike}
            )
            count = sum(len(each[block]) for each in (one, two) for block in alike)
            found[pair] = Meeting(is_score=False, unit=unit, values=gaps, matches=count)
    return found


def judged(a: str, b: str, meetings: Sequence[Meeting], level: float, power: float = 0.8) -> VerdictPair | None:
    """The comparison over all games; ``None`` where their results cannot be added up.

    ``level`` is that of the interval, corrected for the number of pairs, ``power`` the chance with which the further
    matches tell the two apart.
    """
    if not meetings or len({(each.is_score, each.unit) for each in meetings}) > 1:
        return None
    if len({bool(each.others) for each in meetings}) > 1:
        return None
    mean = BlockMean.of(each.values.values() for each in meetings)
    if meetings[0].others:
        mean = mean.minus(BlockMean.of(each.others.values() for each in meetings))
    won, drawn, lost = (sum(each.record[i] for each in meetings) for i in range(3))
    matches = sum(each.matches for each in meetings)
    if meetings[0].is_score:
        judgement = _by_score(mean, meetings, level)
    else:
        ends = mean.interval(level) or _alike_ends(mean, meetings, level)
        judgement = _Judgement(mean.value, ends or (None, None), ends is not None and (ends[0] > 0 or ends[1] < 0))
    centre = mean.value - 0.5 if meetings[0].is_score else mean.value
    return VerdictPair(
        a=a,
        b=b,
        won=won,
        drawn=drawn,
        lost=lost,
        matches=matches,
        blocks=mean.blocks,
        measure="elo" if meetings[0].is_score else "return",
        difference=judgement.difference,
        interval=judgement.interval,
        settled=judgement.is_settled,
        more_matches=None if judgement.is_settled else _more(mean, centre, matches, level, power),
        unit="Elo" if meetings[0].is_score else meetings[0].unit,
        score=judgement.score,
        score_interval=judgement.score_interval,
        power=power,
        is_alike=not meetings[0].is_score and not mean.error and judgement.interval != (None, None),
    )


def _alike_ends(mean: BlockMean, meetings: Sequence[Meeting], level: float) -> tuple[float, float] | None:
    """The interval of a difference that is the same in all blocks, where returns have bounds; ``None`` for none."""
    bounds = [each.bounds for each in meetings if each.bounds is not None]
    if not mean.value or len(bounds) < len(meetings):
        return None
    low, high = min(low for low, _ in bounds), max(high for _, high in bounds)
    # As games weigh the same, the one with the fewest blocks decides how many there are.
    least = min(len(each.values) for each in meetings) * len(meetings)
    if not meetings[0].others:
        return mean.alike_interval(level, least, low - high, high - low)
    fewest = min(len(each.others) for each in meetings) * len(meetings)
    one, two = (BlockMean.of(own) for own in _both(meetings))
    half = (1 + level) / 2  # either may be wrong
    first, second = one.alike_interval(half, least, low, high), two.alike_interval(half, fewest, low, high)
    return (first[0] - second[1], first[1] - second[0]) if first and second else None


def _both(meetings: Sequence[Meeting]) -> tuple[list[Iterable[list[float]]], list[Iterable[list[float]]]]:
    return [each.values.values() for each in meetings], [each.others.values() for each in meetings]


@attrs.frozen
class _Judgement:
    difference: float | None
    interval: Ends
    is_settled: bool
    score: float | None = None
    score_interval: Ends = (None, None)


def _by_score(mean: BlockMean, meetings: Sequence[Meeting], level: float) -> _Judgement:
    """The lead by the share of points; an end of the interval beyond what scores can be is open."""
    score = mean.value
    if score in (0.0, 1.0):
        # If one block is won to the full with probability p, all are with p^blocks: the exact bound of C. J. Clopper
        # and E. S. Pearson, Biometrika 26 (1934) 404-413. As games weigh the same, the one with the fewest blocks
        # decides how many there are.
        least = min(len(each.values) for each in meetings) * len(meetings)
        bound = ((1 - level) / 2) ** (1 / least)
        ends: Ends = (bound, None) if score else (None, 1 - bound)
        return _Judgement(None, (elo(ends[0]), elo(ends[1])), bound > 0.5, score, ends)
    found = mean.score_interval(level)
    if found is None:
        return _Judgement(elo(score), (None, None), False, score)
    low, high = found
    ends = low if low > 0 else None, high if high < 1 else None
    return _Judgement(elo(score), (elo(ends[0]), elo(ends[1])), low > 0.5 or high < 0.5, score, ends)


def elo(score: float | None) -> float | None:
    """The lead in Elo points that a score means; ``None`` for none, or where it is without bound."""
    return None if score is None or not 0 < score < 1 else 400 * log10(score / (1 - score))


def matches_needed(mean: BlockMean, centre: float, matches: int, level: float, power: float = 0.8) -> float | None:
    """How many matches in all tell a mean of ``centre`` apart from 0; ``None`` if it is 0, or without a variance."""
    if abs(centre) <= 1e-12 or mean.deviation == 0:
        return None
    return blocks_needed(centre / mean.deviation, level, power) / mean.weight * matches


def _more(mean: BlockMean, centre: float, matches: int, level: float, power: float) -> int | None:
    needed = matches_needed(mean, centre, matches, level, power) if mean.blocks >= LEAST_BLOCKS else None
    return None if needed is None else _rounded(max(ceil(needed) - matches, 1))


def certain_blocks(level: float) -> int:
    """How many blocks won to the full show that an agent is the better one."""
    return ceil(log((1 - level) / 2) / log(0.5) - 1e-9)


def _rounded(count: int) -> int:
    """A count to two digits, which is more than such an estimate knows."""
    step = 10 ** max(floor(log10(count)) - 1, 0)
    return round(count / step) * step


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
