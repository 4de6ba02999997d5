"""The input of ratings: who came out ahead of whom in each match."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter

import attrs
from arena.metric import Measurement, MeasurementRow
from arena.record import MatchRecord, Player
from arena_metric_statistics.columns import Columns
from arena_metric_statistics.numerics import np

PLACE = "place"
"""The name of the measurement: how many players earned more than this one; ``None`` without returns."""


@attrs.frozen
class Contest:
    """One match: its agents by seat, and their places, 0 for the best; equal places are a tie."""

    match: str
    block: str
    agents: tuple[str, ...]
    places: tuple[int, ...]

    def pairs(self) -> Iterator[tuple[str, str, float]]:
        """Every two players, the earlier seat first, with the first one's score: 1 won, 0.5 tied, 0 lost."""
        for i, first in enumerate(self.places):
            for j in range(i + 1, len(self.places)):
                second = self.places[j]
                yield self.agents[i], self.agents[j], 0.5 if first == second else float(first < second)


def measured(match: MatchRecord, *, disqualified_lose: bool) -> Iterator[Measurement]:
    """The place of each player.

    A disqualification is nobody's win unless ``disqualified_lose``.
    """
    returns = match.returns
    if returns is None and disqualified_lose and match.forfeited:
        returns = tuple(-float(p in match.forfeited) for p in range(len(match.agents)))
    for p in map(Player, range(len(match.agents))):
        yield Measurement(name=PLACE, value=None if returns is None else sum(r > returns[p] for r in returns), player=p)


def contests(rows: Sequence[MeasurementRow] | Columns) -> tuple[Contest, ...]:
    """The matches that have places, without matches of a single player, in the order of ``sorted_by_results``."""
    rows = Columns.of(rows).named(PLACE).of_kinds(lambda kind: len(kind.agents) > 1)
    rows = rows.where(rows.numbers(lambda each: each.value is not None) > 0)
    rows = rows.where(np.lexsort((rows.players, rows.by_match().labels)))
    shared = rows.shared
    made: list[Contest] = []
    alike: dict[tuple[int, ...], tuple[int, ...]] = {}  # few matches end in ways of their own
    for match, own in groupby(zip(rows.matches.tolist(), rows.measured.tolist(), strict=True), itemgetter(0)):
        ends = tuple(int(shared.measurements[number].value or 0) for _, number in own)
        block, kind = shared.blocks[int(shared.block_of[match])], shared.kinds[int(shared.kind_of[match])]
        made.append(Contest(shared.ids[int(match)], block, kind.agents, alike.setdefault(ends, ends)))
    return sorted_by_results(made)


def sorted_by_results(played: Iterable[Contest]) -> tuple[Contest, ...]:
    """The matches in an order that what happened in them decides alone, and neither names nor time; blocks together.

    What is drawn at random from them is then the same in whatever order they were played.
    """
    blocks: dict[str, list[Contest]] = defaultdict(list)
    for contest in played:
        blocks[contest.block].append(contest)
    told = [sorted(own, key=_result) for own in blocks.values()]
    return tuple(contest for own in sorted(told, key=lambda own: list(map(_result, own))) for contest in own)


def _result(contest: Contest) -> tuple[tuple[str, ...], tuple[int, ...]]:
    return contest.agents, contest.places


def groups(played: Sequence[Contest]) -> tuple[tuple[str, ...], ...]:
    """The agents that are connected by matches, the largest group first."""
    group = {agent: frozenset([agent]) for contest in played for agent in contest.agents}
    for contest in played:
        union = frozenset[str]().union(*(group[agent] for agent in contest.agents))
        group |= dict.fromkeys(union, union)
    return tuple(tuple(sorted(own)) for own in sorted(set(group.values()), key=lambda own: (-len(own), min(own))))
