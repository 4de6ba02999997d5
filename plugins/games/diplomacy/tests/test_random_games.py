"""Games of random orders: they end, lose no rule on the way, and replay to the same record."""

import json
import os
from collections import Counter

import pytest
from arena_game_diplomacy import Position, Result, adjudicate

from .random_play import random_game

SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "1901"))


def letters(units) -> Counter[tuple[str, str]]:
    """How many armies and fleets each power has."""
    return Counter((power, unit[0]) for power, names in units.items() for unit in names)


def check_phase(position: Position, orders, result: Result) -> None:
    """Check what holds after every phase, whatever was ordered."""
    province_of = position.board.province_of
    standing = [province_of[unit[2:]] for units in result.units.values() for unit in units]
    assert len(standing) == len(set(standing)), "two units in a province"
    before, after = letters(position.units), letters(result.units)
    before += letters(position.dislodged)
    after += letters(result.dislodged)
    if position.kind != "A":
        assert after <= before, "a unit appeared"
    if position.kind == "M":
        assert after == before, "a unit was lost"
    assert {p: len(told) for p, told in result.orders.items()} == {p: len(texts) for p, texts in orders.items()}
    assert all(one.result != "illegal" for told in result.orders.values() for one in told), orders
    assert sum(map(len, result.centres.values())) <= 34
    if position.phase[0] == "S":
        assert result.centres == position.centres, "centres changed hands in spring"
    record = json.loads(json.dumps(position.to_json()))
    again = adjudicate(Position.from_json(record), orders)
    assert Position.from_json(record) == position
    assert json.dumps(again.to_json()) == json.dumps(result.to_json())


def check_games(count: int, last_year: int, seed: int = 0) -> Counter[str]:
    """Play so many games; returns how many phases of each kind there were."""
    kinds: Counter[str] = Counter()
    for number in range(seed, seed + count):
        phases = list(random_game(number, last_year))
        for position, orders, result in phases:
            check_phase(position, orders, result)
            kinds[position.kind] += 1
        last = phases[-1][2]
        assert last.winner is not None or (last.next is not None and last.next.year == last_year + 1)
    return kinds


@pytest.mark.campaign
def test_20_games_to_1905_end_and_replay():
    """Movement, retreats and adjustments all occur, and after each the units and centres are in order."""
    kinds = check_games(20, 1905)

    assert kinds["M"] == 200
    assert kinds["R"] > 0
    assert kinds["A"] > 50


@pytest.mark.campaign
def test_200_games_to_1912_end_and_replay():
    """The same for longer games."""
    kinds = check_games(200, 1912, seed=1000)

    assert kinds["M"] > 4000
    assert kinds["R"] > 100


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_2000_games_to_1912_end_and_replay():
    """The same for ten times as many, whose seeds change with the campaign."""
    assert check_games(2000, 1912, seed=SEED * 10_000)["M"] > 40_000
