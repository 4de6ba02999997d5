"""Makes standings: the one place that rates, ranks, separates and names a best agent."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from math import ceil, floor, inf, log10
from typing import Final

import attrs
import numpy as np

from arena_standings import means, words
from arena_standings.counts import Counts
from arena_standings.matches import Contest, GameKind, connected, pairs_of, without_repeats
from arena_standings.order import groups_of, headline_of, ranks_of
from arena_standings.rows import Floats, PairRows, rows_of
from arena_standings.separation import Family, Separation, critical_value
from arena_standings.values import CENTRE, ELO, POINTS, Ends, FactorLead, Pair, Part, Row, Standings

BY_GAME_LEVEL: Final = 0.99
"""All statements about single games hold together at this level, beside those over all games."""

MOST_INTERVALS: Final = 8
"""Up to so many agents every pair has an interval; above it neighbours in the order have one, and ratings."""

_MOST_MORE: Final = 100_000

_DIGITS: Final = 4
"""Further digits of a lead are what solving the equations leaves."""


def standings_of(
    contests: Iterable[Contest],
    games: Mapping[str, GameKind],
    *,
    random: Collection[str] = ("random",),
    level: float = 0.95,
    families: Mapping[str, str] | None = None,
    factors: Mapping[str, Mapping[str, str]] | None = None,
    doubts: Iterable[str] = (),
    failure: str = "",
) -> Standings:
    """Who is better, over all games and in each of them.

    ``games`` has the facts of each game that was played. ``random`` are the agents that are known to play at random:
    the first of them is rated 1500. ``families`` names the game of a variant: variants of one game have one table
    together. ``factors`` are those of a sweep, with the level of each agent. ``doubts`` come before those found here;
    ``failure`` is why there is no result, for the case that there is none. Raises ``KeyError`` for a game without
    facts.
    """
    everything = list(contests)
    kept, repeats = without_repeats((each for each in everything if each.counts), random, families)
    left_out = sum(not each.counts for each in everything)
    said = [*doubts, *words.repeated(repeats)]
    if not kept:
        return Standings(sentences=(words.nothing(failure),), doubts=tuple(said), level=level, left_out=left_out)
    groups = connected(kept, games)
    made = [_Made.of(kept, part, games, random, level) for part in groups]
    parts = tuple(each.part(level, critical_value([each.scores], level)) for each in made)
    by_game = _by_game(kept, games, random, families or {}, level)
    leads = tuple(lead for each in made for lead in each.factor_leads(factors or {}, level))
    unturned = tuple(dict.fromkeys(game for each in made for game in each.rows.unturned))
    said += words.found_doubts(parts, unturned, random)
    return Standings(
        sentences=words.headline(parts, by_game, games, level),
        game_sentences=words.on_games(by_game),
        parts=parts,
        by_game=by_game,
        factors=leads,
        factor_sentences=words.of_factors(leads, level),
        doubts=tuple(dict.fromkeys(said)),
        footnotes=words.footnotes(parts, by_game, level, BY_GAME_LEVEL),
        level=level,
        matches=len(everything) - left_out,
        left_out=left_out,
    )


def _by_game(
    contests: Sequence[Contest],
    games: Mapping[str, GameKind],
    random: Collection[str],
    families: Mapping[str, str],
    level: float,
) -> dict[str, tuple[Part, ...]]:
    """The tables of single games, or of all variants of one; empty with a single one of them."""
    own: dict[str, list[Contest]] = defaultdict(list)
    for contest in contests:
        own[families.get(contest.game, contest.game)].append(contest)
    if len(own) < 2:
        return {}
    made = {
        name: [_Made.of(played, part, games, random, level) for part in connected(played, games)]
        for name, played in own.items()
    }
    critical = critical_value([each.scores for all_parts in made.values() for each in all_parts], BY_GAME_LEVEL)
    return {name: tuple(each.part(BY_GAME_LEVEL, critical) for each in all_parts) for name, all_parts in made.items()}


@attrs.define(eq=False, kw_only=True)
class _Made:
    """One group of agents that met, with what was computed of it; ``level`` is that of means and shares."""

    contests: Sequence[Contest]
    rows: PairRows
    separation: Separation | None
    family: Family | None
    reference: str
    facts: Mapping[str, GameKind]
    level: float

    @classmethod
    def of(
        cls,
        contests: Sequence[Contest],
        agents: Sequence[str],
        games: Mapping[str, GameKind],
        random: Collection[str],
        level: float,
    ) -> "_Made":
        present = set(agents)
        own = [each for each in contests if each.agents[0] in present]
        rows = rows_of(own, agents, games)
        separation = Separation(rows) if len(agents) > 1 else None
        reference = next((agent for agent in agents if agent in random), "") if len(agents) > 1 else ""
        return cls(
            contests=own,
            rows=rows,
            separation=separation,
            family=separation.of_pairs() if separation else None,
            reference=reference,
            facts=games,
            level=level,
        )

    @property
    def scores(self) -> Floats:
        """What each cluster says against each pair; nothing for one agent alone."""
        return self.family.scores if self.family else np.zeros((0, 0))

    @property
    def unit(self) -> str:
        """The unit of leads: that of the one game that pays, else Elo points."""
        return self.facts[self.rows.games[0]].unit if self._pays_alone else ELO

    @property
    def _pays_alone(self) -> bool:
        return len(self.rows.games) == 1 and self.rows.pays[0]

    @property
    def _scale(self) -> float:
        return self.rows.scales[0] if self._pays_alone else POINTS

    def part(self, level: float, critical: float) -> Part:
        """The table of these agents; ``critical`` is what a statistic must exceed at this joint ``level``."""
        counts = Counts(self.contests, self.rows.agents)
        if self.separation is None or self.family is None:
            return Part(rows=self._rows(self.rows.agents, (), {}, counts, level), games=self.rows.games, unit=self.unit)
        agents, separation, family = self.rows.agents, self.separation, self.family
        strengths = {agent: round(float(value), 9) for agent, value in zip(agents, separation.strengths, strict=True)}
        order = sorted(agents, key=lambda agent: (-strengths[agent], agent))
        place = {agent: i for i, agent in enumerate(order)}
        found: dict[tuple[str, str], int] = {}
        separated: set[tuple[str, str]] = set()
        for number, (i, j) in enumerate(separation.pairs):
            first, second = agents[i], agents[j]
            is_turned = place[first] > place[second]
            pair = (second, first) if is_turned else (first, second)
            found[pair] = number
            if float(family.t[number]) * (-1 if is_turned else 1) > critical:
                separated.add(pair)
        intervals = self._intervals(family, order, found, critical)
        turned = {pair: agents.index(pair[0]) > agents.index(pair[1]) for pair in found}
        pairs = tuple(
            self._pair(
                pair,
                float(family.leads[number]) * (-1 if turned[pair] else 1),
                float(family.t[number]) * (-1 if turned[pair] else 1),
                critical,
                intervals.get(pair),
                separated,
                counts,
            )
            for pair, number in sorted(found.items(), key=lambda item: (place[item[0][0]], place[item[0][1]]))
        )
        return Part(
            rows=self._rows(order, separated, intervals, counts, level),
            pairs=pairs,
            headline=headline_of(order, separated),
            unit=self.unit,
            critical=critical,
            reference=self.reference,
            games=self.rows.games,
            clusters=self.rows.clusters,
        )

    def _intervals(
        self, family: Family, order: Sequence[str], found: Mapping[tuple[str, str], int], critical: float
    ) -> dict[tuple[str, str], Ends]:
        """The intervals that are shown, in log-odds, by pair."""
        place = {agent: i for i, agent in enumerate(order)}
        wanted = [
            pair
            for pair in found
            if len(order) <= MOST_INTERVALS or place[pair[1]] == place[pair[0]] + 1 or self.reference in pair
        ]
        ends = family.intervals(critical, [found[pair] for pair in wanted])
        agents = self.rows.agents
        return {
            pair: own if agents.index(pair[0]) < agents.index(pair[1]) else _turned(own)
            for pair, own in zip(wanted, ends, strict=True)
        }

    def _pair(
        self,
        names: tuple[str, str],
        lead: float,
        t: float,
        critical: float,
        ends: Ends | None,
        separated: Collection[tuple[str, str]],
        counts: Counts,
    ) -> Pair:
        a, b = names
        won, drawn, lost = counts.met(a, b)
        matches = won + drawn + lost
        interval = ends or (None, None)
        return Pair(
            a=a,
            b=b,
            t=t,
            lead=round(lead * self._scale, _DIGITS),
            log_odds=lead,
            interval=_scaled(interval, self._scale),
            log_odds_interval=interval,
            has_interval=ends is not None,
            separated=names in separated,
            won=won,
            drawn=drawn,
            lost=lost,
            refused=counts.disqualified(a, b),
            matches=matches,
            more=None if names in separated else _more(matches, abs(t), critical),
        )

    def _rows(
        self,
        order: Sequence[str],
        separated: Collection[tuple[str, str]],
        intervals: Mapping[tuple[str, str], Ends],
        counts: Counts,
        level: float,
    ) -> tuple[Row, ...]:
        agents, separation = self.rows.agents, self.separation
        groups = groups_of(order, separated)
        group = {agent: i for i, own in enumerate(groups, 1) for agent in own}
        ranks = ranks_of(order, separated)
        values = separation.strengths if separation else (0.0,)
        strengths = {agent: float(value) for agent, value in zip(agents, values, strict=True)}
        values = separation.by_play if separation else (0.0,)
        plays = {agent: round(float(value), 9) for agent, value in zip(agents, values, strict=True)}
        played = self.rows.played
        by_play = {agent: 1 + sum(plays[other] > plays[agent] for other in played) for agent in played}
        zero = strengths[self.reference] if self.reference else sum(strengths.values()) / len(strengths)
        ends = self._rating_ends(intervals, level)
        by_value = (
            means.of_agents(self.contests, self.facts[self.rows.games[0]], self.level) if self._is_one_game else {}
        )
        return tuple(
            Row(
                agent=agent,
                group=group[agent],
                ranks=ranks[agent],
                strength=strengths[agent] - zero,
                rating=None if self._pays_alone or len(order) < 2 else CENTRE + POINTS * (strengths[agent] - zero),
                interval=(None, None) if self._pays_alone else ends.get(agent, (None, None)),
                is_reference=agent == self.reference,
                mean=by_value.get(agent) if self._pays_alone else None,
                score=None if self._pays_alone else by_value.get(agent),
                **counts.of(agent)._asdict(),
                by_play=by_play.get(agent),
            )
            for agent in order
        )

    @property
    def _is_one_game(self) -> bool:
        return len(self.rows.games) == 1

    def _rating_ends(self, intervals: Mapping[tuple[str, str], Ends], level: float) -> dict[str, Ends]:
        """The interval of each rating: of the lead over the reference, or over the mean of all."""
        agents = self.rows.agents
        if self._pays_alone or self.separation is None:
            return {}
        found: dict[str, Ends] = {}
        if self.reference:
            for pair, own in intervals.items():
                if self.reference == pair[1]:
                    found[pair[0]] = own
                elif self.reference == pair[0]:
                    found[pair[1]] = _turned(own)
        elif len(agents) > 2:
            family = self.separation.of_means()
            begin = len(self.separation.pairs)
            critical = critical_value([family.scores], level)
            ends = family.intervals(critical, range(begin, begin + len(agents)))
            found = dict(zip(agents, ends, strict=True))
        else:
            for (a, b), own in intervals.items():
                found[a], found[b] = _scaled(own, 0.5), _turned(_scaled(own, 0.5))
        return {agent: _scaled(own, POINTS, CENTRE) for agent, own in found.items()}

    def factor_leads(self, factors: Mapping[str, Mapping[str, str]], level: float) -> list[FactorLead]:
        """The leads of the levels of factors over each other, of agents that are alike in all other factors."""
        wanted: list[tuple[str, str, str, list[tuple[str, str]]]] = []
        for factor, levels in factors.items():
            others = {
                agent: tuple(sorted((name, own.get(agent, "")) for name, own in factors.items() if name != factor))
                for agent in self.rows.agents
                if agent in levels
            }
            names = sorted({levels[agent] for agent in others})
            for a, b in pairs_of(names):
                matched = [
                    (first, second)
                    for first in others
                    for second in others
                    if levels[first] == a and levels[second] == b and others[first] == others[second]
                ]
                if matched:
                    wanted.append((factor, a, b, matched))
        if not wanted or self.separation is None:
            return []
        weights = [
            [sum((agent == f) - (agent == s) for f, s in matched) / len(matched) for agent in self.rows.agents]
            for *_, matched in wanted
        ]
        family = self.separation.of_weights(weights)
        critical = critical_value([family.scores], level)
        intervals = family.intervals(critical, range(len(wanted)))
        found: list[FactorLead] = []
        for i, (factor, a, b, matched) in enumerate(wanted):
            t, lead, ends = float(family.t[i]), float(family.leads[i]), intervals[i]
            if lead < 0:
                a, b, lead, ends = b, a, -lead, _turned(ends)
            found.append(
                FactorLead(
                    factor=factor,
                    a=a,
                    b=b,
                    lead=round(lead * self._scale, _DIGITS),
                    interval=_scaled(ends, self._scale),
                    separated=abs(t) > critical,
                    pairs=len(matched),
                    unit=self.unit,
                )
            )
        return found


def _more(matches: int, t: float, critical: float) -> int | None:
    """About how many more matches would tell a pair apart, as two digits; ``None`` if that cannot be said."""
    if critical == inf or not matches or t <= 0.02 * critical:
        return None
    missing = max(matches * ((critical / t) ** 2 - 1), 1.0)
    if missing > _MOST_MORE:
        return None
    unit = 10 ** max(floor(log10(missing)) - 1, 0)
    return ceil(missing / unit) * unit


def _turned(ends: Ends) -> Ends:
    low, high = ends
    return None if high is None else 0.0 - high, None if low is None else 0.0 - low


def _scaled(ends: Ends, factor: float, centre: float = 0.0) -> Ends:
    low, high = ends
    return None if low is None else centre + factor * low, None if high is None else centre + factor * high
