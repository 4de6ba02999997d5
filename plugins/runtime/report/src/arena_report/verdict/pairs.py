"""Compares two agents: in the matches they played against each other, on the same deals, or apart."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import ceil, log, log10

import attrs
from arena.metric import Baseline

from arena_report.verdict.blocks import BlockMean
from arena_report.verdict.student import blocks_needed
from arena_report.verdict.values import Contest, Ends, VerdictPair

POWER = 0.8
"""The chance with which the further matches tell two agents apart."""

LEAST_BLOCKS = 10
"""How many blocks it takes before it is said how many more are needed."""

_UNIT = "points"

_Blocks = dict[str, list[float]]
"""Values by rotation block."""


@attrs.frozen(eq=False)
class Meeting:
    """What two agents did in one game: the first one's values by block, from their common matches or deals.

    In games that count wins the values of common matches are scores: 1 won, 0.5 drawn, 0 lost. Otherwise they are
    differences of returns. Without common matches and deals, ``values`` are the first one's returns and ``others`` the
    second one's.
    """

    is_score: bool
    unit: str
    values: _Blocks
    others: _Blocks = attrs.field(factory=dict[str, list[float]])
    record: tuple[int, int, int] = (0, 0, 0)
    matches: int = 0


def counts_wins(baseline: Baseline | None) -> bool:
    """Whether a game's results are wins, draws and losses; so it is where nothing is known of the game."""
    return baseline is None or baseline.counts_wins


def unit_of(baseline: Baseline | None) -> str:
    """What a game's returns are counted in."""
    return baseline.return_unit if baseline else _UNIT


def compared(
    contests: Iterable[Contest], baselines: Mapping[str, Baseline], agents: Sequence[str]
) -> dict[tuple[str, str], list[Meeting]]:
    """What every two of the agents did, game by game; pairs that share no game are not in it."""
    games: dict[str, list[Contest]] = defaultdict(list)
    for contest in contests:
        games[contest.game].append(contest)
    found: dict[tuple[str, str], list[Meeting]] = defaultdict(list)
    for game, own in games.items():
        baseline = baselines.get(game)
        for pair, meeting in _in_game(own, baseline).items():
            if set(pair) <= set(agents):
                found[pair].append(meeting)
    return dict(found)


def _in_game(contests: Sequence[Contest], baseline: Baseline | None) -> dict[tuple[str, str], Meeting]:
    is_common = baseline is not None and baseline.returns == "cooperative"
    met = {} if is_common else _met(contests, counts_wins(baseline), unit_of(baseline))
    earned: dict[str, _Blocks] = defaultdict(lambda: defaultdict(list))
    for contest in contests:
        for agent, value in contest.returns.items():
            # What a team earned says nothing of one member against another.
            if not (is_common and len(contest.returns) > 1):
                earned[agent][contest.block].append(value)
    apart = (pair for pair in combinations(sorted(earned), 2) if pair not in met)
    return {**met, **{pair: _not_met(earned[pair[0]], earned[pair[1]], unit_of(baseline)) for pair in apart}}


def _met(contests: Sequence[Contest], is_score: bool, unit: str) -> dict[tuple[str, str], Meeting]:
    values: dict[tuple[str, str], _Blocks] = defaultdict(lambda: defaultdict(list))
    records: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for contest in contests:
        for first, second in combinations(sorted(contest.returns), 2):
            gap = contest.returns[first] - contest.returns[second]
            sign = (gap > 0) - (gap < 0)
            records[first, second][sign] += 1
            values[first, second][contest.block].append((sign + 1) / 2 if is_score else gap)
    return {
        pair: Meeting(
            is_score=is_score,
            unit=unit,
            values=dict(values[pair]),
            record=(count[1], count[0], count[-1]),
            matches=count.total(),
        )
        for pair, count in records.items()
    }


def _not_met(first: _Blocks, second: _Blocks, unit: str) -> Meeting:
    shared = [block for block in first if block in second]
    if shared:
        gaps = {block: [_mean(first[block]) - _mean(second[block])] for block in shared}
        return Meeting(is_score=False, unit=unit, values=gaps, matches=_count(first, shared) + _count(second, shared))
    return Meeting(
        is_score=False, unit=unit, values=first, others=second, matches=_count(first, first) + _count(second, second)
    )


def judged(a: str, b: str, meetings: Sequence[Meeting], level: float) -> VerdictPair | None:
    """The comparison over all games; ``None`` where their results cannot be added up.

    ``level`` is that of the interval, corrected for the number of pairs.
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
        ends = mean.interval(level)
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
        more_matches=None if judgement.is_settled else _more(mean, centre, matches, level),
        unit="Elo" if meetings[0].is_score else meetings[0].unit,
        score=judgement.score,
        score_interval=judgement.score_interval,
    )


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
    found = mean.interval(level)
    if found is None:
        return _Judgement(elo(score), (None, None), False, score)
    low, high = found
    ends = low if low > 0 else None, high if high < 1 else None
    return _Judgement(elo(score), (elo(ends[0]), elo(ends[1])), low > 0.5 or high < 0.5, score, ends)


def elo(score: float | None) -> float | None:
    """The lead in Elo points that a score means; ``None`` for none, or where it is without bound."""
    return None if score is None or not 0 < score < 1 else 400 * log10(score / (1 - score))


def matches_needed(mean: BlockMean, centre: float, matches: int, level: float) -> float | None:
    """How many matches in all tell a mean of ``centre`` apart from 0; ``None`` if it is 0, or without a variance."""
    if abs(centre) <= 1e-12 or mean.deviation == 0:
        return None
    return blocks_needed(centre / mean.deviation, level, POWER) / mean.weight * matches


def _more(mean: BlockMean, centre: float, matches: int, level: float) -> int | None:
    needed = matches_needed(mean, centre, matches, level) if mean.blocks >= LEAST_BLOCKS else None
    return None if needed is None else max(ceil(needed) - matches, 1)


def certain_blocks(level: float) -> int:
    """How many blocks won to the full show that an agent is the better one."""
    return ceil(log((1 - level) / 2) / log(0.5) - 1e-9)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _count(values: _Blocks, blocks: Iterable[str]) -> int:
    return sum(len(values[block]) for block in blocks)
