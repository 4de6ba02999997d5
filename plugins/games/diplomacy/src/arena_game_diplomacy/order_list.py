"""Orders as they were given: read one by one, with those that contradict each other found."""

from collections.abc import Iterable, Mapping

import attrs
from arena.errors import did_you_mean

from arena_game_diplomacy.notation import Order, OrderError, parse_order
from arena_game_diplomacy.position import Position
from arena_game_diplomacy.reading import addressed, legal_order


@attrs.frozen
class GivenOrder:
    """An order as it was given: what it means, or else why it is illegal.

    ``text`` is how it is shown; ``unit`` is who got it, where that can be told and is a unit of the power.
    """

    text: str
    order: Order | None
    reason: str = ""
    unit: str = ""


def read_given(position: Position, orders: Mapping[str, Iterable[str]]) -> Mapping[str, tuple[GivenOrder, ...]]:
    """Every order of every power, in its place, read for a position."""
    return {power: tuple(_read(position, power, text) for text in texts) for power, texts in orders.items()}


def _read(position: Position, power: str, text: str) -> GivenOrder:
    if power not in position.board.powers:
        return GivenOrder(text, None, f"no power called {power!a}{did_you_mean(power, position.board.powers)}")
    try:
        order = addressed(parse_order(position.board, text), position, power)
    except OrderError as error:
        return GivenOrder(text, None, str(error))
    try:
        order = legal_order(order, position, power)
    except OrderError as error:
        own = order.unit if order.unit in position.units[power] else ""
        return GivenOrder(order.text, None, str(error), own)
    return GivenOrder(order.text, order, unit=order.unit)


def chosen_orders(given: Mapping[str, Iterable[GivenOrder]]) -> Mapping[str, Order | None]:
    """The one legal order of each unit; ``None`` for a unit that got two different ones, which are void both."""
    chosen: dict[str, Order | None] = {}
    for orders in given.values():
        for one in orders:
            if one.order is not None:
                unit = one.order.unit
                chosen[unit] = one.order if chosen.get(unit, one.order) == one.order else None
    return chosen
