"""What the units of a side can try in a movement phase, worked out from their legal orders."""

from collections.abc import Mapping, Sequence

import attrs
from arena_game_diplomacy.rules.notation import Order, parse_order

from arena_agent_diplomacy.values import Side

Helpers = dict[str, str]
"""Orders of units that help one and the same order of another, by unit."""


@attrs.frozen
class UnitAim:
    """What one unit can try: its order, and the unit that it is if that succeeds (``"F SPA/SC"``), with its province.

    ``supports`` are the orders by which other units of the side can support it, and ``convoys`` those of fleets of
    which one must convoy it, by unit; without ``convoys`` it goes by land, or a fleet by sea.
    """

    unit: str
    order: str
    after: str
    province: str
    supports: Mapping[str, str]
    convoys: Mapping[str, str]


def aims_of(side: Side, legal: Mapping[str, Sequence[str]]) -> dict[str, list[UnitAim]]:
    """The aims of each unit of a side, to hold first; ``legal`` are the orders that each may get.

    An army that can go somewhere by land does not go there by sea, and goes no way for which it needs two fleets.
    """
    board = side.position.board
    orders = {unit: {text: parse_order(board, text) for text in legal[unit]} for unit in side.units}
    supports: dict[tuple[str, str], Helpers] = {}
    convoys: dict[tuple[str, str], Helpers] = {}
    for given in orders.values():
        for text, order in given.items():
            if order.helped:
                province = board.province_of[order.target or order.helped[2:]]
                helps = supports if order.kind == "support" else convoys
                helps.setdefault((order.helped[:5], province), {})[order.unit] = text

    def aim(text: str, order: Order) -> UnitAim | None:
        place = order.target or order.unit[2:]
        province, here = board.province_of[place], board.province_of[order.unit[2:]]
        fleets: Helpers = {}
        if order.via:
            able = convoys.get((order.unit[:5], province), {})
            near = board.seas[here] & board.seas[province]
            fleets = {fleet: convoy for fleet, convoy in able.items() if fleet[2:] in near}
            if province in board.reach[order.unit] or not fleets:
                return None
        after = f"{order.unit[0]} {place}"
        return UnitAim(order.unit, text, after, province, supports.get((order.unit[:5], province), {}), fleets)

    return {
        unit: [
            found
            for text, order in sorted(given.items(), key=lambda item: item[1].kind)
            if order.kind in ("hold", "move") and (found := aim(text, order))
        ]
        for unit, given in orders.items()
    }
