"""Random play: every order drawn is legal, and enough of them help a move."""

from collections import Counter
from collections.abc import Iterator, Mapping
from random import Random

import pytest
from arena_game_diplomacy import POWERS, Position, adjudicate, legal_orders
from arena_game_diplomacy.match.pacts import read
from arena_game_diplomacy.match.sampling import sample_orders, sample_talk
from arena_game_diplomacy.rules.notation import Order, parse_order
from arena_game_diplomacy.rules.position import builds_left


def phases(seed: int, last_year: int) -> Iterator[tuple[Position, Mapping[str, Mapping[str, str]]]]:
    """The positions of a random match with what each power orders in it."""
    position: Position | None = Position.opening()
    rng = Random(seed)
    while position is not None and position.year <= last_year:
        orders = {power: sample_orders(position, [power], rng) for power in POWERS}
        yield position, orders
        given = {power: [order for order in by_unit.values() if order != "WAIVE"] for power, by_unit in orders.items()}
        position = adjudicate(position, given).next


def helps(order: Order, moves: set[tuple[str, str]]) -> bool:
    """Whether an order supports or convoys one of these moves, of units without coasts to provinces."""
    return order.helped is not None and order.target is not None and (order.helped[:5], order.target[:3]) in moves


def test_a_third_of_the_orders_help_a_move():
    """Of all orders of movement phases, in each of the first years, at least a third fit a move that is ordered."""
    fitting, given = Counter[int](), Counter[int]()
    for seed in range(5):
        for position, orders in phases(seed, 1903):
            if position.kind == "M":
                read_orders = [
                    parse_order(position.board, text) for units in orders.values() for text in units.values()
                ]
                moves = {(o.unit[:5], o.target[:3]) for o in read_orders if o.kind == "move" and o.target}
                given[position.year] += len(read_orders)
                fitting[position.year] += sum(helps(order, moves) for order in read_orders)

    assert {year: fitting[year] / given[year] >= 1 / 3 for year in given} == {1901: True, 1902: True, 1903: True}


def test_all_that_is_drawn_is_legal_and_complete():
    """Each unit gets one of its orders; as many are built or disbanded as may or must be, and no more."""
    kinds = Counter[str]()
    for position, orders in phases(3, 1906):
        legal, due = legal_orders(position), builds_left(position) if position.kind == "A" else {}
        kinds[position.kind] += 1
        for power in POWERS:
            given = orders[power]
            assert all(order in legal[power][unit] for unit, order in given.items())
            if due.get(power, 0) < 0:
                assert len(given) == -due[power]
            else:
                assert given.keys() == legal.get(power, {}).keys()
                assert sum(order != "WAIVE" for order in given.values()) <= due.get(power, len(given))

    assert kinds["M"] == 12
    assert kinds["A"] > 2
    assert kinds["R"] > 0


def test_convoys_that_are_drawn_reach_their_target():
    """The fleets of one power carry its army all the way, and the army is ordered to go."""
    position = Position.from_json({"phase": "S1901M", "units": {"ENGLAND": ["A LON", "F ENG", "F MAO"]}})
    drawn = [sample_orders(position, ["ENGLAND"], Random(seed)) for seed in range(300)]

    far = [orders for orders in drawn if orders["F MAO"].startswith("F MAO C A LON - ")]
    carried = [o for o in far if o["F ENG"] == o["F MAO"].replace("MAO", "ENG") and o["A LON"].endswith(" VIA")]

    assert len(carried) > 10
    assert len(far) - len(carried) < len(far) / 4


@pytest.mark.campaign
def test_every_legal_order_can_be_drawn():
    """Nothing that a unit may do is left out for good."""
    position = Position.from_json({"phase": "F1901M", "units": {"ENGLAND": ["A LON", "F NTH"], "FRANCE": ["F ENG"]}})
    legal, rng = legal_orders(position), Random(0)

    drawn = {order for _ in range(12_000) for order in sample_orders(position, ["ENGLAND"], rng, legal).values()}

    assert drawn == {order for orders in legal["ENGLAND"].values() for order in orders}


def test_the_same_seed_draws_the_same():
    """Draws depend on the position and the random stream alone, whoever has found the legal orders."""
    position = Position.opening()

    assert sample_orders(position, POWERS, Random(7)) == sample_orders(
        position, POWERS, Random(7), legal_orders(position)
    )
    assert sample_orders(position, POWERS, Random(7)) != sample_orders(position, POWERS, Random(8))


@pytest.mark.parametrize("others", [(), ("ITALY", "TURKEY")])
def test_random_talk_is_short(others: tuple[str, ...]):
    """Most rounds pass in silence, and a message is one sentence about peace to one power or to all."""
    said = [sample_talk(["FRANCE"], others, "S1902M", 100, Random(seed)) for seed in range(200)]

    messages = [message for talk in said for message in talk]
    assert all(len(talk) <= 1 for talk in said)
    assert (10 < len(messages) < 100) is bool(others)
    assert all(read(str(message["text"])) and len(str(message["text"])) < 60 for message in messages)
    assert {name for message in messages for name in message["to"]} == ({*others, "GLOBAL"} if others else set())


def test_random_talk_keeps_to_the_limit():
    """However short messages must be, something can be said."""
    said = [sample_talk(["FRANCE"], ["ITALY"], "S1902M", 1, Random(seed)) for seed in range(50)]

    assert {message["text"] for talk in said for message in talk} == {"L", "I"}
