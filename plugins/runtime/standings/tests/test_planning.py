"""The power of planned designs: how often a better agent will be told apart."""

from itertools import combinations

import pytest
from arena_standings import GameKind, PlannedMatch, power_of

from .played import DEALT, PAID, WITHOUT_CHANCE

NEAR = 0.06
"""Two and a half Monte Carlo errors of 400 runs."""


def round_robin(count: int, repeats: int) -> list[PlannedMatch]:
    """Every two agents, so many repeats, each from both seats."""
    names = [f"a{i}" for i in range(count)]
    return [
        PlannedMatch("g", f"g/{a}-{b}/{repeat}", agents)
        for a, b in combinations(names, 2)
        for repeat in range(repeats)
        for agents in ((a, b), (b, a))
    ]


@pytest.mark.parametrize(
    ("count", "repeats", "games", "strong", "slight"),
    [
        (2, 5, WITHOUT_CHANCE, 0.24, 0.05),
        (2, 10, WITHOUT_CHANCE, 0.62, 0.13),
        (2, 10, DEALT, 0.36, 0.04),
        (2, 20, DEALT, 0.83, 0.15),
        (2, 10, PAID, 0.36, 0.04),
        (7, 10, DEALT, 0.90, 0.09),
    ],
)
def test_power_of_known_designs(count: int, repeats: int, games: dict[str, GameKind], strong: float, slight: float):
    """A true 75:25 and a true 60:40 pair are told apart as often as known of such designs."""
    found = power_of(round_robin(count, repeats), games)

    assert [each.share for each in found] == pytest.approx([strong, slight], abs=NEAR)
    assert all(each.can_decide and each.runs == 400 for each in found)


def test_few_results_can_never_decide():
    """With five clusters or fewer nobody is ever told apart, however great the difference."""
    (found,) = power_of(round_robin(2, 5), DEALT, truths=(0.99,))

    assert (found.share, found.can_decide, found.clusters) == (0.0, False, 5)


def test_large_designs_have_fewer_runs():
    """Of a large design fewer runs are simulated, and it says how many."""
    (found,) = power_of(round_robin(12, 10), DEALT, truths=(0.75,))

    assert 40 <= found.runs < 400
    assert found.share > 0.95


@pytest.mark.parametrize(
    "planned", [[], [PlannedMatch("g", "g/0", ("a", "a"))], [PlannedMatch("g", "g/0", ("a",))]], ids=str
)
def test_nobody_to_compare(planned: list[PlannedMatch]):
    """Where no two agents meet there is no power."""
    assert power_of(planned, DEALT) == ()


def test_same_numbers_each_time():
    """The seed is fixed: the same design has the same power."""
    design = round_robin(3, 4)

    assert power_of(design, DEALT) == power_of(design, DEALT)
