"""Retreats: dislodged units go where nobody else goes, or are disbanded."""

from collections import Counter
from collections.abc import Iterable, Mapping

from arena_game_diplomacy.notation import Order
from arena_game_diplomacy.order_list import GivenOrder, chosen_orders, read_given
from arena_game_diplomacy.position import Position
from arena_game_diplomacy.results import OrderResult, Result
from arena_game_diplomacy.seasons import finished


def adjudicate_retreats(position: Position, orders: Mapping[str, Iterable[str]]) -> Result:
    """Retreat dislodged units; those that go to the same province, or are told nothing, are disbanded."""
    given = read_given(position, orders)
    chosen = chosen_orders(given)
    province_of = position.board.province_of
    wanted = Counter(province_of[str(o.target)] for o in chosen.values() if o is not None and o.kind == "retreat")
    crowded = {province for province, count in wanted.items() if count > 1}
    units = dict(position.units)
    for power, beaten in position.dislodged.items():
        for unit in beaten:
            order = chosen.get(unit)
            if order is not None and order.kind == "retreat" and province_of[str(order.target)] not in crowded:
                units[power] = (*units[power], f"{unit[0]} {order.target}")
    results = {
        power: tuple(_result(one, chosen, province_of, crowded) for one in orders) for power, orders in given.items()
    }
    return finished(position, results, units)


def _result(
    one: GivenOrder, chosen: Mapping[str, Order | None], province_of: Mapping[str, str], crowded: set[str]
) -> OrderResult:
    if one.order is None:
        return OrderResult(one.text, "illegal", reason=one.reason)
    if chosen[one.order.unit] is None:
        return OrderResult(one.text, "void", reason=f"{one.order.unit} was given two different orders")
    if one.order.kind == "retreat" and province_of[str(one.order.target)] in crowded:
        return OrderResult(one.text, "bounced", reason=f"another unit retreats to {one.order.target} too")
    return OrderResult(one.text, "ok")
