"""Rows: what each match says of two agents, in one unit, with the cluster whose deals it shares.

A row is two different agents of one match; its weight is one divided by the number of the others there. Where players
share one return, or there is only one player, a row is two agents on one deal instead, or else one agent beside all
others of its game. Wins have the values 1, one half and 0; what pays is a difference, divided by half the root of its
mean square in the game, so that winning or losing one counts as much as a win.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import fsum, sqrt
from typing import Any, Final, NamedTuple

import attrs
import numpy as np

from arena_standings.matches import Contest, GameKind, seat_gap

FIELD: Final = -1
"""In place of an opponent: all that earned something in the same game."""

Ints = np.ndarray[Any, np.dtype[Any]]
Floats = np.ndarray[Any, np.dtype[Any]]
Bools = np.ndarray[Any, np.dtype[Any]]

_Cluster = tuple[str, str, int]


@attrs.frozen(kw_only=True, eq=False)
class Columns:
    """All rows, an array for each thing that a row says.

    Agents are numbers, ``first`` against ``second``; ``seat`` is 1 if ``first`` has the first of two seats, −1 if it
    has the second. ``value`` is that of ``first``. ``own`` says whose the row is alone: it counts in the strength of
    ``first`` that includes disqualifications, and nowhere else; the others count in the strength of play. Rows of one
    match, or of one deal, have the same ``draw``.
    """

    game: Ints
    first: Ints
    second: Ints
    seat: Ints
    value: Floats
    weight: Floats
    cluster: Ints
    draw: Ints
    own: Bools

    def __len__(self) -> int:
        return len(self.first)


@attrs.frozen(kw_only=True, eq=False)
class PairRows:
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
    columns: Columns
    clusters: int
    refused: frozenset[int]

    @property
    def played(self) -> frozenset[str]:
        """The agents that played a match in which nobody was disqualified."""
        rows = self.columns
        found = {*rows.first[~rows.own], *rows.second[~rows.own]}
        return frozenset(self.agents[int(i)] for i in found if i != FIELD)

    @property
    def has_only_pays(self) -> bool:
        """Whether the size of returns counts in every game."""
        return all(self.pays)


def rows_of(contests: Iterable[Contest], agents: Sequence[str], games: Mapping[str, GameKind]) -> PairRows:
    """The rows of those matches whose agents are all in ``agents``; the order of matches does not matter."""
    place = {agent: i for i, agent in enumerate(agents)}
    by_game: dict[str, list[Contest]] = defaultdict(list)
    refused: set[int] = set()
    for contest in sorted(contests, key=_content):
        if not contest.counts or any(agent not in place for agent in contest.agents):
            continue
        if contest.is_disqualified:
            refused.update(place[contest.agents[seat]] for seat in contest.at_fault)
        by_game[contest.game].append(contest)
    made = [_GameRows(games[game], place, own) for game, own in sorted(by_game.items())]
    names = tuple(sorted(by_game))
    numbers = {key: number for number, key in enumerate(sorted({key for rows in made for key in rows.clusters}))}
    scales = tuple(rows.scale for rows in made)
    turned = [bool(rows.has_seats and rows.is_turned) for rows in made]
    return PairRows(
        agents=tuple(agents),
        games=names,
        pays=tuple(games[name].kind == "pays" for name in names),
        scales=scales,
        seats=frozenset(game for game, is_turned in enumerate(turned) if is_turned),
        unturned=tuple(n for n, rows, is_turned in zip(names, made, turned, strict=True) if rows.has_seats > is_turned),
        columns=_joined(made, numbers),
        clusters=len(numbers),
        refused=frozenset(refused),
    )


def _content(contest: Contest) -> tuple[str, str, str, tuple[str, ...], tuple[float, ...]]:
    return contest.game, contest.block, contest.match, contest.agents, contest.returns or ()


def _joined(made: Sequence["_GameRows"], numbers: Mapping[_Cluster, int]) -> Columns:
    """The rows of all games, each game with the same weight."""
    totals = [float(rows.weight[~rows.own].sum()) for rows in made]
    share = fsum(totals) / len(totals) if totals else 1.0
    draws = np.cumsum([0, *(len(rows.clusters) for rows in made)])
    clusters = [np.array([numbers[key] for key in rows.clusters], dtype=np.int64)[rows.draw] for rows in made]
    weights = [rows.weight * (share / total if total else 1.0) for rows, total in zip(made, totals, strict=True)]
    return Columns(
        game=np.repeat(np.arange(len(made)), [len(rows.first) for rows in made]),
        first=_in_one([rows.first for rows in made]),
        second=_in_one([rows.second for rows in made]),
        seat=_in_one([rows.seat for rows in made]),
        value=np.concatenate([np.zeros(0), *(rows.value / rows.scale for rows in made)]),
        weight=np.concatenate([np.zeros(0), *weights]),
        cluster=_in_one(clusters),
        draw=_in_one([rows.draw + begin for rows, begin in zip(made, draws[:-1], strict=True)]),
        own=np.concatenate([np.zeros(0, dtype=bool), *(rows.own for rows in made)]),
    )


def _in_one(arrays: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, dtype=np.int64), *arrays])


class _Row(NamedTuple):
    draw: int
    first: int
    second: int
    seat: int
    value: float
    weight: float
    own: bool


class _Played(NamedTuple):
    """Matches of the same number of different agents: those agents and what they earned, a line for each match."""

    draws: list[int]
    agents: list[Sequence[int]]
    earned: list[Sequence[float]]
    has_seats: bool


class _GameRows:
    """The rows of one game, with values in its own unit; ``clusters`` has one key for each draw."""

    def __init__(self, facts: GameKind, place: Mapping[str, int], contests: Sequence[Contest]) -> None:
        self.clusters: list[_Cluster] = []
        self._facts = facts
        self._place = place
        self._rows: list[_Row] = []
        self._played: dict[tuple[int, bool], _Played] = {}
        if facts.together:
            self._apart(contests)
        else:
            for contest in contests:
                self._met(contest)
        self._to_columns()
        gaps = self.value[~self.own & (self.second != FIELD)]
        self._value_the_worst(gaps)
        self.scale = self._found_scale(gaps)

    def _to_columns(self) -> None:
        parts = [_of_pairs(each, is_wins=self._facts.kind == "wins") for each in self._played.values()]
        table = np.array(self._rows, dtype=float).reshape(-1, len(_Row._fields))
        parts.append(table)
        whole = np.concatenate(parts)
        whole = whole[np.argsort(whole[:, 0], kind="stable")]
        self.draw, self.first, self.second, self.seat = (whole[:, i].astype(np.int64) for i in range(4))
        self.value, self.weight = whole[:, 4].copy(), whole[:, 5].copy()
        self.own = whole[:, 6] > 0

    def _met(self, contest: Contest) -> None:
        """Add a match of several agents, one against another."""
        names = set(contest.agents)
        if len(names) < 2:
            return
        draw = len(self.clusters)
        self.clusters.append((contest.block, "", 0) if self._facts.chance else (contest.block, contest.game, draw))
        if contest.returns is None:
            self._disqualified(contest, sorted(names), draw)
            return
        agents, earned = contest.agents, contest.returns
        is_single = len(names) == len(agents)
        if not is_single:
            by_agent = contest.earned
            agents, earned = tuple(by_agent), tuple(by_agent.values())
        has_seats = is_single and len(agents) == 2
        if (len(agents), has_seats) not in self._played:
            self._played[len(agents), has_seats] = _Played([], [], [], has_seats)
        own = self._played[len(agents), has_seats]
        own.draws.append(draw)
        own.agents.append([self._place[agent] for agent in agents])
        own.earned.append(earned)

    def _disqualified(self, contest: Contest, names: Sequence[str], draw: int) -> None:
        for i in sorted({contest.agents[seat] for seat in contest.at_fault}):
            for j in names:
                if j != i:
                    seat = seat_gap(contest.agents, i, j)
                    own = _Row(draw, self._place[i], self._place[j], seat, 0.0, 1 / (len(names) - 1), own=True)
                    self._rows.append(own)

    def _apart(self, contests: Sequence[Contest]) -> None:
        """Add matches of agents that play without rivals, compared on the deals that they share."""
        alone = [contest for contest in contests if len(set(contest.agents)) == 1]
        seen = [value / len(c.agents) for c in alone for value in c.earned.values()]
        least = self._facts.low if self._facts.low is not None else min(seen, default=0.0)
        blocks: dict[str, dict[int, _OneDeal]] = defaultdict(dict)
        for contest in alone:
            own = blocks[contest.block].setdefault(self._place[contest.agents[0]], _OneDeal([], []))
            own.played.extend(value / len(contest.agents) for value in contest.earned.values())
            own.values.append(least if contest.is_disqualified else own.played[-1])
        shares = any(len(own) > 1 for own in blocks.values())
        for block, deals in sorted(blocks.items()):
            draw = len(self.clusters)
            self.clusters.append((block, "", 0))
            for i in sorted(deals):
                if not shares:
                    self._beside_all(i, deals[i], least, draw)
                    continue
                for j in sorted(deals):
                    if i != j:
                        self._on_one_deal(i, j, deals[i], deals[j], 1 / (len(deals) - 1), draw)

    def _on_one_deal(self, i: int, j: int, first: "_OneDeal", second: "_OneDeal", weight: float, draw: int) -> None:
        if first.played and second.played and i < j:
            gap = _mean(first.played) - _mean(second.played)
            self._rows.append(_Row(draw, i, j, 0, gap, weight, own=False))
        if second.played and not first.is_clean:
            gap = _mean(first.values) - _mean(second.played)
            self._rows.append(_Row(draw, i, j, 0, gap, weight, own=True))

    def _beside_all(self, i: int, deal: "_OneDeal", least: float, draw: int) -> None:
        self._rows += [_Row(draw, i, FIELD, 0, value, 1.0, own=False) for value in deal.played]
        missing = len(deal.values) - len(deal.played)
        self._rows += [_Row(draw, i, FIELD, 0, least, 1.0, own=True)] * missing

    @property
    def has_seats(self) -> bool:
        """Whether anybody sat in the first of two seats."""
        return bool(self.seat[~self.own].any())

    @property
    def is_turned(self) -> bool:
        """Whether at least half of the rows are of pairs that met in both orders."""
        played = ~self.own
        pairs = self.first[played] * len(self._place) + self.second[played]
        seats = self.seat[played]
        both = np.intersect1d(pairs[seats > 0], pairs[seats < 0])
        return bool(len(both)) and 2 * int(np.isin(pairs, both).sum()) >= len(pairs)

    def _value_the_worst(self, gaps: Floats) -> None:
        """Give disqualifications among rivals their value in a game that pays: the least return against the most."""
        if self._facts.kind == "wins" or self._facts.together:
            return
        low, high = self._facts.low, self._facts.high
        seen = float(np.abs(gaps).max()) if len(gaps) else 1.0
        self.value[self.own] = low - high if low is not None and high is not None else -seen

    def _found_scale(self, gaps: Floats) -> float:
        """Half the root mean square of the differences; 1 where wins count."""
        if self._facts.kind == "wins":
            return 1.0
        singles = self.value[self.second == FIELD]
        if len(singles):
            gaps = np.concatenate([gaps, sqrt(2) * (singles - singles.mean())])
        return float(np.sqrt(np.mean(gaps**2))) / 2 or 1.0 if len(gaps) else 1.0


class _OneDeal(NamedTuple):
    """What one agent earned on one deal: in matches that were played, and with the least return for the others."""

    played: list[float]
    values: list[float]

    @property
    def is_clean(self) -> bool:
        """Whether no match was ended by a disqualification."""
        return len(self.played) == len(self.values)


def _of_pairs(played: _Played, *, is_wins: bool) -> Floats:
    """The rows of matches with the same number of agents, as a table with the fields of a row."""
    agents, earned = np.array(played.agents, dtype=np.int64), np.array(played.earned, dtype=float)
    many = agents.shape[1]
    one, other = np.triu_indices(many, 1)
    first, second = agents[:, one], agents[:, other]
    gap = earned[:, one] - earned[:, other]
    is_turned = first > second
    side = np.where(is_turned, -1.0, 1.0)
    gap *= side
    value = (np.sign(gap) + 1) / 2 if is_wins else gap
    found = np.empty((*gap.shape, len(_Row._fields)))
    found[..., 0] = np.array(played.draws)[:, None]
    found[..., 1], found[..., 2] = np.where(is_turned, second, first), np.where(is_turned, first, second)
    found[..., 3] = side if played.has_seats else 0.0
    found[..., 4] = value
    found[..., 5], found[..., 6] = 1 / (many - 1), 0.0
    return found.reshape(-1, found.shape[-1])


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)
