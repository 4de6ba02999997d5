"""The adjudication of a phase: a pure function of a position and its orders; retreats and adjustments."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from arena_game_diplomacy.rules.movement import adjudicate_movement
from arena_game_diplomacy.rules.notation import Order
from arena_game_diplomacy.rules.position import ADJUSTMENTS, MOVEMENT, Position, builds_left
from arena_game_diplomacy.rules.reading import GivenOrder, chosen_orders, read_given
from arena_game_diplomacy.rules.results import OrderResult, Result
from arena_game_diplomacy.rules.seasons import finished


def adjudicate_retreats(position: Position, orders: Mapping[str, Iterable[str]]) -> Result:
    """Retreat dislodged units; those that go to the same province, or are told nothing, are disbanded."""
    given = read_given(position, orders)
    chosen = chosen_orders(given)
    province_of = position.board.province_of
    wanted = Counter(province_of[str(o.target)] for o in chosen.values() if o is not None and o.kind == "retreat")
    crowded = {province for province, count in wanted.items() if count > 1}
    units = dict(position.units)
    for power, beaten in position.dislodged.items():
        for unit in beaten:
            order = chosen.get(unit)
            if order is not None and order.kind == "retreat" and province_of[str(order.target)] not in crowded:
                units[power] = (*units[power], f"{unit[0]} {order.target}")
    results = {
        power: tuple(_result(one, chosen, province_of, crowded) for one in orders) for power, orders in given.items()
    }
    return finished(position, results, units)


def _result(
    one: GivenOrder, chosen: Mapping[str, Order | None], province_of: Mapping[str, str], crowded: set[str]
) -> OrderResult:
    if one.order is None:
        return OrderResult(one.text, "illegal", reason=one.reason)
    if chosen[one.order.unit] is None:
        return OrderResult(one.text, "void", reason=f"{one.order.unit} was given two different orders")
    if one.order.kind == "retreat" and province_of[str(one.order.target)] in crowded:
        return OrderResult(one.text, "bounced", reason=f"another unit retreats to {one.order.target} too")
    return OrderResult(one.text, "ok")


def adjudicate_adjustments(position: Position, orders: Mapping[str, Iterable[str]]) -> Result:
    """Build and disband: of orders too many the first legal ones count (4.D.4 to 4.D.6 of DATC 3.0)."""
    given = read_given(position, orders)
    left = builds_left(position)
    units: dict[str, tuple[str, ...]] = {}
    results: dict[str, tuple[OrderResult, ...]] = {power: _illegal(given[power]) for power in given}
    for power, standing in position.units.items():
        count = left[power]
        if count < 0:
            gone, told = _disband(given.get(power, ()), -count)
            staying = tuple(unit for unit in standing if unit not in gone)
            gone |= set(disbanded_in_disorder(position, power, staying, -count - len(gone)))
            units[power] = tuple(unit for unit in standing if unit not in gone)
        else:
            built, told = _build(position, given.get(power, ()), count)
            units[power] = standing + built
        if power in given:
            results[power] = told
    return finished(position, results, units)


def _illegal(given: Iterable[GivenOrder]) -> tuple[OrderResult, ...]:
    return tuple(OrderResult(one.text, "illegal", reason=one.reason) for one in given)


def _disband(given: Iterable[GivenOrder], count: int) -> tuple[set[str], tuple[OrderResult, ...]]:
    gone: set[str] = set()
    told: list[OrderResult] = []
    for one in given:
        if one.order is None:
            told.append(OrderResult(one.text, "illegal", reason=one.reason))
        elif one.order.unit in gone:
            told.append(OrderResult(one.text, "void", reason=f"{one.order.unit} is disbanded already"))
        elif len(gone) == count:
            told.append(OrderResult(one.text, "void", reason=f"only {count} must be disbanded"))
        else:
            gone.add(one.order.unit)
            told.append(OrderResult(one.text, "ok"))
    return gone, tuple(told)


def _build(
    position: Position, given: Sequence[GivenOrder], count: int
) -> tuple[tuple[str, ...], tuple[OrderResult, ...]]:
    built: dict[str, str] = {}
    waived = 0
    told: dict[int, OrderResult] = {}
    for index, one in enumerate(given):
        if one.order is None:
            told[index] = OrderResult(one.text, "illegal", reason=one.reason)
        elif one.order.kind == "build":
            home = position.board.province_of[one.order.unit[2:]]
            if home in built:
                told[index] = OrderResult(one.text, "void", reason=f"a unit is built in {home} already")
            elif len(built) == count:
                told[index] = OrderResult(one.text, "void", reason=f"only {count} may be built")
            else:
                built[home] = one.order.unit
                told[index] = OrderResult(one.text, "ok")
    for index, one in enumerate(given):
        if index not in told:
            waived += 1
            is_left = len(built) + waived <= count
            reason = "" if is_left else "no build is left to be waived"
            told[index] = OrderResult(one.text, "ok" if is_left else "void", reason=reason)
    return tuple(built.values()), tuple(told[index] for index in range(len(given)))


def disbanded_in_disorder(position: Position, power: str, units: Iterable[str], count: int) -> tuple[str, ...]:
    """The units that go where a power does not say which.

    Those farthest from their nearest centre of this power go first; of equals fleets go before armies, then the one
    whose province comes first in the alphabet (4.D.8 of DATC 3.0).
    """
    board = position.board
    owned = (position.centres or {}).get(power, ())

    def rank(unit: str) -> tuple[int, bool, str]:
        province = board.province_of[unit[2:]]
        near = min((board.distances[province][centre] for centre in owned), default=0)
        return -near, unit[0] == "A", board.provinces[province].full_name

    return tuple(sorted(units, key=rank)[:count])


def adjudicate(position: Position, orders: Mapping[str, Sequence[str]]) -> Result:
    """Say what comes of the orders of each power in a position.

    Orders are texts in any of the notations that ``read_order`` reads. Their sequence changes nothing, save that of
    builds or disbands too many the first ones count. A unit without an order holds, a dislodged one disbands, and what
    must be disbanded and is not goes by civil disorder. Nothing in the orders raises: what is illegal or cannot be read
    is a result with a reason.
    """
    given: Mapping[str, Iterable[str]] = {power: tuple(texts) for power, texts in orders.items()}
    if position.kind == MOVEMENT:
        return adjudicate_movement(position, given)
    if position.kind == ADJUSTMENTS:
        return adjudicate_adjustments(position, given)
    return adjudicate_retreats(position, given)
