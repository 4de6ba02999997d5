"""Rows: what each match says of two agents, in one unit, with the cluster whose deals it shares.

A row is two different agents of one match; its weight is one divided by the number of the others there. Where players
share one return, or there is only one player, a row is two agents on one deal instead, or else one agent beside all
others of its game. Wins have the values 1, one half and 0; what pays is a difference, divided by half the root of its
mean square in the game, so that winning or losing one counts as much as a win.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import Final, NamedTuple

import attrs

from arena_standings.matches import Contest, GameKind, pairs_of, seat_gap

FIELD: Final = -1
"""In place of an opponent: all that earned something in the same game."""


class Row(NamedTuple):
    """Agents by number, ``first`` against ``second``; ``seat`` is 1 if ``first`` has the first of two seats.

    ``value`` is that of ``first``. ``own`` says whose the row is alone: it counts in the strength of ``first`` that
    includes disqualifications, and nowhere else; ``play`` that it counts in the strength of play.
    """

    game: int
    first: int
    second: int
    seat: int
    value: float
    weight: float
    cluster: int
    own: bool
    play: bool


@attrs.frozen(kw_only=True, eq=False)
class Rows:
    """The rows of agents that met, with what they are measured in.

    ``scales`` are half the root mean square of the differences by game, 1 in games of wins. ``seats`` are the games in
    which the first seat's advantage can be told from the strength of agents; in ``unturned`` ones it cannot, because
    seats were hardly changed. ``refused`` says which agents were disqualified.
    """

    agents: tuple[str, ...]
    games: tuple[str, ...]
    pays: tuple[bool, ...]
    scales: tuple[float, ...]
    seats: frozenset[int]
    unturned: tuple[str, ...]
    rows: tuple[Row, ...]
    clusters: int
    refused: frozenset[int]

    @property
    def has_only_pays(self) -> bool:
        """Whether the size of returns counts in every game."""
        return all(self.pays)


def rows_of(
    contests: Iterable[Contest], agents: Sequence[str], games: Mapping[str, GameKind], *, with_refused: bool = True
) -> Rows:
    """The rows of those matches whose agents are all in ``agents``; without ``with_refused`` of those played alone."""
    place = {agent: i for i, agent in enumerate(agents)}
    by_game: dict[str, list[Contest]] = defaultdict(list)
    refused: set[int] = set()
    for contest in contests:
        if not contest.counts or any(agent not in place for agent in contest.agents):
            continue
        if contest.is_disqualified:
            if not with_refused:
                continue
            refused.update(place[contest.agents[seat]] for seat in contest.at_fault)
        by_game[contest.game].append(contest)
    made: list[_GameRows] = []
    for number, (game, own) in enumerate(sorted(by_game.items())):
        facts = games[game]
        rows = _GameRows(number, facts, place)
        if facts.together:
            rows.apart(own)
        else:
            for contest in own:
                rows.met(contest)
        made.append(rows)
    names = tuple(sorted(by_game))
    all_rows = [row for rows in made for row in rows.rows]
    clusters = {key: number for number, key in enumerate(sorted({row.cluster for row in all_rows}))}
    totals = [fsum(row.weight for row in rows.rows if row.play) for rows in made]
    share = fsum(totals) / len(totals) if totals else 1.0
    weights = [share / total if total else 1.0 for total in totals]
    return Rows(
        agents=tuple(agents),
        games=names,
        pays=tuple(games[game].kind == "pays" for game in names),
        scales=tuple(rows.scale() for rows in made),
        seats=frozenset(rows.number for rows in made if rows.is_turned),
        unturned=tuple(game for game, rows in zip(names, made, strict=True) if rows.has_seats and not rows.is_turned),
        rows=tuple(
            Row(
                row.game,
                row.first,
                row.second,
                row.seat,
                row.value / made[row.game].scale(),
                row.weight * weights[row.game],
                clusters[row.cluster],
                row.own,
                row.play,
            )
            for row in all_rows
        ),
        clusters=len(clusters),
        refused=frozenset(refused),
    )


class _RawRow(NamedTuple):
    game: int
    first: int
    second: int
    seat: int
    value: float
    weight: float
    cluster: str
    own: bool
    play: bool


class _GameRows:
    """The rows of one game, with values in its own unit."""

    def __init__(self, number: int, facts: GameKind, place: Mapping[str, int]) -> None:
        self.number = number
        self.rows: list[_RawRow] = []
        self._facts = facts
        self._place = place
        self._orders: dict[tuple[int, int], set[int]] = defaultdict(set)
        self._scale: float | None = None
        self._worst: list[int] = []
        self._singles: list[float] = []

    def met(self, contest: Contest) -> None:
        """Add a match of several agents, one against another."""
        names = sorted(set(contest.agents))
        if len(names) < 2:
            return
        weight = 1 / (len(names) - 1)
        cluster = contest.block if self._facts.chance else f"{contest.block}/{contest.match}/{len(self.rows)}"
        if contest.is_disqualified:
            for i in sorted({contest.agents[seat] for seat in contest.at_fault}):
                for j in names:
                    if j != i:
                        self._disqualified(i, j, seat_gap(contest.agents, i, j), weight, cluster)
            return
        earned = contest.earned
        for i, j in pairs_of(names):
            gap = earned[i] - earned[j]
            value = gap if self._facts.kind == "pays" else (1.0 if gap > 0 else 0.5 if gap == 0 else 0.0)
            first, second, seat = self._place[i], self._place[j], seat_gap(contest.agents, i, j)
            if seat:
                self._orders[first, second].add(seat)
            self.rows.append(_RawRow(self.number, first, second, seat, value, weight, cluster, False, True))

    def _disqualified(self, i: str, j: str, seat: int, weight: float, cluster: str) -> None:
        self._worst.append(len(self.rows))
        row = _RawRow(self.number, self._place[i], self._place[j], seat, 0.0, weight, cluster, True, False)
        self.rows.append(row)

    def apart(self, contests: Sequence[Contest]) -> None:
        """Add matches of agents that play without rivals, compared on the deals that they share."""
        alone = [contest for contest in contests if len(set(contest.agents)) == 1]
        seen = [value / len(c.agents) for c in alone for value in c.earned.values()]
        least = self._facts.low if self._facts.low is not None else min(seen, default=0.0)
        blocks: dict[str, dict[int, tuple[list[float], list[float]]]] = defaultdict(dict)
        for contest in alone:
            played, all_values = blocks[contest.block].setdefault(self._place[contest.agents[0]], ([], []))
            for value in contest.earned.values():
                played.append(value / len(contest.agents))
            all_values.append(least if contest.is_disqualified else played[-1])
        shares = any(len(own) > 1 for own in blocks.values())
        for block, own in sorted(blocks.items()):
            present = sorted(own)
            if not shares:
                self._beside_all(present[0], *own[present[0]], block)
                continue
            weight = 1 / max(len(present) - 1, 1)
            for i, j in ((i, j) for i in present for j in present if i != j):
                self._on_one_deal(i, j, own[i], own[j], weight, block)

    def _on_one_deal(
        self,
        i: int,
        j: int,
        first: tuple[list[float], list[float]],
        second: tuple[list[float], list[float]],
        weight: float,
        block: str,
    ) -> None:
        if first[0] and second[0] and i < j:
            gap = _mean(first[0]) - _mean(second[0])
            clean = len(first[0]) == len(first[1]) and len(second[0]) == len(second[1])
            self.rows.append(_RawRow(self.number, i, j, 0, gap, weight, block, False, True))
            if clean:
                return
        if second[0] and len(first[0]) != len(first[1]):
            gap = _mean(first[1]) - _mean(second[0])
            self.rows.append(_RawRow(self.number, i, j, 0, gap, weight, block, True, False))

    def _beside_all(self, i: int, played: Sequence[float], values: Sequence[float], block: str) -> None:
        for place, value in enumerate(values):
            is_played = place < len(played)
            used = played[place] if is_played else value
            self._singles.append(used)
            self.rows.append(_RawRow(self.number, i, FIELD, 0, used, 1.0, block, not is_played, is_played))

    @property
    def has_seats(self) -> bool:
        """Whether anybody sat in the first of two seats."""
        return bool(self._orders)

    @property
    def is_turned(self) -> bool:
        """Whether at least half of the rows are of pairs that met in both orders."""
        both = {pair for pair, orders in self._orders.items() if len(orders) == 2}
        played = [row for row in self.rows if row.play]
        return bool(both) and 2 * sum((row.first, row.second) in both for row in played) >= len(played)

    def scale(self) -> float:
        """Half the root mean square of the differences; 1 where wins count. It also gives the worst ones a value."""
        if self._scale is None:
            self._scale = self._found_scale()
        return self._scale

    def _found_scale(self) -> float:
        if self._facts.kind == "wins":
            return 1.0
        gaps = [row.value for row in self.rows if row.play and row.second != FIELD]
        if self._worst:
            low, high = self._facts.low, self._facts.high
            worst = low - high if low is not None and high is not None else -max(map(abs, gaps), default=1.0)
            for place in self._worst:
                self.rows[place] = self.rows[place]._replace(value=worst)
        if self._singles:
            centre = _mean(self._singles)
            gaps += [sqrt(2) * (value - centre) for value in self._singles]
        return sqrt(_mean([gap * gap for gap in gaps])) / 2 or 1.0 if gaps else 1.0


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
