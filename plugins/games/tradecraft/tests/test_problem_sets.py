"""The problems that are shipped are as many, as hard and as sound as they claim."""

import json
from collections import Counter
from functools import cache
from importlib.resources import files

import pytest
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.generation.generating import Generated, generate, grade
from arena_game_tradecraft.match.problem import BANDS, Problem, load_problems
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.ruleset import RuleSet

AT_LEAST = {
    ("minecraft", 1): 10,
    ("minecraft", 2): 40,
    ("minecraft", 3): 20,
    ("minecraft", 5): 5,
    ("alchemy", 1): 10,
    ("alchemy", 2): 40,
    ("alchemy", 3): 5,
}
SETS = {
    "minecraft-solo": ("minecraft", 1),
    "minecraft-pairs": ("minecraft", 2),
    "minecraft-trios": ("minecraft", 3),
    "minecraft-fives": ("minecraft", 5),
    "alchemy-solo": ("alchemy", 1),
    "alchemy-pairs": ("alchemy", 2),
    "alchemy-trios": ("alchemy", 3),
}
ONLY = {
    "minecraft-solo": {"easy", "medium"},
    "minecraft-trios": {"easy", "medium"},
    "minecraft-fives": {"easy"},
    "alchemy-trios": {"easy", "medium"},
}
"""The levels of sets that do not have them all."""

GRADED = {**SETS, "paper": ("minecraft", 2), "workshop": ("workshop", 0)}

rules_of = cache(load)
"""The rule sets, read once for all of these tests."""


@pytest.mark.parametrize("name", SETS)
def test_sets_are_large_and_cover_all_levels(name: str):
    """A set has as many problems as promised, of every level it is said to have, and no two alike."""
    problems = load_problems(name)

    assert len(problems) >= AT_LEAST[SETS[name]]
    assert {problem.players for problem in problems} == {SETS[name][1]}
    levels = Counter(problem.difficulty.level for problem in problems if problem.difficulty)
    assert set(levels) == ONLY.get(name, set(BANDS))
    assert sum(levels.values()) == len(problems)
    assert len({json.dumps([p.hands, p.targets]) for p in problems}) == len(problems)


@pytest.mark.parametrize("name", SETS)
def test_every_target_is_proved_and_none_comes_by_itself(name: str):
    """Every number is settled, every target takes a craft, and a trade where several play."""
    players = SETS[name][1]

    for problem in load_problems(name):
        known = problem.difficulty
        assert known is not None
        assert all(isinstance(n, int) for n in (*known.chain, *known.trades, *known.kinds))
        assert isinstance(known.jointly, bool)
        assert all(known.chain)
        assert all(known.trades) == (players > 1)


@pytest.mark.parametrize("name", ["minecraft-solo", "alchemy-pairs"])
@pytest.mark.sample(fast=1, slow=0)
def test_sets_can_be_made_again(name: str):
    """What is shipped is what the seed gives, shown for the easy ones."""
    ruleset, players = SETS[name]
    shipped = load_problems(f"{name}#easy")

    assert generate(rules_of(ruleset), Generated(seed=1, players=players, count=len(shipped), level="easy")) == shipped


@pytest.mark.sample(fast=1, slow=4)
@pytest.mark.parametrize("name", GRADED)
def test_sets_can_be_played(name: str):
    """A game takes them with the rules they are made for."""
    game = TradeCraft(ruleset=GRADED[name][0], problems=name)

    assert game.pool == load_problems(name)


def test_some_can_be_won_by_all_and_others_not():
    """Among two players there are easy problems that both can win, and problems that only one can."""
    assert len(load_problems("minecraft-pairs#easy+jointly")) >= 10
    assert len(load_problems("alchemy-pairs#easy+jointly")) >= 10
    assert any(p.difficulty.jointly is False for p in load_problems("minecraft-pairs") if p.difficulty)


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("name", [name for name, (_, players) in GRADED.items() if players <= 2])
def test_first_of_a_set_is_as_hard_as_it_says(name: str):
    """What stands beside the first problem of each set is what the solver says."""
    _prove(rules_of(GRADED[name][0]), load_problems(name)[0])


@pytest.mark.campaign
@pytest.mark.parametrize("name", GRADED)
def test_all_are_as_hard_as_they_say(name: str):
    """What stands beside every shipped problem is what the solver says."""
    _prove(rules_of(GRADED[name][0]), *load_problems(name))


def _prove(rules: RuleSet, *problems: Problem) -> None:
    for problem in problems:
        assert grade(rules, problem) == problem.difficulty, problem


def test_every_file_that_is_shipped_is_proved():
    """No problems are shipped that these tests do not look at."""
    shelf = files("arena_game_tradecraft").joinpath("problems")

    assert {file.name.removesuffix(".json") for file in shelf.iterdir()} == set(GRADED)
