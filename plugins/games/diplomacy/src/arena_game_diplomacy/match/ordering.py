"""Orders of one player in one phase: their schema, other ways to write them, and why one is refused."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, cast

import attrs
from arena.game import Illegal
from arena.record import JSON

from arena_game_diplomacy.fitting import shown
from arena_game_diplomacy.rules.legal import legal_orders
from arena_game_diplomacy.rules.notation import OrderError, parse_order
from arena_game_diplomacy.rules.places import PlaceError, read_place, read_unit
from arena_game_diplomacy.rules.position import ADJUSTMENTS, Position, builds_left
from arena_game_diplomacy.rules.reading import read_order

_LISTED = 40
"""The most orders of one unit that a reason names."""

WAIVE = "WAIVE"


@attrs.define(eq=False)
class PhaseOrders:
    """The legal orders of a position, found when they are first needed; states that share a position share them."""

    position: Position
    _own: dict[tuple[str, ...], "OwnOrders"] = attrs.field(factory=dict, init=False, repr=False)

    @cached_property
    def by_power(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """All legal orders, by power and by unit or home centre."""
        return legal_orders(self.position)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many units each power may build or, below zero, must disband; empty in other phases."""
        return builds_left(self.position) if self.position.kind == ADJUSTMENTS else {}

    def of(self, powers: tuple[str, ...]) -> "OwnOrders":
        """The orders that the player of these powers may give."""
        if powers not in self._own:
            self._own[powers] = OwnOrders(self, powers)
        return self._own[powers]


@attrs.frozen(eq=False)
class OwnOrders:
    """What one player may order: of each of its units one order, all of them optional."""

    phase: PhaseOrders
    powers: tuple[str, ...]

    @property
    def position(self) -> Position:
        """The position in which the orders are given."""
        return self.phase.position

    @cached_property
    def legal(self) -> Mapping[str, tuple[str, ...]]:
        """The legal orders of each unit, or of each home centre, of all powers of the player."""
        return {unit: orders for power in self.powers for unit, orders in self.phase.by_power.get(power, {}).items()}

    @cached_property
    def schema(self) -> dict[str, JSON]:
        """The JSON schema of the orders: an object from units to their legal orders."""
        units: dict[str, JSON] = {unit: {"enum": list(orders)} for unit, orders in self.legal.items()}
        return {"type": "object", "properties": units, "additionalProperties": False}

    def check(self, orders: JSON) -> Illegal | None:
        """Why these orders may not be given, or ``None``."""
        legal = self.legal
        if not isinstance(orders, Mapping):
            return self._unread(orders, legal)
        for unit, order in cast("Mapping[str, JSON]", orders).items():
            if unit not in legal:
                whose = "to be ordered" if self.position.kind == ADJUSTMENTS else "of yours to be ordered"
                return Illegal("no-such-unit", f"{shown(unit)} is nothing {whose}; there is: {', '.join(legal)}")
            if order not in legal[unit]:
                return Illegal("illegal-order", f"{self._reason(unit, order)}; {unit} may: {_listed(legal[unit])}")
        return self._too_many(cast("Mapping[str, str]", orders))

    def by_power(self, orders: Mapping[str, str]) -> dict[str, list[str]]:
        """The orders of each power, in the sequence of its units; builds before what is waived."""
        found: dict[str, list[str]] = {}
        for power in self.powers:
            units = self.phase.by_power.get(power, {})
            given = [orders[unit] for unit in units if unit in orders]
            if self.position.kind == ADJUSTMENTS:
                built = [order for order in given if order != WAIVE]
                left = max(0, self.phase.counts[power] - len(built))
                given = built + [order for order in given if order == WAIVE][:left]
            found[power] = given
        return found

    def read(self, value: Any) -> JSON:
        """The orders that are meant, where they are written otherwise; what cannot be read stays as it is.

        A list of orders stands for the object, and so does an object of lists by power; orders may be in any notation
        that ``read_order`` knows. A unit whose order is ``null`` is left out.
        """
        if isinstance(value, Mapping) and set(value) == {"orders"}:
            value = value["orders"]
        if isinstance(value, Mapping) and value and set(value) <= set(self.powers):
            lists = list(value.values())
            value = [order for orders in lists for order in orders] if _are_lists(lists) else value
        if isinstance(value, list | tuple):
            return self._from_list(value)
        if not isinstance(value, Mapping):
            return value
        legal = self.legal
        if all(unit in legal and order in legal[unit] for unit, order in value.items()):
            return value
        return {self._unit(unit): self._order(unit, order) for unit, order in value.items() if order is not None}

    def _from_list(self, texts: Iterable[Any]) -> JSON:
        found: dict[str, JSON] = {}
        given = list(texts)
        for text in given:
            if isinstance(text, str) and text.strip().upper() == WAIVE:
                continue
            read = self._read(text)
            if read is None or found.get(read[0], read[1]) != read[1]:
                return given
            found[read[0]] = read[1]
        return found

    def _read(self, text: Any) -> tuple[str, str] | None:
        """The unit and the legal order that a text means, or ``None``."""
        return next(iter(self._meanings(text)), None)

    def _meanings(self, text: Any) -> Iterator[tuple[str, str]]:
        if not isinstance(text, str):
            return
        for power in self.powers:
            try:
                order = read_order(text, self.position, power)
            except OrderError:
                continue
            key = self.position.board.province_of[order.unit[2:]] if order.kind == "build" else order.unit
            if str(order) in self.phase.by_power.get(power, {}).get(key, ()):
                yield key, str(order)

    def _order(self, unit: str, order: Any) -> JSON:
        """The order that a value means for a unit: in any notation, with the unit or without it."""
        if isinstance(order, str) and order.strip().upper() == WAIVE:
            return WAIVE
        key = self._unit(unit)
        for text in (order, f"{unit} {order}"):
            if (read := self._read(text)) is not None and read[0] == key:
                return read[1]
        return order

    def _unit(self, written: str) -> str:
        board = self.position.board
        try:
            unit = read_unit(board, written)
        except PlaceError:
            try:
                unit = read_place(board, written)
            except PlaceError:
                return written
        return unit if unit in self.legal else written

    def _reason(self, unit: str, order: JSON) -> str:
        """Why ``order`` is none of ``unit``."""
        if not isinstance(order, str):
            return f"the order of {unit} is {shown(order)}, not a text"
        fault = self._fault(order, unit)
        return f"{shown(order)} is no order of {unit} here{f': {fault}' if fault else ''}"

    def _fault(self, text: str, unit: str | None) -> str:
        """Why a text is no legal order of the power of ``unit``; empty if it is one, though perhaps of another unit."""
        powers = [power for power in self.powers if unit in self.phase.by_power.get(power, {})] or self.powers
        try:
            read_order(text, self.position, powers[0])
        except OrderError as error:
            return str(error)
        return ""

    def _unread(self, value: JSON, legal: Mapping[str, tuple[str, ...]]) -> Illegal:
        if not isinstance(value, list | tuple):
            form = f'expected an object from units to orders, such as {{"{next(iter(legal), "A PAR")}": "…"}}'
            return Illegal("schema", f"{form}; got {shown(value)}")
        seen: dict[str, str] = {}
        for text in cast("list[JSON]", value):
            if isinstance(text, str) and text.strip().upper() == WAIVE:
                continue
            if (read := self._read(text)) is None:
                return Illegal("schema", self._why_unread(text))
            if seen.setdefault(*read) != read[1]:
                return Illegal("schema", f"{read[0]} has two orders, {seen[read[0]]!r} and {read[1]!r}")
        return Illegal("schema", "expected an object from units to orders, or a list of orders alone")

    def _why_unread(self, text: JSON) -> str:
        """Why an entry of a list is no legal order, and what the unit that it names may do."""
        if not isinstance(text, str):
            return f"{shown(text)} is no order; an order is a text"
        try:
            order = parse_order(self.position.board, text)
        except OrderError as error:
            return f"{shown(text)}: {error}"
        unit = self._unit(order.unit if order.kind != "build" else order.unit[2:5])
        may = f"{unit} may: {_listed(self.legal[unit])}" if unit in self.legal else f"yours are {', '.join(self.legal)}"
        return f"{shown(text)}: {self._fault(text, unit)}; {may}"

    def _too_many(self, orders: Mapping[str, str]) -> Illegal | None:
        for power, left in self.phase.counts.items():
            if power not in self.powers:
                continue
            given = [u for u in self.phase.by_power.get(power, {}) if orders.get(u, WAIVE) != WAIVE]
            if len(given) > abs(left):
                may = f"may build {left}" if left > 0 else f"must disband {-left}"
                return Illegal("too-many", f"{power} {may}, not {len(given)}; leave {len(given) - abs(left)} out")
        return None


def _are_lists(values: Iterable[Any]) -> bool:
    return all(isinstance(value, list | tuple) for value in values)


def _listed(orders: tuple[str, ...]) -> str:
    more = f" and {len(orders) - _LISTED} more" if len(orders) > _LISTED else ""
    return f"{', '.join(orders[:_LISTED])}{more}"
