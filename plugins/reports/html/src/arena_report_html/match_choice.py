"""Chooses the matches that a page tells: those from which most is to be learnt."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from arena_report import MatchView, Report


def chosen(report: Report, count: int) -> tuple[int, ...]:
    """The places of the most surprising matches in ``report.matches``, in the order in which they are listed.

    In turn: lost by the favourite, which is the agent with the better rank; the longest; those with most refusals.
    Matches whose moves are told go first.
    """
    matches = report.matches
    if len(matches) <= count:
        return tuple(range(len(matches)))
    ranks = {row.agent: place for part in report.verdict.parts for place, row in enumerate(part.rows, 1)}
    told = [i for i, match in enumerate(matches) if match.moves is not None]
    among = told if len(told) >= count else list(range(len(matches)))
    upsets = [(_upset(matches[i], ranks), i) for i in among]
    orders = (
        [i for gap, i in sorted(upsets, key=lambda each: (-each[0], each[1])) if gap > 0],
        sorted(among, key=lambda i: (-matches[i].turns, i)),
        [i for i in sorted(among, key=lambda i: (-matches[i].refusals, i)) if matches[i].refusals],
    )
    found: dict[int, None] = {}
    for row in zip_longest(*orders):
        found |= dict.fromkeys(i for i in row if i is not None)
    return tuple(sorted(list(found)[:count]))


def _upset(match: MatchView, ranks: Mapping[str, int]) -> int:
    """By how many ranks the best that earned more is worse than the best of those who earned less; 0 for no upset."""
    returns = match.returns
    if returns is None:
        return 0
    places = [ranks.get(_agent(player), 0) for player in match.players]
    return max(
        (
            places[winner] - places[loser]
            for winner in range(len(places))
            for loser in range(len(places))
            if returns[winner] > returns[loser]
        ),
        default=0,
    )


def _agent(player: str) -> str:
    name, bracket, _ = player.rpartition(" (")
    return name if bracket else player


def others(report: Report, shown: Sequence[int]) -> tuple[MatchView, ...]:
    """The matches that are not among those at the places ``shown``."""
    kept = set(shown)
    return tuple(match for i, match in enumerate(report.matches) if i not in kept)
