"""What can be touched on the map: a unit, where it shall go or whom it shall help, and then a menu of its orders."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import arena_scene
from arena.game import Decision
from arena.record import quoted

from arena_game_diplomacy.rules.board import BoardMap, read_map
from arena_game_diplomacy.rules.notation import OrderError, parse_order

_SAY: Final = {
    "orders": "Give each unit an order: touch the unit, then where it shall go or whom it shall help.",
    "retreats": "Touch a dislodged unit, then where it shall go.",
    "adjustments": "Touch a centre to build there, or a unit to disband it.",
    "negotiate": "Write to others, or send nothing; nobody else sees your strategy and your trust.",
}


def order_touches(decision: Decision) -> "arena_scene.Touches":
    """All legal orders of the player as paths on the map, by province; a text to others is written."""
    seen: Any = decision.observation
    fills = [] if seen["step"] == "negotiate" else list(_fills(decision.schema))
    return arena_scene.Touches(fills=fills, say=_SAY.get(seen["step"], "Choose your action."))


def said_action(action: Any) -> str:
    """Orders, or letters, in words; what a player writes is one line of JSON."""
    if "messages" in action:
        letters = [f"to {', '.join(own['to'])}: {quoted(own['text'])}" for own in action["messages"]]
        return "; ".join(letters) or "send nothing"
    orders: Mapping[str, str] = action.get("orders", action)
    return ", ".join(orders.values()) or "no orders"


def _fills(schema: Any) -> "Iterator[arena_scene.Fill]":
    board = read_map("standard")
    has_report = "orders" in schema["properties"]
    units: Mapping[str, Any] = (schema["properties"]["orders"] if has_report else schema)["properties"]
    start = "/orders" if has_report else ""
    for unit, orders in units.items():
        pointer = f"{start}/{unit.replace('~', '~0').replace('/', '~1')}"
        for order in orders["enum"]:
            do = [arena_scene.Put(pointer=pointer, value=order)]
            label = f"{unit}: {order}" if unit not in order else order
            yield arena_scene.Fill(path=_path(board, unit, order), label=label, do=do)


def _path(board: BoardMap, unit: str, text: str) -> tuple[str, ...]:
    """The provinces that an order names, in the order in which they are touched."""
    try:
        order = parse_order(board, text)
    except OrderError:
        return (_province(unit),)
    places: Sequence[str | None] = (order.unit or unit, order.helped, order.target)
    return tuple(_province(place) for place in places if place)


def _province(place: str) -> str:
    """The province of a place or a unit: ``F STP/SC``, ``STP/SC`` and ``STP`` are all in STP."""
    return place.split(" ")[-1].partition("/")[0]
