"""Measurements by column: of very many rows their numbers, matches, blocks and groups, each as one array.

A report of a long run keeps what was measured once for all matches in which it is equal. Columns are made of that
without a row being made, and of any other rows too.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from operator import itemgetter
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

import attrs
from arena.metric import Measurement, MeasurementRow
from arena.record import Ending, Player

from arena_metric_statistics.clusters import numbered
from arena_metric_statistics.numerics import Booleans, Floats, Integers, np

T = TypeVar("T")


class Kind(Protocol):
    """What is the same in many matches."""

    @property
    def game(self) -> str:
        """The name of the game in the benchmark."""
        ...

    @property
    def ending(self) -> Ending:
        """How these matches ended."""
        ...

    @property
    def agents(self) -> tuple[str, ...]:
        """The agent of each player, by name."""
        ...

    @property
    def seats(self) -> tuple[str, ...]:
        """The seat of each player, by name."""
        ...

    @property
    def at_fault(self) -> tuple[Player, ...]:
        """The players who failed, in order."""
        ...


@runtime_checkable
class RowsByMatch(Protocol):
    """Rows that are kept as sets of measurements, as reports give them to metrics.

    ``matches`` has ``ids``, ``blocks`` and ``kinds``, and for each match the places of its block and kind in
    ``block_of`` and ``kind_of``. ``match_of`` and ``set_of`` have an item for each match that was measured: its place
    in ``matches``, and that of what was measured in ``sets``.
    """

    matches: Any
    match_of: Any
    set_of: Any
    sets: Sequence[Sequence[Measurement]]


@attrs.frozen
class _Lineup:
    """The kind of a match of which only rows are known."""

    game: str
    ending: Ending
    agents: tuple[str, ...]
    seats: tuple[str, ...]
    at_fault: tuple[Player, ...]


@attrs.define(eq=False, slots=False)
class _Matches:
    """What columns share: matches with the places of their blocks and kinds, and the different measurements."""

    ids: Sequence[str]
    blocks: Sequence[str]
    block_of: Integers
    kinds: Sequence[Kind]
    kind_of: Integers
    measurements: Sequence[Measurement]

    @cached_property
    def players(self) -> Integers:
        """The player of each measurement, -1 for none."""
        return _places([-1 if each.player is None else each.player for each in self.measurements])

    @cached_property
    def names(self) -> tuple[dict[str, int], Integers]:
        """The names of measurements with their numbers, and the number of each measurement's name."""
        names: dict[str, int] = {}
        return names, _places([names.setdefault(each.name, len(names)) for each in self.measurements])

    @cached_property
    def block_ranks(self) -> Integers:
        """The place of each block in the order of their names."""
        return _ranks(self.blocks)

    @cached_property
    def ranks(self) -> Integers:
        """The place of each match in the order of their ids."""
        return _ranks(self.ids)

    @cached_property
    def width(self) -> int:
        """One more than the most players of a match."""
        return max((len(kind.agents) for kind in self.kinds), default=0) + 1

    def by_player(self, of: Callable[[Kind, int], T]) -> list[T]:
        """A value for each kind and player, and one for no player (-1) behind those of each kind."""
        each = [[*range(len(kind.agents)), *[-1] * (self.width - len(kind.agents))] for kind in self.kinds]
        return [of(kind, player) for kind, players in zip(self.kinds, each, strict=True) for player in players]


@attrs.frozen(eq=False)
class ByMatch:
    """Rows by match, in the order of their first rows: the label of each row, 0 and up, and the place of each first."""

    labels: Integers
    firsts: Integers


@attrs.frozen(eq=False)
class Columns:
    """Rows of measurements: of each the place of its match and that of its measurement in what they share."""

    shared: _Matches
    matches: Integers
    measured: Integers

    @classmethod
    def of(cls, rows: "Sequence[MeasurementRow] | Columns") -> "Columns":
        """The columns of rows, in their order."""
        if isinstance(rows, Columns):
            return rows
        return _of_sets(rows) if isinstance(rows, RowsByMatch) else _of_rows(rows)

    def __len__(self) -> int:
        return len(self.matches)

    @property
    def blocks(self) -> Integers:
        """The number of each row's block; equal numbers are equal blocks."""
        return self.shared.block_of[self.matches]

    @property
    def clusters(self) -> Sequence[Hashable]:
        """The same numbers, as intervals take them."""
        return cast("Sequence[Hashable]", self.blocks)

    @property
    def block_ranks(self) -> Integers:
        """The same numbers, in the order of the names of the blocks."""
        return self.shared.block_ranks[self.blocks]

    @property
    def players(self) -> Integers:
        """The player of each row, -1 for none."""
        return self.shared.players[self.measured]

    @property
    def matches_and_players(self) -> Integers:
        """A number for each row that tells its match and its player."""
        return self.matches.astype(np.int64) * self.shared.width + self.players

    @property
    def match_count(self) -> int:
        """How many matches the rows are of."""
        return int(np.count_nonzero(np.bincount(self.matches)))

    @property
    def kinds(self) -> Integers:
        """The place of each row's kind of match among those that are shared."""
        return self.shared.kind_of[self.matches]

    def found_kinds(self) -> list[Kind]:
        """The kinds of the rows' matches, in the order of their last rows."""
        own, places = np.unique(self.kinds[::-1], return_index=True)
        return [self.shared.kinds[int(own[i])] for i in np.argsort(-places, kind="stable")]

    def match_ids(self) -> list[str]:
        """The id of each row's match."""
        matches: list[int] = self.matches.tolist()
        return [self.shared.ids[place] for place in matches]

    def where(self, chosen: Booleans | Integers) -> "Columns":
        """The rows that are chosen, or those at these places in this order."""
        return Columns(self.shared, self.matches[chosen], self.measured[chosen])

    def named(self, name: str) -> "Columns":
        """The rows whose measurement is called ``name``."""
        names, of_each = self.shared.names
        return self.where((of_each == names.get(name, -1))[self.measured])

    def of_players(self) -> "Columns":
        """The rows that are of a player and not of the whole match."""
        return self.where(self.players >= 0)

    def of_kinds(self, chosen: Callable[[Kind], bool]) -> "Columns":
        """The rows of the matches of some kinds."""
        are_chosen = np.array([chosen(kind) for kind in self.shared.kinds], dtype=bool)
        return self if are_chosen.all() else self.where(are_chosen[self.kinds])

    def numbers(self, of: Callable[[Measurement], float]) -> Floats:
        """A number for each row, found once for measurements that are equal."""
        own = np.flatnonzero(np.bincount(self.measured, minlength=len(self.shared.measurements)))
        found = np.zeros(len(self.shared.measurements))
        found[own] = [of(self.shared.measurements[place]) for place in own.tolist()]
        return found[self.measured]

    def values(self) -> Floats:
        """The values as numbers; what is unknown is 0."""
        return self.numbers(_value)

    def by_player(self, of: Callable[[Kind, int], int]) -> Any:
        """A truth or whole number for each row, by its kind of match and its player (-1 for none), as an array."""
        # No player's number is the last one of a kind, since -1 is counted from its end.
        at = self.kinds
        at *= self.shared.width
        at += self.players % self.shared.width
        return np.array(self.shared.by_player(of))[at]

    def by_match(self) -> ByMatch:
        """The rows by match."""
        labels = numbered(cast("Sequence[Hashable]", self.matches))
        return ByMatch(labels, np.unique(labels, return_index=True)[1])

    def grouped(self, *keys: str) -> dict[tuple[str, ...], "Columns"]:
        """The rows by ``game``, ``agent`` and ``seat``, as many of these as are named, in the order of the keys."""
        places: dict[tuple[str, ...], int] = {}

        def code(kind: Kind, player: int) -> int:
            return places.setdefault(tuple(_LABELS[key](kind, player) for key in keys), len(places))

        codes, labels = self.by_player(code), list(places)
        if len(codes) and (codes == codes[0]).all():
            return {labels[int(codes[0])]: self}
        order = _places(np.argsort(codes, kind="stable"))
        ends = np.cumsum(np.bincount(codes, minlength=len(labels))).tolist() if len(codes) else []
        groups = ((label, order[start:end]) for label, start, end in zip(labels, [0, *ends], ends, strict=False))
        return {label: self.where(own) for label, own in sorted(groups, key=itemgetter(0)) if len(own)}

    def in_order(self) -> "Columns":
        """The rows by the names of their blocks, the ids of their matches and their players."""
        return self.where(np.lexsort((self.players, self.shared.ranks[self.matches], self.block_ranks)))


_LABELS: dict[str, Callable[[Kind, int], str]] = {
    "game": lambda kind, _: kind.game,
    "agent": lambda kind, player: kind.agents[player] if player >= 0 else "",
    "seat": lambda kind, player: kind.seats[player] if 0 <= player < len(kind.seats) else "",
}


def total(values: Floats) -> float:
    """The sum from the first to the last, rounded as ``sum`` rounds it."""
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def _value(measurement: Measurement) -> float:
    return float(measurement.value or 0)


def _places(values: Any) -> Integers:
    """Whole numbers with 32 bits each, since very long runs have very many of them."""
    return cast("Integers", np.asarray(values, dtype=np.int32))


def _ranks(names: Sequence[str]) -> Integers:
    order = sorted(range(len(names)), key=names.__getitem__)
    ranks = _places(order)
    ranks[order] = np.arange(len(names))
    return ranks


def _of_sets(rows: RowsByMatch) -> Columns:
    sizes = _places([len(each) for each in rows.sets])
    of_set = _places(rows.set_of)
    own = sizes[of_set] if len(of_set) else of_set
    starts, ends = _places(np.cumsum(sizes)) - sizes, _places(np.cumsum(own))
    shift = (starts[of_set] if len(of_set) else of_set) - (ends - own)
    measured = np.repeat(shift, own)
    measured += np.arange(len(measured), dtype=measured.dtype)
    matches = rows.matches
    shared = _Matches(
        matches.ids,
        matches.blocks,
        _places(matches.block_of),
        matches.kinds,
        _places(matches.kind_of),
        list(chain.from_iterable(rows.sets)),
    )
    return Columns(shared, np.repeat(_places(rows.match_of), own), measured)


def _of_rows(rows: Iterable[MeasurementRow]) -> Columns:
    places: dict[str, int] = {}
    firsts: list[MeasurementRow] = []
    agents: list[dict[int, str]] = []
    seats: list[dict[int, str]] = []
    of_match: list[int] = []
    measurements: list[Measurement] = []
    for row in rows:
        place = places.setdefault(row.match, len(places))
        if place == len(firsts):
            firsts.append(row)
            agents.append(dict(enumerate(row.agents)))
            seats.append({})
        if row.player is not None:
            agents[place][row.player] = str(row.agent)
            seats[place][row.player] = str(row.seat)
        of_match.append(place)
        measurements.append(Measurement(row.name, row.value, row.player, row.turn, row.detail))
    blocks: dict[str, int] = {}
    kinds: dict[_Lineup, int] = {}
    kind_of: list[int] = []
    for row, named, seated in zip(firsts, agents, seats, strict=True):
        size = max(named, default=-1) + 1
        each = tuple(named.get(player, "") for player in range(size))
        kind = _Lineup(row.game, row.ending, each, tuple(seated.get(p, "") for p in range(size)), row.at_fault)
        kind_of.append(kinds.setdefault(kind, len(kinds)))
    block_of = [blocks.setdefault(row.block, len(blocks)) for row in firsts]
    shared = _Matches(
        list(places),
        list(blocks),
        _places(block_of),
        list(kinds),
        _places(kind_of),
        measurements,
    )
    return Columns(shared, _places(of_match), _places(range(len(measurements))))
