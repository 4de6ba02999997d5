"""What each agent earned in one game: its mean return, or its share of points."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable

from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share

from arena_standings.matches import Contest, GameKind
from arena_standings.values import Mean


def of_agents(contests: Iterable[Contest], facts: GameKind, level: float) -> dict[str, Mean]:
    """The mean of each agent over blocks; a disqualification counts as the least return, or as no point."""
    values: dict[str, list[float]] = defaultdict(list)
    blocks: dict[str, list[str]] = defaultdict(list)
    played = [contest for contest in contests if contest.counts]
    is_share = facts.kind == "wins"
    least = facts.low
    if least is None:
        least = min((value for each in played for value in each.returns or ()), default=0.0)
    for contest in played:
        for agent, value in _earned(contest, facts, least, is_share=is_share):
            values[agent].append(value)
            blocks[agent].append(contest.block)
    found: dict[str, Mean] = {}
    for agent, own in values.items():
        if is_share:
            made = share(own, clusters=blocks[agent], level=level)
        else:
            made = mean(own, clusters=blocks[agent], level=level, bounds=(facts.low, facts.high))
        if made.value is not None:
            ends = (made.low, made.high)
            found[agent] = Mean(value=made.value, n=made.n, interval=ends, remark=made.method)
    return found


def _earned(contest: Contest, facts: GameKind, least: float, *, is_share: bool) -> Iterable[tuple[str, float]]:
    agents = sorted(set(contest.agents))
    at_fault = {contest.agents[seat] for seat in contest.at_fault}
    if is_share and len(agents) < 2:
        return
    if contest.is_disqualified:
        for agent in agents:
            if agent in at_fault:
                yield agent, 0.0 if is_share else least
            elif is_share:
                yield agent, 0.0
        return
    earned = contest.earned
    if is_share:
        values = sorted(earned.values())
        for agent, value in sorted(earned.items()):
            beaten, not_above = bisect_left(values, value), bisect_right(values, value)
            yield agent, (beaten + (not_above - beaten - 1) / 2) / (len(values) - 1)
        return
    for agent in agents:
        seats = contest.agents.count(agent)
        yield agent, earned[agent] / seats if facts.together or len(agents) == 1 else earned[agent]
