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


_NAMES: Final = {
    "": "what you say",
    "/messages": "messages",
    "/messages/-": "message",
    "/messages/-/from": "",
    "/strategy": "your plan, which nobody sees",
    "/trust": "whom you trust, which nobody sees",
    "/trust/-": "power",
    "/trust/-/level": "trust",
}
"""What people read in place of the names in the schema of a negotiation; who has one power need not say which."""

_DRAWN: Final = frozenset({"move", "support", "convoy", "hold", "retreat", "build", "disband"})


def order_touches(decision: Decision) -> "arena_scene.Touches":
    """All legal orders of the player as paths on the map, by province; a text to others is written."""
    seen: Any = decision.observation
    say = _SAY.get(seen["step"], "Choose your action.")
    if seen["step"] == "negotiate":
        names = _NAMES if len(seen["powers"]) == 1 else {**_NAMES, "/messages/-/from": "from"}
        return arena_scene.Touches(fills=list(_letters(decision.schema)), names=names, say=say)
    fills = list(_fills(decision.schema))
    return arena_scene.Touches(fills=[*fills, *_rest(fills)], names={"": "your orders"}, say=say)


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
            kind, path = _path(board, unit, order)
            yield arena_scene.Fill(path=path, label=label, do=do, kind=kind)


def _rest(fills: "Sequence[arena_scene.Fill]") -> "list[arena_scene.Fill]":
    """One button that lets all units hold that have no order yet; none where no unit can hold."""
    holds = [put for own in fills if own.kind == "hold" for put in own.do if isinstance(put, arena_scene.Put)]
    rest = [arena_scene.Default(pointer=put.pointer, value=put.value) for put in holds]
    return [arena_scene.Fill(path=(), label="hold everything else", do=rest)] if rest else []


def _letters(schema: Any) -> "Iterator[arena_scene.Fill]":
    """A button for each power, and one for all, that begins a message to it."""
    items = schema["properties"]["messages"]["items"]
    message = items["properties"]
    sender = {"from": message["from"]["enum"][0]} if "from" in items["required"] else {}
    for power in message["to"]["items"]["enum"]:
        letter = {**sender, "to": [power]}
        label = "write to everybody" if power == "GLOBAL" else f"write to {power}"
        yield arena_scene.Fill(path=(), label=label, do=[arena_scene.Add(pointer="/messages", value=letter)])


def _path(board: BoardMap, unit: str, text: str) -> tuple[str, tuple[str, ...]]:
    """The kind of an order, and the provinces that it names, in the order in which they are touched."""
    try:
        order = parse_order(board, text)
    except OrderError:
        return "", (_province(unit),)
    places: Sequence[str | None] = (order.unit or unit, order.helped, order.target)
    return order.kind if order.kind in _DRAWN else "", tuple(_province(place) for place in places if place)


def _province(place: str) -> str:
    """The province of a place or a unit: ``F STP/SC``, ``STP/SC`` and ``STP`` are all in STP."""
    return place.split(" ")[-1].partition("/")[0]
