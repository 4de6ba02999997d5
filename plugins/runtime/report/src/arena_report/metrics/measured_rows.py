"""Keeps what metrics measured in very many matches: what is equal in several of them once, and two numbers of each.

A long run has few kinds of matches, and a metric finds few different things in them. The rows that metrics read are
made when somebody asks for them; a metric that reads columns never does.
"""

import marshal
from array import array
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, overload

from arena.metric import Measurement, MeasurementRow
from arena.record import Ending, MatchRecord, Player
from arena_engine.foundation import measurement_fault

MOST_KNOWN: Final = 4_096
"""So many different sets of measurements are recognised when they come again; more are kept one by one."""


class MatchKind(NamedTuple):
    """What is the same in many matches: everything that rows tell of a match but its id and its block."""

    game: str
    pairing: str
    ending: Ending
    agents: tuple[str, ...]
    seats: tuple[str, ...]
    at_fault: tuple[Player, ...]


class MeasuredMatches:
    """The matches that metrics measured: ``ids``, and of each the places of its block and of its kind in the lists."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self.blocks: list[str] = []
        self.block_of = array("I")
        self.kinds: list[MatchKind] = []
        self.kind_of = array("I")
        self._blocks: dict[str, int] = {}
        self._kinds: dict[MatchKind, int] = {}

    def add(self, match: MatchRecord, block: str) -> int:
        """Add a match; its place. ``block`` takes the place of its own, where a report joins those of several runs."""
        place = self._blocks.setdefault(block, len(self.blocks))
        if place == len(self.blocks):
            self.blocks.append(block)
        plan = match.plan
        kind = MatchKind(plan.game, plan.pairing, match.ending, plan.agents, match.seats, match.at_fault)
        number = self._kinds.setdefault(kind, len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
        self.ids.append(match.id)
        self.block_of.append(place)
        self.kind_of.append(number)
        return len(self.ids) - 1

    def block(self, place: int) -> str:
        """The block of a match."""
        return self.blocks[self.block_of[place]]

    def rows(self, place: int, measurements: Sequence[Measurement]) -> Iterator[MeasurementRow]:
        """The rows of one match, equal to those that ``MeasurementRow.of`` makes."""
        kind = self.kinds[self.kind_of[place]]
        shared: dict[str, Any] = {
            "match": self.ids[place],
            "block": self.block(place),
            "game": kind.game,
            "pairing": kind.pairing,
            "ending": kind.ending,
            "agents": kind.agents,
            "at_fault": kind.at_fault,
        }
        for name, value, player, turn, detail in measurements:
            yield MeasurementRow(
                name=name,
                value=value,
                player=player,
                agent=None if player is None else kind.agents[player],
                seat=None if player is None else kind.seats[player],
                turn=turn,
                detail=detail,
                **shared,
            )


class MeasuredRows(Sequence[MeasurementRow]):
    """The rows of one metric, made of ``sets`` of measurements when they are asked for, and kept until ``forget``.

    ``match_of`` and ``set_of`` are, for each match that was measured, its place in ``matches`` and that of what was
    measured in ``sets``.
    """

    def __init__(self, matches: MeasuredMatches) -> None:
        self.matches = matches
        self.sets: list[tuple[Measurement, ...]] = []
        self.match_of = array("I")
        self.set_of = array("I")
        self._known: dict[bytes, int] = {}
        self._length = 0
        self._rows: list[MeasurementRow] | None = None

    def add(self, place: int, measurements: Sequence[Measurement], match: MatchRecord) -> None:
        """Add what was measured in a match; ``ValueError`` if one of it cannot be a measurement of the match."""
        key = _key(measurements, len(match.agents))
        number = self._known.get(key) if key else None
        if number is None:
            for each in measurements:
                if fault := measurement_fault(each, match):
                    raise ValueError(fault)
            number = len(self.sets)
            self.sets.append(tuple(measurements))
            if key and number < MOST_KNOWN:
                self._known[key] = number
        self.match_of.append(place)
        self.set_of.append(number)
        self._length += len(measurements)
        self._rows = None

    def forget(self) -> None:
        """Drop the rows that were made; they are made anew when somebody asks for them again."""
        self._rows = None

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> MeasurementRow: ...
    @overload
    def __getitem__(self, index: slice) -> list[MeasurementRow]: ...
    def __getitem__(self, index: int | slice) -> MeasurementRow | list[MeasurementRow]:
        return self._made()[index]

    def __iter__(self) -> Iterator[MeasurementRow]:
        return iter(self._made())

    def _made(self) -> list[MeasurementRow]:
        if self._rows is None:
            measured = zip(self.match_of, self.set_of, strict=True)
            self._rows = [row for place, number in measured for row in self.matches.rows(place, self.sets[number])]
        return self._rows


def _key(measurements: Sequence[Measurement], players: int) -> bytes | None:
    """Bytes that are equal only for equal measurements with values of equal types; ``None`` where that is not known."""
    if not {Measurement}.issuperset(map(type, measurements)):
        return None
    try:
        # Version 2 writes no references, which would tell equal values apart by who else holds them.
        return marshal.dumps([players, *map(tuple, measurements)], 2)
    except ValueError:  # something in it is of a type of its own
        return None
