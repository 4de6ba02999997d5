"""Orders read for a position: one by one, with those that contradict each other found."""

from collections.abc import Iterable, Mapping

import attrs
from arena.errors import did_you_mean

from arena_game_diplomacy.rules.convoys import possible_chains
from arena_game_diplomacy.rules.notation import Order, OrderError, parse_order
from arena_game_diplomacy.rules.position import ADJUSTMENTS, MOVEMENT, RETREATS, Position, builds_left, free_homes


def read_order(text: str, position: Position, power: str) -> Order:
    """The legal order of a power that a text means in a position; what is not legal raises ``OrderError``.

    Illegal is what cannot succeed whatever anybody orders, with the units that are there (4.E.1 of DATC 3.0). The
    letter and the coast of units are those of the units that are there (4.B.5, 4.C); a missing coast of a target is
    filled in where only one is possible (4.B.1, 4.B.2), and left out where there is none (4.B.6).
    """
    return legal_order(addressed(parse_order(position.board, text), position, power), position, power)


def addressed(order: Order, position: Position, power: str) -> Order:
    """The order with the units that are really in the provinces that it names, whether it is legal or not."""
    if order.kind in ("build", "waive"):
        return order
    if position.kind == RETREATS:
        kind = "retreat" if order.kind == "move" else order.kind
        return attrs.evolve(order, unit=_dislodged(position, power, order.unit) or order.unit, kind=kind)
    unit, helped = _standing(position, order.unit), order.helped and _standing(position, order.helped)
    return order if unit == order.unit and helped == order.helped else attrs.evolve(order, unit=unit, helped=helped)


def _standing(position: Position, written: str) -> str:
    found = position.occupied.get(position.board.province_of[written[2:]])
    return written if found is None else found[1]


def _dislodged(position: Position, power: str, written: str) -> str | None:
    province_of = position.board.province_of
    province = province_of[written[2:]]
    return next((unit for unit in position.dislodged.get(power, ()) if province_of[unit[2:]] == province), None)


def legal_order(order: Order, position: Position, power: str) -> Order:
    """The order with the coasts that it leaves out; one that is addressed but not legal raises ``OrderError``."""
    if position.kind == MOVEMENT:
        return _movement(order, position, power)
    if position.kind == ADJUSTMENTS:
        return _adjustment(order, position, power)
    return _retreat(order, position, power)


def _movement(order: Order, position: Position, power: str) -> Order:
    if order.kind not in ("hold", "move", "support", "convoy"):
        raise OrderError(f"a {order.kind} cannot be ordered in {position.phase}")
    _expect_own(order.unit, position, power)
    if order.kind == "move":
        return _move(order, position)
    if order.kind == "support":
        return _support(order, position)
    if order.kind == "convoy":
        return _convoy(order, position)
    return order


def _expect_own(unit: str, position: Position, power: str) -> None:
    owner = _expect_unit(unit, position)
    if owner != power:
        raise OrderError(f"{unit} is a unit of {owner}")


def _expect_unit(unit: str, position: Position) -> str:
    province = position.board.province_of[unit[2:]]
    if province not in position.occupied:
        raise OrderError(f"there is no unit in {province}")
    return position.occupied[province][0]


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
    board, helped, target = position.board, str(order.helped), order.target
    _expect_unit(helped, position)
    if helped == order.unit:
        raise OrderError(f"{order.unit} cannot support itself")
    goal = board.province_of[helped[2:] if target is None else target]
    if goal not in board.reach[order.unit]:
        raise OrderError(f"{order.unit} does not touch {goal}")
    if target is None:
        return order
    if helped[0] == "F" and goal != target and target not in board.moves[helped]:
        raise OrderError(f"{helped} does not touch {target}")
    if not _could_go(position, helped, goal, order.unit):
        raise OrderError(f"{helped} could not go to {goal} if {order.unit} supports it")
    return attrs.evolve(order, target=goal) if helped[0] == "A" and target != goal else order


def _could_go(position: Position, unit: str, goal: str, supporter: str) -> bool:
    board = position.board
    if goal in board.reach[unit]:
        return True
    if unit[0] == "F":
        return False
    fleets = position.fleets_at_sea
    return next(possible_chains(board, unit[2:], goal, fleets, without=supporter[2:]), None) is not None


def _convoy(order: Order, position: Position) -> Order:
    board, sea, helped = position.board, order.unit[2:], str(order.helped)
    if sea not in position.fleets_at_sea:
        raise OrderError(f"{order.unit} is no fleet at sea, and only those can convoy")
    _expect_unit(helped, position)
    if helped[0] != "A":
        raise OrderError(f"only armies can be convoyed, not {helped}")
    target = board.province_of[str(order.target)]
    if not any(sea in chain for chain in possible_chains(board, helped[2:], target, position.fleets_at_sea)):
        raise OrderError(f"{order.unit} is in no chain of fleets that {helped} would need to get to {target}")
    return order if target == order.target else attrs.evolve(order, target=target)


def _retreat(order: Order, position: Position, power: str) -> Order:
    if order.kind not in ("retreat", "disband"):
        raise OrderError(f"a {order.kind} cannot be ordered in {position.phase}")
    board, unit = position.board, order.unit
    if unit not in position.dislodged.get(power, ()):
        raise OrderError(f"no unit of {power} was dislodged in {board.province_of[unit[2:]]}")
    if order.kind == "disband":
        return order
    places, target = position.dislodged[power][unit], str(order.target)
    if unit[0] == "A":
        target = board.province_of[target]
    possible = [target] if target in places else [place for place in places if board.province_of[place] == target]
    if not possible:
        raise OrderError(f"{unit} cannot retreat to {target}, only to {', '.join(places) or 'nowhere'}")
    if len(possible) > 1:
        raise OrderError(f"{unit} must say to which coast: {' or '.join(possible)}")
    return attrs.evolve(order, target=possible[0], via=False)


def _adjustment(order: Order, position: Position, power: str) -> Order:
    left = builds_left(position)[power]
    if order.kind in ("waive", "build"):
        if left <= 0:
            raise OrderError(f"{power} has nothing to build")
        return order if order.kind == "waive" else _build(order, position, power)
    if order.kind != "disband":
        raise OrderError(f"a {order.kind} cannot be ordered in {position.phase}")
    _expect_own(order.unit, position, power)
    if left >= 0:
        raise OrderError(f"{power} has nothing to disband")
    return order


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
