"""Every legal order of a position, unit by unit."""

from collections.abc import Iterable, Iterator, Mapping

from arena_game_diplomacy.convoys import possible_chains
from arena_game_diplomacy.position import ADJUSTMENTS, MOVEMENT, Position
from arena_game_diplomacy.surplus import builds_left, free_homes

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
        reach = board.reach[unit]
        for other, (_, helped) in position.occupied.items():
            if other == province:
                continue
            if other in reach:
                lines.append(f"{unit} S {helped}")
            goals = reach & board.reach[helped]
            lines.extend(f"{unit} S {helped} - {goal}" for goal in sorted(goals))
            coasts = (place for place in sorted(board.moves[helped]) if "/" in place and helped[0] == "F")
            lines.extend(f"{unit} S {helped} - {place}" for place in coasts if board.province_of[place] in goals)
            for goal, chains in voyages.get(other, {}).items():
                if goal in reach and goal not in goals and any(province not in chain for chain in chains):
                    lines.append(f"{unit} S {helped} - {goal}")
        found[province] = tuple(lines)
    return found


def _convoys(
    position: Position, voyages: Mapping[str, Mapping[str, list[frozenset[str]]]]
) -> dict[str, tuple[str, ...]]:
    lines: dict[str, list[str]] = {}
    for start, targets in voyages.items():
        for target, chains in targets.items():
            for sea in frozenset().union(*chains):
                lines.setdefault(sea, []).append(f"F {sea} C A {start} - {target}")
    return {sea: tuple(sorted(orders)) for sea, orders in lines.items()}
