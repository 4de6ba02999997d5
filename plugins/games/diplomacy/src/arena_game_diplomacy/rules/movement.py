"""Movement: legal orders are matched with each other, and what comes of them is solved all at once."""

from collections.abc import Iterable, Mapping

from arena_game_diplomacy.rules.battle import Battle, Convoy, Move, Support
from arena_game_diplomacy.rules.notation import Order
from arena_game_diplomacy.rules.outcome import MovementOutcome
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.rules.reading import chosen_orders, read_given
from arena_game_diplomacy.rules.results import Result
from arena_game_diplomacy.rules.seasons import finished


def adjudicate_movement(position: Position, orders: Mapping[str, Iterable[str]]) -> Result:
    """What comes of a movement phase; units without an order hold."""
    given = read_given(position, orders)
    chosen = chosen_orders(given)
    battle = _battle(position, chosen)
    battle.solve()
    outcome = MovementOutcome(position, chosen, battle)
    results = {power: tuple(outcome.result(one) for one in orders) for power, orders in given.items()}
    return finished(position, results, outcome.units(), outcome.dislodged(), outcome.contested)


def _battle(position: Position, chosen: Mapping[str, Order | None]) -> Battle:
    province_of = position.board.province_of
    powers = {province: power for province, (power, _) in position.occupied.items()}
    # In the sequence of the units and not of the orders, so that reasons too are the same for every sequence.
    ordered = {
        place: order for place, (_, unit) in position.occupied.items() if (order := chosen.get(unit)) is not None
    }
    convoying = _convoying(ordered)
    moves = {
        province: _move(province, order, powers, convoying, province_of)
        for province, order in ordered.items()
        if order.kind == "move"
    }
    supports: dict[str, Support] = {}
    holding: dict[str, list[Support]] = {}
    for province, order in ordered.items():
        if order.kind == "support":
            helped = province_of[str(order.helped)[2:]]
            move = moves.get(helped)
            if order.target is None and move is None:
                supports[province] = Support(powers[province], province, helped)
                holding.setdefault(helped, []).append(supports[province])
            elif move is not None and order.target in (move.place, move.target):
                supports[province] = Support(powers[province], province, move.target)
                move.supporters.append(supports[province])
    convoys = {province: Convoy(province) for fleets in convoying.values() for province in fleets}
    return Battle(position.board, powers, moves, supports, convoys, holding)


def _convoying(ordered: Mapping[str, Order]) -> dict[tuple[str, str], set[str]]:
    """The fleets that convoy what is ordered to move, by start and target."""
    found: dict[tuple[str, str], set[str]] = {}
    for province, order in ordered.items():
        if order.kind == "convoy":
            start, target = str(order.helped)[2:], str(order.target)
            army = ordered.get(start)
            if army is not None and army.kind == "move" and army.target == target:
                found.setdefault((start, target), set()).add(province)
    return found


def _move(
    province: str,
    order: Order,
    powers: Mapping[str, str],
    convoying: Mapping[tuple[str, str], set[str]],
    province_of: Mapping[str, str],
) -> Move:
    """A move, by convoy if the order says so or a fleet of its own power convoys it (4.A.3 of DATC 3.0)."""
    place = str(order.target)
    target = province_of[place]
    fleets = convoying.get((province, target), set())
    by_convoy = order.via or any(powers[fleet] == powers[province] for fleet in fleets)
    return Move(powers[province], province, target, place, by_convoy, fleets=frozenset(fleets))
