"""What ratings are made of: who came out ahead of whom, match by match."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

import attrs
from arena.metric import Measurement, Row
from arena.record import MatchRecord, Player

PLACE = "place"
"""The measurement: how many players earned more than this one; ``None`` where nobody earned anything."""


@attrs.frozen
class Contest:
    """One match: its agents by seat, and their places, 0 for the best; equal places are a tie."""

    match: str
    block: str
    agents: tuple[str, ...]
    places: tuple[int, ...]

    def pairs(self) -> Iterator[tuple[str, str, float]]:
        """Each two players, the earlier seat first, with the first one's score: 1 won, 0.5 tied, 0 lost."""
        for i, first in enumerate(self.places):
            for j in range(i + 1, len(self.places)):
                second = self.places[j]
                yield self.agents[i], self.agents[j], 0.5 if first == second else float(first < second)


def measured(match: MatchRecord, *, disqualified_lose: bool) -> Iterator[Measurement]:
    """Everybody's place. A disqualification is nobody's win, unless the disqualified are to lose."""
    returns = match.returns
    if returns is None and disqualified_lose and match.gone:
        returns = tuple(-float(p in match.gone) for p in range(len(match.agents)))
    for p in map(Player, range(len(match.agents))):
        yield Measurement(name=PLACE, value=None if returns is None else sum(r > returns[p] for r in returns), player=p)


def contests(rows: Iterable[Row]) -> tuple[Contest, ...]:
    """The matches with places, in the order of their names; those of one player alone are none."""
    found: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        if row.name == PLACE and len(row.agents) > 1 and row.value is not None:
            found[row.match].append(row)
    made: list[Contest] = []
    for match, own in sorted(found.items()):
        own.sort(key=lambda row: row.player or 0)
        made.append(Contest(match, own[0].block, own[0].agents, tuple(int(row.value or 0) for row in own)))
    return tuple(made)


def groups(played: Sequence[Contest]) -> tuple[tuple[str, ...], ...]:
    """The agents that are connected by matches, the largest group first."""
    group = {agent: frozenset([agent]) for contest in played for agent in contest.agents}
    for contest in played:
        union = frozenset[str]().union(*(group[agent] for agent in contest.agents))
        group |= dict.fromkeys(union, union)
    return tuple(tuple(sorted(own)) for own in sorted(set(group.values()), key=lambda own: (-len(own), min(own))))
