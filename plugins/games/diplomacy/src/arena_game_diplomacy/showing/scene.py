"""What a position of Diplomacy looks like: the map with units, centres and the last orders, the powers, the talk."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal

import arena_scene
from arena.game import Drawing

from arena_game_diplomacy.match.talk import GLOBAL
from arena_game_diplomacy.pictures.outlines import Ring, standard_outlines
from arena_game_diplomacy.rules.board import BoardMap, read_map
from arena_game_diplomacy.rules.notation import Order, OrderError, parse_order

Seen = Mapping[str, Any]

MESSAGES: Final = 60
"""How many of the last messages are shown."""

_UNITS: Final = {"A": "army", "F": "fleet"}


def map_scene(view: Seen, words: str) -> Drawing:
    """The board as everybody sees it, and the messages that who looks may read."""
    outlines, board = standard_outlines(), read_map("standard")
    roles = _roles(view)
    drawn = arena_scene.SceneMap(
        id="map",
        size=(outlines.width, outlines.height),
        areas=[*_areas(view, board, roles), *_scenery()],
        places=_places(),
        pieces=[*_centres(view, roles), *_units(view, board, roles)],
        orders=list(_orders(view, board, roles)),
    )
    parts = [drawn, _powers(view, roles), *_chats(view, roles)]
    told = arena_scene.shortened(words)
    return Drawing(*arena_scene.Scene(f"Diplomacy, {view['phase']}", told, *parts).drawn())


def _roles(view: Seen) -> dict[str, str]:
    """The role of each power: that of the player whose it is."""
    return {power: f"player-{number}" for number, hand in enumerate(view["hands"]) for power in hand}


def _areas(view: Seen, board: BoardMap, roles: Mapping[str, str]) -> "Iterator[arena_scene.MapArea]":
    owners = {name: power for power, names in (view["centres"] or {}).items() for name in names}
    for name, outline in standard_outlines().provinces.items():
        province = board.provinces[name]
        is_sea = province.kind == "sea"
        owner = f", a centre of {owners[name]}" if name in owners else ", a free centre" if province.is_centre else ""
        yield arena_scene.MapArea(
            id=name,
            shape=_ring(outline.ring),
            label=f"{province.full_name}{owner}",
            label_at=outline.label,
            role="water" if is_sea else roles.get(owners.get(name, ""), "land"),
            kind="water" if is_sea else "coast" if province.kind == "coastal" else "land",
        )


@cache
def _scenery() -> "tuple[arena_scene.MapArea, ...]":
    """Land that belongs to no province, and lakes."""
    outlines = standard_outlines()
    land = [
        _no_province(f"impassable-{number}", ring, "land", role="faint")
        for number, ring in enumerate(outlines.impassable)
    ]
    lakes = [
        _no_province(f"inland-water-{number}", ring, "water", role="water")
        for number, ring in enumerate(outlines.lakes)
    ]
    return (*land, *lakes)


def _no_province(name: str, ring: Ring, kind: Literal["land", "water"], *, role: str) -> "arena_scene.MapArea":
    label = f"{kind} that is no province"
    return arena_scene.MapArea(id=name, shape=_ring(ring), label=label, label_at=ring[0], role=role, kind=kind)


def _ring(ring: Ring) -> tuple[tuple[float, float], ...]:
    return tuple((round(x), round(y)) for x, y in ring)


@cache
def _places() -> "tuple[arena_scene.MapPlace, ...]":
    """Where units stand in each province and on its coasts, where who is dislodged stands, and where centres lie."""
    found: list[arena_scene.MapPlace] = []
    for name, outline in standard_outlines().provinces.items():
        x, y = outline.unit
        spots = {f"at-{name}": (x, y), f"beside-{name}": (x + 22, y + 18)}
        spots |= {f"at-{name}/{coast}": point for coast, point in outline.coasts.items()}
        spots |= {f"centre-{name}": outline.centre} if outline.centre else {}
        found += [arena_scene.MapPlace(id=spot, area=name, at=point) for spot, point in spots.items()]
    return tuple(found)


def _centres(view: Seen, roles: Mapping[str, str]) -> "Iterator[arena_scene.MapPiece]":
    owners = {name: power for power, names in (view["centres"] or {}).items() for name in names}
    for name, outline in standard_outlines().provinces.items():
        if outline.centre:
            role, label = roles.get(owners.get(name, ""), "neutral"), f"centre of {owners.get(name, 'nobody')}"
            yield arena_scene.MapPiece(at=f"centre-{name}", role=role, shape="centre", label=label)


def _units(view: Seen, board: BoardMap, roles: Mapping[str, str]) -> "Iterator[arena_scene.MapPiece]":
    for power, names in view["units"].items():
        for name in names:
            yield _unit(power, name, f"at-{name[2:]}", board, roles)
    for power, names in (view["dislodged"] or {}).items():
        for name in names:
            yield _unit(power, name, f"beside-{name[2:5]}", board, roles, "dislodged ")


def _unit(
    power: str, name: str, at: str, board: BoardMap, roles: Mapping[str, str], how: str = ""
) -> "arena_scene.MapPiece":
    kind, _, coast = _UNITS[name[0]], *name[2:].partition("/")[1:]
    where = board.provinces[name[2:5]].full_name + (f", {coast}" if coast else "")
    label = f"{how}{kind} of {power} in {where}"
    return arena_scene.MapPiece(at=at, role=roles.get(power, "neutral"), shape=kind, text=name[0], label=label)


def _orders(view: Seen, board: BoardMap, roles: Mapping[str, str]) -> "Iterator[arena_scene.MapOrder]":
    """The orders of the last phase, from where each unit stood then."""
    last = view["results"][-1] if view["results"] else {"orders": {}}
    given = [(power, each) for power, orders in last["orders"].items() for each in orders]
    for number, (power, each) in enumerate(given):
        try:
            order = parse_order(board, each["order"])
        except OrderError:
            continue
        if drawn := _order(f"order-{number}", order, roles.get(power, "neutral"), failed=each["result"] != "ok"):
            yield drawn


def _order(name: str, order: Order, role: str, *, failed: bool) -> "arena_scene.MapOrder | None":
    if order.kind in ("waive", "disband"):
        return None
    at = lambda place: f"at-{place}" if place else ""  # noqa: E731 -- of three fields
    helped = order.helped[2:] if order.helped else ""
    return arena_scene.MapOrder(
        id=name, kind=order.kind, from_=at(order.unit[2:]), to=at(order.target), of=at(helped), role=role, failed=failed
    )


def _powers(view: Seen, roles: Mapping[str, str]) -> "arena_scene.SceneTable":
    centres: Mapping[str, Sequence[str]] = view["centres"] or {}
    rows = [
        arena_scene.TableRow(
            cells=[f"{power} (you)" if power in view["powers"] else power, len(centres.get(power, ())), len(units)],
            role=roles.get(power, "neutral"),
        )
        for power, units in view["units"].items()
    ]
    counted = [arena_scene.TableColumn(title=title, kind="number") for title in ("centres", "units")]
    columns = [arena_scene.TableColumn(title="power"), *counted]
    note = f"who owns {view['win_centres']} centres wins"
    return arena_scene.SceneTable(id="powers", caption="powers", columns=columns, rows=rows, note=note)


def _chats(view: Seen, roles: Mapping[str, str]) -> "list[arena_scene.Messages]":
    """A chat with each power with which messages were exchanged, and one of what was said to everybody."""
    chats: dict[str, list[arena_scene.SceneMessage]] = {}
    for number, own in list(enumerate(view["messages"]))[-MESSAGES:]:
        said = arena_scene.SceneMessage(
            id=f"message-{number}",
            from_=own["from"],
            to="everybody" if GLOBAL in own["to"] else ", ".join(own["to"]),
            text=own["text"],
            when=f"{own['phase']}, round {own['round']}",
            role=roles.get(own["from"], "neutral"),
            is_own=own["from"] in view["powers"],
        )
        chats.setdefault(_chat(own, view["powers"]), []).append(said)
    return [
        arena_scene.Messages(id=f"chat-{number}", title=title, messages=chats[title])
        for number, title in enumerate(sorted(chats))
    ]


def _chat(message: Mapping[str, Any], own: Sequence[str]) -> str:
    """Between whom a message is, without those who look."""
    if GLOBAL in message["to"]:
        return "to everybody"
    others = {message["from"], *message["to"]} - set(own)
    return ("with " if own else "between ") + " and ".join(sorted(others or own))
