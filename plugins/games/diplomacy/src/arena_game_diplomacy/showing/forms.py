"""The forms of an observation: whole texts, and the parts of which a prompt can be made up.

A part that has nothing to say is ``null``, and prompts leave it out.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from arena.game import Drawing, Form
from arena.record import JSON

from arena_game_diplomacy.knowledge.reports import report_schema
from arena_game_diplomacy.match.ordering import OwnOrders, PhaseOrders
from arena_game_diplomacy.match.talk import Speaker
from arena_game_diplomacy.pictures.map_form import map_form
from arena_game_diplomacy.rules.board import BoardMap, read_map
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.showing.scene import map_scene
from arena_game_diplomacy.showing.wording import letter, listed, outcome

Seen: TypeAlias = Mapping[str, Any]

TALK_SHOWN: Final = 6_000
"""The most characters of talk that are shown; what is older is left out."""

NOTHING: Final = "null"

_SEASONS: Final = {"S": "spring", "F": "fall", "W": "winter"}
_STEPS: Final = {
    "negotiate": "negotiation",
    "orders": "orders are due",
    "retreats": "retreats are due",
    "adjustments": "adjustments are due",
    "over": "the match is over",
}


def text(seen: Seen) -> str:
    """Everything but the borders of the map: the position, the last results, the talk and the legal orders."""
    parts = [position(seen), results(seen), talk(seen), legal(seen)]
    return "\n\n".join(part for part in parts if part != NOTHING)


def position(seen: Seen) -> str:
    """The phase, whose powers are whose, and what each power has."""
    return "\n".join([*_heading(seen), "", *_powers(seen), *_dislodged(seen)])


def by_province(seen: Seen) -> str:
    """The same, listed by province: who owns it, who stands there, and who was the last one there."""
    return "\n".join([*_heading(seen), "", *_provinces(seen, read_map("standard"))])


def results(seen: Seen) -> str:
    """The last orders of everybody, and what came of them."""
    lines: list[str] = []
    for phase in seen["results"]:
        lines.append(f"Orders of {phase['phase']}:")
        given = {power: orders for power, orders in phase["orders"].items() if orders}
        lines += [f"  {power}: {', '.join(map(outcome, orders))}" for power, orders in given.items()]
        lines += [] if given else ["  none"]
    return "\n".join(lines) or NOTHING


def talk(seen: Seen) -> str:
    """The messages that one may know, each as a quoted line of JSON; of very long talk the oldest are left out."""
    lines = [f"{m['phase']}, round {m['round']}: {letter(m)}" for m in seen["messages"]]
    kept, length = 0, 0
    for line in reversed(lines):
        length += len(line) + 1
        if length > TALK_SHOWN:
            break
        kept += 1
    if not lines:
        return NOTHING
    left_out = len(lines) - kept
    older = [f"({left_out} earlier message{'s are' if left_out > 1 else ' is'} left out)"] if left_out else []
    return "\n".join(["Messages:", *older, *lines[left_out:]])


def legal(seen: Seen) -> str:
    """The legal orders of each own unit, or of each own home centre in winter."""
    own = _own(seen)
    if own is None:
        return NOTHING
    lines = [f"  {unit}: {', '.join(orders)}" for unit, orders in own.legal.items()]
    lines += [f"  {power}: {_due(count)}" for power, count in own.phase.counts.items() if power in own.powers and count]
    return "\n".join(["Your legal orders:", *lines]) if lines else NOTHING


def borders(seen: Seen) -> str:
    """Where an army and a fleet can go from each province."""
    board = read_map("standard")
    lines = [_borders("armies", board.army_borders), "", _borders("fleets", board.fleet_borders)]
    return "\n".join(lines)


def schema(seen: Seen) -> str:
    """A short JSON schema of the action, in which orders are plain texts."""
    if not seen["powers"] or seen["step"] == "over":
        return NOTHING
    if seen["step"] == "negotiate":
        return json.dumps(_speaker(seen).schema, ensure_ascii=False)
    own = _own(seen)
    units: JSON = {} if own is None else {unit: {"type": "string"} for unit in own.legal}
    what = "one order for each, in the notation of the rules; what is left out holds, is disbanded or is waived"
    orders: dict[str, JSON] = {
        "type": "object",
        "description": what,
        "properties": units,
        "additionalProperties": False,
    }
    if seen["knowledge"] == "asked" and seen["step"] == "orders":
        both: JSON = {"orders": orders, "report": report_schema()}
        orders = {"type": "object", "properties": both, "required": ["orders"], "additionalProperties": False}
    return json.dumps(orders, ensure_ascii=False)


def period(seen: Seen) -> str:
    """The year, by which forecasts sum up what is asked."""
    return str(int(seen["phase"][1:-1]))


def scene(seen: Seen) -> Drawing:
    """The board as data, with all that ``text`` says in words."""
    return map_scene(seen, text(seen))


FORMS: Final[Mapping[str, Form]] = {
    "text": text,
    "list": by_province,
    "map": map_form,
    "position": position,
    "results": results,
    "talk": talk,
    "legal-orders": legal,
    "borders": borders,
    "schema": schema,
    "period": period,
    "scene": scene,
}
"""The forms by name."""


def position_of(seen: Seen) -> Position:
    """The position that an observation shows."""
    return Position(
        phase=seen["phase"],
        units={power: tuple(units) for power, units in seen["units"].items()},
        centres={power: tuple(names) for power, names in seen["centres"].items()},
        dislodged={p: {u: tuple(places) for u, places in units.items()} for p, units in seen["dislodged"].items()},
        contested=tuple(seen["contested"]),
        win_centres=seen["win_centres"],
    )


def _own(seen: Seen) -> OwnOrders | None:
    """What the player who sees this may order; ``None`` where orders are not due, or for the spectator."""
    if not seen["powers"] or seen["step"] not in ("orders", "retreats", "adjustments"):
        return None
    return PhaseOrders(position_of(seen)).of(tuple(seen["powers"]))


def _speaker(seen: Seen) -> Speaker:
    own = seen["powers"]
    others = (p for hand in seen["hands"] for p in hand if p not in own and p not in seen["disorder"])
    return Speaker(
        powers=tuple(power for power in own if _lives(seen, power)),
        others=tuple(sorted(power for power in others if _lives(seen, power))),
        message_limit=seen["message_limit"],
        messages_per_round=seen["messages_per_round"],
    )


def _lives(seen: Seen, power: str) -> bool:
    return bool(seen["units"][power] or seen["centres"].get(power) or seen["dislodged"].get(power))


def _heading(seen: Seen) -> Iterator[str]:
    phase, step = seen["phase"], _STEPS[seen["step"]]
    when = f"{_SEASONS[phase[0]]} {int(phase[1:-1])}"
    round_ = f", round {seen['round']} of {seen['rounds']}" if seen["step"] == "negotiate" else ""
    yield f"{phase} ({when}): {step}{round_}. The last year is {seen['last_year']}; {seen['win_centres']} centres win."
    if seen["powers"]:
        yield f"You play {listed(seen['powers'])}."
    others = [hand for hand in seen["hands"] if hand != seen["powers"]]
    if others:
        yield f"{'Other players' if seen['powers'] else 'Players'}: {'; '.join(map(listed, others))}."
    if seen["neutral"]:
        yield f"Neutral: {listed(seen['neutral'])}."
    if seen["disorder"]:
        yield f"Given up: {listed(seen['disorder'])}."
    if seen["ended"]:
        winner = seen["ended"]["winner"]
        yield f"It ended: {seen['ended']['reason']}{f', {winner} wins alone' if winner else ''}."


def _powers(seen: Seen) -> Iterator[str]:
    for power, units in seen["units"].items():
        owned = seen["centres"].get(power, ())
        if not _lives(seen, power):
            yield f"{power}: eliminated"
            continue
        yield f"{power}: units {', '.join(units) or 'none'}; centres ({len(owned)}) {', '.join(owned) or 'none'}"
        here = {unit[2:5] for unit in units}
        if held := [name for name in seen["influence"].get(power, ()) if name not in here and name not in owned]:
            yield f"  was the last one in {', '.join(held)}"


def _dislodged(seen: Seen) -> Iterator[str]:
    for power, units in seen["dislodged"].items():
        for unit, places in units.items():
            yield f"Dislodged: {power} {unit}, may go to {', '.join(places) or 'nowhere'}"


def _provinces(seen: Seen, board: BoardMap) -> Iterator[str]:
    owner = {name: power for power, names in seen["centres"].items() for name in names}
    last = {name: power for power, names in seen["influence"].items() for name in names}
    there = {unit[2:5]: f"{unit} of {power}" for power, units in seen["units"].items() for unit in units}
    for name, province in board.provinces.items():
        told = [there[name]] if name in there else []
        if province.is_centre:
            told.append(f"centre of {owner[name]}" if name in owner else "centre of nobody")
        elif name in last and name not in there:
            told.append(f"{last[name]} was the last one there")
        if told:
            yield f"{name} ({province.full_name}): {', '.join(told)}"
    yield from _dislodged(seen)


def _borders(what: str, near: Mapping[str, Iterable[str]]) -> str:
    lines = [f"  {place}: {', '.join(sorted(places))}" for place, places in near.items()]
    return "\n".join([f"Where {what} can go from each place:", *lines])


def _due(count: int) -> str:
    plural = "s" if abs(count) > 1 else ""
    return f"may build {count} unit{plural}" if count > 0 else f"must disband {-count} unit{plural}"
