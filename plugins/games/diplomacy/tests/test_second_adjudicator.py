"""Two adjudicators that share only the map: one is fast, the other tries every outcome."""

from collections import Counter
from random import Random

import pytest
from arena_game_diplomacy import adjudicate

from .simple_adjudicator import Phase
from .small_positions import small_positions


def compared(count: int, seed: int) -> Counter[str]:
    """Compare so many positions; returns how many hold what is rare in positions that nobody planted."""
    seen: Counter[str] = Counter()
    for (position, orders), _ in zip(small_positions(Random(seed)), range(count), strict=False):
        phase = Phase(orders)
        outcomes = phase.outcomes()
        settled = phase.settled()

        result = adjudicate(position, orders)

        assert {power: list(units) for power, units in result.units.items() if units} == settled.units(), orders
        assert {p: [one.result for one in told] for p, told in result.orders.items()} == settled.results(), orders
        seen["convoy under attack"] += phase.under_attack()
        seen["several outcomes"] += len(outcomes) > 1
        seen["no outcome"] += not outcomes
        seen["convoys fail by paradox"] += bool(settled.failing)
    return seen


@pytest.mark.campaign
def test_adjudicators_agree_on_500_positions():
    """Units and the word for each order are the same, in paradoxes too."""
    seen = compared(500, seed=18)

    assert seen["convoy under attack"] >= 100
    assert seen["several outcomes"] >= 50
    assert seen["no outcome"] >= 5


@pytest.mark.campaign
def test_adjudicators_agree_on_5000_positions():
    """The same on ten times as many: 30 s of trying 256 outcomes each."""
    seen = compared(5000, seed=1901)

    assert seen["convoy under attack"] >= 1000
    assert seen["several outcomes"] >= 500
    assert seen["no outcome"] >= 50
    assert seen["convoys fail by paradox"] >= 500
