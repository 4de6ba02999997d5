"""Every legal order of a position, unit by unit."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from arena_game_diplomacy.rules.board import BoardMap
from arena_game_diplomacy.rules.convoys import possible_chains
from arena_game_diplomacy.rules.position import ADJUSTMENTS, MOVEMENT, Position, builds_left, free_homes

Orders = Mapping[str, Mapping[str, tuple[str, ...]]]


def legal_orders(position: Position) -> Orders:
    """Every legal order in the standard notation, by power and by unit.

    In a movement phase a power has its units as keys; in a retreat phase its dislodged units; in an adjustment phase
    the empty home centres where it may build (``"VIE"``), or the units of which it must disband some. A power that
    has nothing to order has no keys. Each unit takes one of its orders; a power may build or disband as many as
    ``builds_left`` says.
    """
    if position.kind == MOVEMENT:
        return _movement(position)
    if position.kind == ADJUSTMENTS:
        return {power: _adjustments(position, power, count) for power, count in builds_left(position).items()}
    return {power: _retreats(position.dislodged.get(power, {})) for power in position.board.powers}


def _retreats(beaten: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    return {unit: (*(f"{unit} R {place}" for place in places), f"{unit} D") for unit, places in beaten.items()}


def _adjustments(position: Position, power: str, count: int) -> dict[str, tuple[str, ...]]:
    if count < 0:
        return {unit: (f"{unit} D",) for unit in position.units[power]}
    homes = free_homes(position, power) if count else ()
    return {home: (*_builds(position, home), "WAIVE") for home in homes}


def _builds(position: Position, home: str) -> Iterator[str]:
    yield f"A {home} B"
    for coast in position.board.provinces[home].coasts:
        yield f"F {home}/{coast} B"
    if f"F {home}" in position.board.moves:
        yield f"F {home} B"


def _movement(position: Position) -> Orders:
    voyages = _voyages(position)
    supports = _supports(position, voyages)
    convoys = _convoys(position, voyages)
    found: dict[str, dict[str, tuple[str, ...]]] = {power: {} for power in position.board.powers}
    for province, (power, unit) in position.occupied.items():
        moves = sorted(position.board.moves[unit])
        found[power][unit] = (
            f"{unit} H",
            *(f"{unit} - {place}" for place in moves),
            *(f"{unit} - {target} VIA" for target in voyages.get(province, {})),
            *supports[province],
            *convoys.get(province, ()),
        )
    return found


def _voyages(position: Position) -> dict[str, dict[str, list[frozenset[str]]]]:
    """Where each army could be convoyed, by start and target, with the chains of fleets that could do it."""
    board, fleets = position.board, position.fleets_at_sea
    if not fleets:
        return {}
    coastal = sorted(name for name, province in board.provinces.items() if province.kind == "coastal")
    found: dict[str, dict[str, list[frozenset[str]]]] = {}
    for start, (_, unit) in position.occupied.items():
        if unit[0] == "A" and start in board.seas and board.seas[start] & fleets:
            ways = {target: list(possible_chains(board, start, target, fleets)) for target in coastal}
            found[start] = {target: chains for target, chains in ways.items() if chains}
    return found


def _supports(
    position: Position, voyages: Mapping[str, Mapping[str, list[frozenset[str]]]]
) -> dict[str, tuple[str, ...]]:
    board = position.board
    found: dict[str, tuple[str, ...]] = {}
    for province, (_, unit) in position.occupied.items():
        lines: list[str] = []
        for other, (_, helped) in position.occupied.items():
            if other != province:
                lines += _direct_supports(board, unit, helped)
        for other, targets in voyages.items():
            if other != province:
                lines += _supports_of_voyage(position, unit, f"A {other}", targets)
        found[province] = tuple(lines)
    return found


@cache
def _direct_supports(board: BoardMap, unit: str, helped: str) -> tuple[str, ...]:
    """The orders by which a unit supports another where it is, and in what it does without a convoy.

    A support of a fleet may name the coast to which it is to go, or leave it open.
    """
    reach = board.reach[unit]
    hold = (f"{unit} S {helped}",) if board.province_of[helped[2:]] in reach else ()
    goals = reach & board.reach[helped]
    coasts = {place for place in board.moves[helped] if board.province_of[place] in goals}
    return hold + tuple(f"{unit} S {helped} - {place}" for place in sorted(goals | coasts))


def _supports_of_voyage(
    position: Position, unit: str, helped: str, targets: Mapping[str, list[frozenset[str]]]
) -> Iterator[str]:
    """Supports of an army that comes by sea, save where it could not come without the fleet that supports it."""
    reach = position.board.reach[unit]
    direct = position.board.reach[helped]
    for goal, chains in targets.items():
        if goal in reach and goal not in direct and any(unit[2:] not in chain for chain in chains):
            yield f"{unit} S {helped} - {goal}"


def _convoys(
    position: Position, voyages: Mapping[str, Mapping[str, list[frozenset[str]]]]
) -> dict[str, tuple[str, ...]]:
    lines: dict[str, list[str]] = {}
    for start, targets in voyages.items():
        for target, chains in targets.items():
            for sea in frozenset().union(*chains):
                lines.setdefault(sea, []).append(f"F {sea} C A {start} - {target}")
    return {sea: tuple(sorted(orders)) for sea, orders in lines.items()}
