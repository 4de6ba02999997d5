"""Standings in sentences: who is better, what is open, and what would settle it."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import floor, inf, log10, sqrt
from typing import Final

from arena_standings.matches import GameKind, Repetition
from arena_standings.order import Headline
from arena_standings.values import ELO, Ends, FactorLead, Part, Row

WIDTH: Final = 100
"""The most characters of a headline's line."""

LINES: Final = 3
"""The most lines of a headline."""

_FEW: Final = 6

_FEWEST: Final = 6
"""Two agents are never told apart by fewer decided results: 5–0 has p = 0.06."""

_SHOWN: Final = 3


def headline(
    parts: Sequence[Part], by_game: Mapping[str, Sequence[Part]], games: Mapping[str, GameKind], level: float
) -> tuple[str, ...]:
    """Who is better, in at most three lines."""
    several = [part for part in parts if len(part.rows) > 1]
    lines = [_alone(part, games, level) for part in parts if len(part.rows) == 1][:1] if not several else []
    if several:
        lines.append(_first_line(several[0]))
        lines += _by_play(several[0])
        lines += _in_single_games(several[0], by_game)
        if several[0].headline.says_something:
            lines += _also(several[0].headline)
        if len(parts) > 1:
            lines.insert(1, _apart(parts, several[0]))
    return tuple(lines[:LINES])


def order_line(told: Headline, width: int = WIDTH) -> str:
    """The groups, or the greatest honest block, on one line; empty where nobody is told apart."""
    if not told.says_something:
        return ""
    if told.first:
        for most in (_FEW, _SHOWN, 1):
            line = f"{_group(told.first, most)} > {_group(told.last, most)}"
            if told.between:
                line += f"; between: {_group(told.between, most)}"
            if len(line) <= width:
                return line
        return line
    for most in (_FEW, _SHOWN, 1):
        line = " > ".join(_group(group, most) for group in told.chain)
        if len(line) <= width:
            return line
    first, last = told.chain[0], told.chain[-1]
    hidden = sum(map(len, told.chain[1:-1]))
    most = _SHOWN
    while True:
        line = f"{_group(first, most)} > {'… > ' if hidden else ''}{_group(last, most)}"
        line += f" ({hidden:,} between, in `report`)" if hidden else ""
        if len(line) <= width or most == 1:
            return line
        most -= 1


def _group(agents: Sequence[str], most: int) -> str:
    if len(agents) <= most:
        return ", ".join(agents)
    shown = agents[: min(most, _SHOWN)]
    return f"{', '.join(shown)} and {len(agents) - len(shown):,} more"


def _first_line(part: Part) -> str:
    if part.headline.says_something:
        return order_line(part.headline)
    return f"No clear winner yet: {_what_would_tell(part)}"


def _what_would_tell(part: Part) -> str:
    """What would settle the pair that is nearest to being told apart."""
    nearest = max(part.pairs, key=lambda pair: abs(pair.t))
    if not nearest.t:
        who = _and(part.agents) if len(part.rows) == 2 else "all"
        return f"{who} did equally well"
    if part.critical == inf:
        if nearest.drawn > nearest.matches / 2 >= _FEWEST / 2:
            return f"nearly all matches ended equal; two agents need at least {_FEWEST} decided results"
        few = _times(part.clusters, "independent result", "independent results")
        return f"{few} cannot tell anybody apart; play more repeats (two agents need at least {_FEWEST})"
    if nearest.more is None:
        return f"{nearest.a} and {nearest.b} are nearly equal; not with this design"
    return f"about {_times(nearest.more, 'more match', 'more matches')} of {nearest.a} and {nearest.b} might tell"


def _by_play(part: Part) -> Iterable[str]:
    """The order without disqualifications, where it is another one."""
    rows = [row for row in part.rows if row.by_play is not None]
    listed = [row.agent for row in sorted(rows, key=lambda row: row.by_play or 0)]
    if not any(row.refused for row in rows) or listed == [row.agent for row in rows]:
        return
    told = ", ".join(listed if len(listed) <= _FEW else [*listed[:_SHOWN], f"{len(listed) - _SHOWN} more"])
    yield f"by play alone, without disqualifications, the order is {told}"


def _in_single_games(part: Part, by_game: Mapping[str, Sequence[Part]]) -> Iterable[str]:
    """What is told apart in a single game and open over all."""
    known = part.separated
    found: dict[str, list[str]] = {}
    for game, parts in by_game.items():
        for own in parts:
            new = sorted(own.separated - known)
            for a, b in new:
                found.setdefault(f"{a} > {b}", []).append(game)
    if not found:
        return
    by_games: dict[tuple[str, ...], list[str]] = {}
    for told, games in found.items():
        by_games.setdefault(tuple(games), []).append(told)
    said = [f"in {_and(games)} alone: {_list(told, 2, 'pairs')}" for games, told in by_games.items()]
    line = "; ".join(said)
    while len(line) > WIDTH and len(said) > 1:
        said.pop()
        line = f"{'; '.join(said)}; and in other games, in `report`"
    yield line


def _list(told: Sequence[str], most: int, what: str) -> str:
    more = len(told) - most
    return ", ".join(told) if more <= 0 else f"{', '.join(told[:most])} and {more:,} more {what}"


def _also(told: Headline) -> Iterable[str]:
    if not told.more:
        return
    if len(told.more) <= 2:
        yield "also: " + ", ".join(f"{a} > {b}" for a, b in told.more)
    else:
        yield f"and {len(told.more):,} more pairs in `report`"


def _apart(parts: Sequence[Part], first: Part) -> str:
    """What is said of agents that never met those of the first table."""
    said = [
        order_line(part.headline) or f"{_group(part.agents, _SHOWN)} (no clear winner)"
        for part in parts
        if part is not first and len(part.rows) > 1
    ]
    alone = [part.agents[0] for part in parts if len(part.rows) == 1]
    if alone:
        said.append(f"{_group(alone, _SHOWN)} met nobody else")
    return f"never met them: {'; '.join(said)}"


def _alone(part: Part, games: Mapping[str, GameKind], level: float) -> str:
    """One agent that was compared with nobody."""
    row = part.rows[0]
    told = _times(row.matches, "match", "matches")
    facts = games[part.games[0]] if part.games else GameKind()
    if not facts.together:
        return f"{row.agent} met nobody but itself: {told}, nothing to compare"
    if row.mean is None:
        return f"{row.agent} played {told} of {len(part.games):,} games; the report has what it earned in each"
    between = f" ({_level(level)}: {ends_text(row.mean.interval, number)})" if row.mean.interval != (None, None) else ""
    return f"{row.agent} earns {number(row.mean.value)} {facts.unit} in {told}{between}"


def on_games(by_game: Mapping[str, Sequence[Part]]) -> tuple[str, ...]:
    """One line for each game, if anybody is told apart in one; games of which the same is to be said share a line."""
    if not any(part.headline.says_something for parts in by_game.values() for part in parts):
        return ()
    said: dict[str, list[str]] = {}
    for game, parts in by_game.items():
        lines = [order_line(part.headline) or "no clear winner" for part in parts if len(part.rows) > 1]
        if lines:
            said.setdefault("; ".join(lines), []).append(game)
    return tuple(f"{_and(games)}: {sentence}" for sentence, games in said.items())


def nothing(failure: str) -> str:
    """The sentence where no match counts."""
    why = f": {failure.rstrip('.')}" if failure else ""
    return f"No match has a result{why}."


def of_factors(leads: Sequence[FactorLead], level: float) -> tuple[str, ...]:
    """One sentence for each factor of a sweep."""
    by_factor: dict[str, list[FactorLead]] = {}
    for lead in leads:
        by_factor.setdefault(lead.factor, []).append(lead)
    said: list[str] = []
    for factor, own in by_factor.items():
        sure = [lead for lead in own if lead.separated]
        greatest = max(own, key=lambda lead: lead.lead)
        if not sure:
            said.append(f"{factor}: no significant difference, {_lead(greatest, with_names=len(own) > 1)}")
        else:
            shown = sorted(sure, key=lambda lead: -lead.lead)[:2]
            told = "; ".join(f"{lead.a} ahead of {lead.b}, {_lead(lead, with_names=False)}" for lead in shown)
            rest = len(own) - len(shown)
            said.append(f"{factor}: {told}" + (f"; {rest:,} more pairs in `report`" if rest else ""))
    return tuple(said)


def _lead(lead: FactorLead, *, with_names: bool) -> str:
    who = f" ({lead.a} over {lead.b})" if with_names else ""
    if lead.interval == (None, None):
        return f"{lead_text(lead.lead, lead.unit)}{who}, with too few results for an interval"
    return f"{lead_text(lead.lead, lead.unit)} {ends_text(lead.interval, lambda end: signed_text(end, lead.unit))}{who}"


def repeated(found: Iterable[Repetition]) -> Iterable[str]:
    """The doubts that agents repeated their matches: one for all who did so equally often in equal games."""
    games: dict[tuple[tuple[str, ...], int, int], list[str]] = {}
    for each in found:
        games.setdefault((each.agents, each.matches, each.different), []).append(each.game)
    alike: dict[tuple[tuple[str, ...], int, int], list[tuple[str, ...]]] = {}
    for (agents, matches, different), where in games.items():
        alike.setdefault((tuple(where), matches, different), []).append(agents)
    for (where, matches, different), groups in alike.items():
        who = _list([_and(agents) for agents in groups], 2, "groups") if len(groups) > 1 else _and(groups[0])
        verb = "repeats" if len(groups) == 1 and len(groups[0]) == 1 else "repeat"
        counts = "1 is different and counts" if different == 1 else f"{different:,} are different and count"
        each_time = " each time" if len(groups) > 1 or len(where) > 1 else ""
        yield f"{who} {verb} the same matches in {_list(where, 3, 'games')}: of {matches:,} played{each_time}, {counts}"


def found_doubts(parts: Sequence[Part], unturned: Sequence[str], random: Collection[str]) -> Iterable[str]:
    """What limits the standings: own answers that ended matches, seats, rings, and random play."""
    for part in parts:
        ended = [row for row in part.rows if row.refused]
        if ended:
            told = _list([_ended(row) for row in sorted(ended, key=lambda row: -row.share_refused)], 4, "agents")
            yield f"ended by their own invalid answers: {told}"
    if unturned:
        yield f"seats were never changed in {_list(unturned, 3, 'games')}, so sitting first counts as strength there"
    for part in parts:
        if ring := _ring(part):
            a, b, c = ring
            yield f"{a} beats {b}, {b} beats {c}, and {c} beats {a}: no single order says that"
        if part.reference in random and len(part.rows) > 1:
            sure = {a for a, b in part.separated if b == part.reference}
            same = [row.agent for row in part.rows if row.agent not in {*random, *sure}]
            worse = {b for a, b in part.separated if a == part.reference}
            if level := [agent for agent in same if agent not in worse]:
                yield f"not told apart from random play: {_list(level, _FEW, 'agents')}"
            if worse:
                yield f"worse than random play: {_list(sorted(worse), _FEW, 'agents')}"


def _ended(row: Row) -> str:
    return f"{row.agent} {row.refused:,} of {row.matches:,} ({100 * row.share_refused:.0f} %)"


def _ring(part: Part) -> tuple[str, str, str] | None:
    """Three agents each of which clearly beat the next one directly."""
    ahead: dict[str, list[str]] = {}
    for pair in part.pairs:
        gap = pair.won - pair.lost
        if pair.won + pair.lost and abs(gap) > 2 * sqrt(pair.won + pair.lost):
            better, worse = (pair.a, pair.b) if gap > 0 else (pair.b, pair.a)
            ahead.setdefault(better, []).append(worse)
    for a, beaten in ahead.items():
        for b in beaten:
            for c in ahead.get(b, ()):
                if a in ahead.get(c, ()):
                    return a, b, c
    return None


def footnotes(
    parts: Sequence[Part], by_game: Mapping[str, Sequence[Part]], level: float, by_game_level: float
) -> tuple[str, ...]:
    """How the numbers were made."""
    if not any(part.pairs for part in parts):
        return ()
    said = [
        f"`>` says that all before it are better than all behind it; all such statements hold together at "
        f"{_level(level)}, and so do the intervals. Matches that share their deals count as one observation."
    ]
    if any(part.unit == ELO for part in parts):
        references = [part.reference for part in parts if part.reference]
        zero = f"random play ({_and(references)})" if references else "the mean of all agents"
        said.append(f"Ratings are Elo points with {zero} at 1500.")
    if by_game:
        said.append(f"Statements about single games hold together at {_level(by_game_level)}.")
    return tuple(said)


def number(value: float) -> str:
    """A number with two digits behind the point, or three digits in all if that is more."""
    digits = 2 if abs(value) < 10 else 1 if abs(value) < 100 else 0
    if 0 < abs(value) < 0.095:
        digits = min(1 - floor(log10(abs(value))), 6)
    text = f"{abs(value):,.{digits}f}"
    return f"−{text}" if value < 0 and float(text.replace(",", "")) else text


def points(value: float) -> str:
    """A whole number of points with its sign."""
    whole = round(value)
    return f"−{-whole:,}" if whole < 0 else f"+{whole:,}"


def with_sign(value: float) -> str:
    """A number as ``number`` writes it, with its sign."""
    return number(value) if value <= 0 else f"+{number(value)}"


def ends_text(ends: Ends, shown: Callable[[float], str]) -> str:
    """An interval as one text, with an open end as a bound."""
    low, high = ends
    if low is None:
        return "no interval" if high is None else f"≤ {shown(high)}"
    return f"≥ {shown(low)}" if high is None else f"[{shown(low)}, {shown(high)}]"


def rating_text(value: float) -> str:
    """A rating in whole points."""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:.0f}"


def signed_text(value: float, unit: str) -> str:
    """A lead without its unit: whole Elo points, or a number as it is said."""
    return points(value) if unit == ELO else with_sign(value)


def lead_text(value: float, unit: str) -> str:
    """A lead with its unit."""
    return f"{signed_text(value, unit)} {unit}"


def _level(level: float) -> str:
    return f"{100 * level:.4g} %"


def _times(count: int, one: str, more: str) -> str:
    return f"{count:,} {one if count == 1 else more}"


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
