"""Orders read for a position: who is meant, on which coast, and whether it may be ordered at all."""

import attrs

from arena_game_diplomacy.convoys import possible_chains
from arena_game_diplomacy.notation import Order, OrderError, parse_order
from arena_game_diplomacy.position import ADJUSTMENTS, MOVEMENT, Position
from arena_game_diplomacy.surplus import builds_left, free_homes


def read_order(text: str, position: Position, power: str) -> Order:
    """The legal order of a power that a text means in a position; what is not legal raises ``OrderError``.

    Illegal is what cannot succeed whatever anybody orders, with the units that are there (issue 4.E.1 of DATC 3.0). The
    letter and the coast of units are those of the units that are there (4.B.5, 4.C); a missing coast of a target is
    filled in where only one is possible (4.B.1, 4.B.2), and left out where there is none (4.B.6).
    """
    order = parse_order(position.board, text)
    if position.kind == MOVEMENT:
        return _movement(order, position, power)
    if position.kind == ADJUSTMENTS:
        return _adjustment(order, position, power)
    return _retreat(order, position, power)


def _movement(order: Order, position: Position, power: str) -> Order:
    if order.kind not in ("hold", "move", "support", "convoy"):
        raise OrderError(f"a {order.kind} cannot be ordered in {position.phase}")
    owner, unit = _unit_at(position, order.unit)
    if owner != power:
        raise OrderError(f"{unit} is a unit of {owner}")
    if order.unit != unit:
        order = attrs.evolve(order, unit=unit)
    if order.kind == "move":
        return _move(order, position)
    if order.kind == "support":
        return _support(order, position)
    if order.kind == "convoy":
        return _convoy(order, position)
    return order


def _unit_at(position: Position, written: str) -> tuple[str, str]:
    province = position.board.province_of[written[2:]]
    found = position.occupied.get(province)
    if found is None:
        raise OrderError(f"there is no unit in {province}")
    return found


def _move(order: Order, position: Position) -> Order:
    board, target = position.board, str(order.target)
    if order.unit[0] == "F":
        if order.via:
            raise OrderError("only armies can be convoyed")
        place = _fleet_target(position, order.unit, target)
        return order if place == target else attrs.evolve(order, target=place)
    start, target = order.unit[2:], board.province_of[target]
    direct = target in board.moves[order.unit]
    via = order.via or not direct
    if via and next(possible_chains(board, start, target, position.fleets_at_sea), None) is None:
        if direct:
            raise OrderError(f"no fleets could convoy {order.unit} to {target}")
        raise OrderError(f"{order.unit} does not touch {target}, and no fleets could convoy it there")
    if order.via == via and order.target == target:
        return order
    return attrs.evolve(order, target=target, via=via)


def _fleet_target(position: Position, unit: str, target: str) -> str:
    """The place where a fleet ends that is ordered to this place, which may lack its coast."""
    board = position.board
    if target in board.moves[unit]:
        return target
    possible = [place for place in board.moves[unit] if board.province_of[place] == target]
    if len(possible) == 1:
        return possible[0]
    if possible:
        raise OrderError(f"{unit} must say to which coast: {' or '.join(sorted(possible))}")
    raise OrderError(f"{unit} does not touch {target}")


def _support(order: Order, position: Position) -> Order:
    board = position.board
    _, helped = _unit_at(position, str(order.helped))
    if helped == order.unit:
        raise OrderError(f"{order.unit} cannot support itself")
    target = order.target
    if target is None:
        goal = board.province_of[helped[2:]]
    else:
        goal = board.province_of[target]
        if helped[0] == "A" or target in board.moves[helped]:
            target = goal if helped[0] == "A" else target
        elif goal != target:
            raise OrderError(f"{helped} does not touch {target}")
        if not _could_go(position, helped, goal, order.unit):
            raise OrderError(f"{helped} could not go to {goal} if {order.unit} supports it")
    if goal not in board.reach[order.unit]:
        raise OrderError(f"{order.unit} does not touch {goal}")
    if helped == order.helped and target == order.target:
        return order
    return attrs.evolve(order, helped=helped, target=target)


def _could_go(position: Position, unit: str, goal: str, supporter: str) -> bool:
    board = position.board
    if goal in board.reach[unit]:
        return True
    if unit[0] == "F":
        return False
    fleets = position.fleets_at_sea
    return next(possible_chains(board, unit[2:], goal, fleets, without=supporter[2:]), None) is not None


def _convoy(order: Order, position: Position) -> Order:
    board = position.board
    sea = order.unit[2:]
    if sea not in position.fleets_at_sea:
        raise OrderError(f"{order.unit} is no fleet at sea, and only those can convoy")
    _, helped = _unit_at(position, str(order.helped))
    if helped[0] != "A":
        raise OrderError(f"only armies can be convoyed, not {helped}")
    target = board.province_of[str(order.target)]
    if not any(sea in chain for chain in possible_chains(board, helped[2:], target, position.fleets_at_sea)):
        raise OrderError(f"{order.unit} is in no chain of fleets that {helped} would need to get to {target}")
    if helped == order.helped and target == order.target:
        return order
    return attrs.evolve(order, helped=helped, target=target)


def _retreat(order: Order, position: Position, power: str) -> Order:
    if order.kind not in ("move", "retreat", "disband"):
        raise OrderError(f"a {order.kind} cannot be ordered in {position.phase}")
    board = position.board
    province = board.province_of[order.unit[2:]]
    units = [unit for unit in position.dislodged.get(power, ()) if board.province_of[unit[2:]] == province]
    if not units:
        raise OrderError(f"no unit of {power} was dislodged in {province}")
    unit = units[0]
    if order.kind == "disband":
        return Order(unit, "disband")
    places, target = position.dislodged[power][unit], str(order.target)
    if unit[0] == "A":
        target = board.province_of[target]
    possible = [target] if target in places else [place for place in places if board.province_of[place] == target]
    if not possible:
        raise OrderError(f"{unit} cannot retreat to {target}, only to {', '.join(places) or 'nowhere'}")
    if len(possible) > 1:
        raise OrderError(f"{unit} must say to which coast: {' or '.join(sorted(possible))}")
    return Order(unit, "retreat", possible[0])


def _adjustment(order: Order, position: Position, power: str) -> Order:
    left = builds_left(position).get(power, 0)
    if order.kind == "waive" or order.kind == "build":
        if left <= 0:
            raise OrderError(f"{power} has nothing to build")
        return order if order.kind == "waive" else _build(order, position, power)
    if order.kind != "disband":
        raise OrderError(f"a {order.kind} cannot be ordered in {position.phase}")
    owner, unit = _unit_at(position, order.unit)
    if owner != power:
        raise OrderError(f"{unit} is a unit of {owner}")
    if left >= 0:
        raise OrderError(f"{power} has nothing to disband")
    return Order(unit, "disband")


def _build(order: Order, position: Position, power: str) -> Order:
    board = position.board
    letter, place = order.unit[0], order.unit[2:]
    home = board.provinces[board.province_of[place]]
    if home.name not in free_homes(position, power):
        raise OrderError(f"{home.name} is no empty home centre that {power} holds")
    if letter == "A":
        return Order(f"A {home.name}", "build")
    if order.unit not in board.moves:
        if home.coasts:
            raise OrderError(f"a fleet in {home.name} needs its coast: {' or '.join(home.coasts)}")
        raise OrderError(f"a fleet cannot be built in {home.name} ({home.kind})")
    return order
