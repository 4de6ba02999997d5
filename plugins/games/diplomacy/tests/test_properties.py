"""What does not matter: the sequence of orders, and that of powers."""

from random import Random

from arena_game_diplomacy import Position, adjudicate
from hypothesis import given, settings, strategies as st

from .random_play import drawn_orders, random_game
from .small_positions import small_positions


def shuffled(orders, rng: Random, within: bool = True):
    """The same orders of the same powers in another sequence."""
    powers = rng.sample(sorted(orders), len(orders))
    return {power: rng.sample(orders[power], len(orders[power])) if within else orders[power] for power in powers}


def told(result) -> dict[str, dict[str, object]]:
    """What became of each order, by its text."""
    return {power: {one.order: one for one in results} for power, results in result.orders.items()}


def assert_same(position: Position, orders, other) -> None:
    """Two sequences of the same orders come to the same."""
    one, two = adjudicate(position, orders), adjudicate(position, other)
    assert told(one) == told(two)
    assert (one.units, one.dislodged, one.contested, one.next) == (two.units, two.dislodged, two.contested, two.next)


@given(st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_sequence_of_orders_and_powers_changes_nothing(seed):
    """In small positions with circles and paradoxes, where a solution by steps could depend on where it begins."""
    rng = Random(seed)
    position, orders = next(small_positions(rng))

    assert_same(position, orders, shuffled(orders, rng))
    following = adjudicate(position, orders).next
    if following is not None and following.kind == "R":
        retreats = drawn_orders(following, rng)
        assert_same(following, retreats, shuffled(retreats, rng))


def test_sequence_changes_nothing_in_whole_games():
    """In movement and retreats no sequence counts; of builds too many the first count, so only powers change place."""
    rng = Random(18)
    for seed in range(4):
        for position, orders, _ in random_game(seed, 1906):
            assert_same(position, orders, shuffled(orders, rng, within=position.kind != "A"))


def test_contradicting_orders_are_void_in_every_sequence():
    """Two different orders for one unit count for nothing, wherever they stand; the same order twice is one."""
    position = Position.from_json({"phase": "S1901M", "units": {"FRANCE": ["A PAR", "A MAR"]}})
    rng = Random(3)
    orders = {"FRANCE": ["A PAR - BUR", "A PAR - PIC", "A MAR - GAS", "a mar-gas", "A PAR - BUR"]}

    for _ in range(10):
        result = adjudicate(position, shuffled(orders, rng))
        assert {one.result for one in result.orders["FRANCE"] if one.order.startswith("A PAR")} == {"void"}
        assert {one.result for one in result.orders["FRANCE"] if one.order == "A MAR - GAS"} == {"ok"}
        assert result.units["FRANCE"] == ("A GAS", "A PAR")
