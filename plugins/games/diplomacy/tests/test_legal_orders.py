"""Legal orders are exactly those that are accepted."""

from collections import Counter
from itertools import chain, combinations
from random import Random

import pytest
from arena_game_diplomacy import STANDARD, OrderError, Position, adjudicate, legal_orders, read_order
from arena_game_diplomacy.rules.convoys import chains, is_connected

from .random_play import crowded_position, random_game
from .small_positions import small_positions

PLACES = sorted(STANDARD.province_of)


def possible_texts(position: Position, unit: str) -> list[str]:
    """Every order in the notation that somebody could think of for a unit, with any place in it."""
    others = [other for units in position.units.values() for other in units]
    return [
        f"{unit} H",
        *(f"{unit} - {place}{via}" for place in PLACES for via in ("", " VIA")),
        *(f"{unit} S {other}" for other in others),
        *(f"{unit} S {other} - {place}" for other in others for place in PLACES),
        *(f"{unit} C {other} - {place}" for other in others for place in PLACES),
        f"{unit} R {unit[2:]}",
        f"{unit} D",
        f"{unit} B",
    ]


def accepted(position: Position, power: str, texts: list[str]) -> set[str]:
    """The standard notation of those of the orders that are not illegal, each given alone."""
    found: set[str] = set()
    for text in texts:
        try:
            found.add(str(read_order(text, position, power)))
        except OrderError:
            continue
    return found


@pytest.mark.sample(fast=1, slow=0)
@pytest.mark.parametrize(
    "seed", [each if each % 4 == 0 else pytest.param(each, marks=pytest.mark.slow) for each in range(10)]
)
def test_every_legal_order_is_accepted_and_no_other(seed):
    """What can be written and is accepted has its standard notation among the legal orders, and these are all."""
    position = crowded_position(Random(seed), 4 + 2 * seed)

    for power, units in legal_orders(position).items():
        for unit, legal in units.items():
            assert len(legal) == len(set(legal))
            assert accepted(position, power, possible_texts(position, unit)) == set(legal), unit


def test_adjudication_calls_the_same_orders_illegal():
    """An order is illegal in a result just where it is not among the legal ones."""
    rng = Random(1)
    position = crowded_position(rng, 14)
    legal = legal_orders(position)
    for power, units in position.units.items():
        for unit in units:
            for text in rng.sample(possible_texts(position, unit), 60):
                (one,) = adjudicate(position, {power: [text]}).orders[power]
                assert (one.result != "illegal") == (one.order in legal[power][unit]), text


@pytest.mark.campaign
def test_retreats_and_adjustments_that_are_legal_are_accepted_and_no_other():
    """In the other phases too; a build or a waive stands under the home where it is built."""
    positions = [position for seed in range(6) for position, _, _ in random_game(seed, 1904)]
    for (before, orders), _ in zip(small_positions(Random(6)), range(300), strict=False):
        following = adjudicate(before, orders).next
        assert following is not None
        positions.append(following)
    kinds = Counter(position.kind for position in positions)
    assert min(kinds["R"], kinds["A"]) >= 20
    for position in positions:
        if position.kind == "M":
            continue
        for power, units in legal_orders(position).items():
            texts = [f"{letter} {place} {verb}" for letter in "AF" for place in PLACES for verb in "BD"]
            for unit in position.dislodged.get(power, ()):
                texts += [f"{unit} R {place}" for place in PLACES] + [f"{unit} H", f"{unit} - {unit[2:]}"]
            legal = {text for orders in units.values() for text in orders}
            assert accepted(position, power, [*texts, "WAIVE"]) == legal


def test_a_fleet_may_convoy_where_it_can_be_needed():
    """A fleet may convoy if it is in a set of fleets that connects start and target and from which none can go."""
    rng = Random(5)
    seas = sorted(name for name, province in STANDARD.provinces.items() if province.kind == "sea")
    coastal = sorted(name for name, province in STANDARD.provinces.items() if province.kind == "coastal")
    for _ in range(40):
        fleets = rng.sample(seas, 8)
        start, target = rng.sample(coastal, 2)
        subsets = chain.from_iterable(combinations(fleets, size) for size in range(1, len(fleets) + 1))
        connecting = [frozenset(s) for s in subsets if is_connected(STANDARD, start, target, frozenset(s))]
        smallest = {s for s in connecting if not any(other < s for other in connecting)}

        assert {s for s in chains(STANDARD, start, target) if s <= set(fleets)} == smallest
