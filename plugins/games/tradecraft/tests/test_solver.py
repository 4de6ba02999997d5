"""The shortest crafting chains, held against trying everything."""

from collections.abc import Mapping
from fractions import Fraction
from random import Random

import pytest
from arena_game_tradecraft.match.problem import load_problems
from arena_game_tradecraft.rules.crafting import Craft, apply_craft, find_craft
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet
from arena_game_tradecraft.solver import shortest_chain
from hypothesis import given, settings

from .brute_force import ITEMS, all_lengths, fewest_crafts, random_rules, small_hands, small_rules

BIG = {"oak_log": 5, "cobblestone": 8, "raw_iron": 9, "coal": 2, "redstone": 4, "diamond": 3, "string": 3}


def played(rules: RuleSet, hand: Mapping[str, int | Fraction], crafts: tuple[Craft, ...]) -> dict[str, Fraction]:
    """The hand after crafts that the game accepts one by one."""
    held = {item: Fraction(n) for item, n in hand.items()}
    for craft in crafts:
        assert find_craft(rules, craft.inputs, craft.recipe.output, Fraction(craft.amount)) is not None
        after = apply_craft(held, craft)
        assert after is not None
        held = after
    return held


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(small_rules(), small_hands(), small_hands(2))
def test_chains_are_as_short_as_trying_everything_finds(
    rules: RuleSet, hand: dict[str, Fraction], target: dict[str, Fraction]
):
    """Where all crafts can be tried, the solver finds as few as suffice, or that none do, or does not know."""
    fewest, is_all = fewest_crafts(rules, hand, target, deepest=4, most=200)

    chain = shortest_chain(rules, hand, target)

    if fewest is not None:
        assert chain.status == "unknown" or (chain.status, chain.length) == ("found", fewest)
    elif is_all:
        assert chain.status in ("none", "unknown")
    if chain.status == "found":
        held = played(rules, hand, chain.crafts)
        assert all(held.get(item, 0) >= n for item, n in target.items())


def test_few_chains_of_small_rules_are_unknown():
    """Of a hundred small problems, all but a few of those in which things grow out of themselves are settled."""
    settled = []
    for seed in range(100):
        rng = Random(seed)
        rules = random_rules(rng)
        target = rng.choice(rules.recipes).output
        hand = {item: Fraction(rng.randint(1, 4)) for item in rng.sample([i for i in ITEMS if i != target], 2)}
        settled.append(shortest_chain(rules, hand, {target: 2}).status)

    assert settled.count("found") >= 20
    assert settled.count("unknown") <= 5


PAPER = [[("shears", 2), ("torch", 2)], [("bucket", 2), ("stone_shovel", 2)], [("bucket", 2), ("lever", 2)],
         [("chain", 3), ("stone_shovel", 2)], [("chain", 3), ("lever", 2)]]  # fmt: skip


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(("number", "expected"), list(enumerate(PAPER, 1)))
def test_chains_of_the_paper(number: int, expected: list[tuple[str, int]]):
    """From all that both players hold, each target of the paper is two or three crafts away."""
    rules, (problem,) = load("minecraft"), load_problems(f"paper#{number}")
    union = {item: sum(hand.get(item, 0) for hand in problem.hands) for hand in problem.hands for item in hand}

    chains = [shortest_chain(rules, union, target) for target in problem.targets]

    assert [(*target, chain.length) for target, chain in zip(problem.targets, chains, strict=True)] == expected
    for target, chain in zip(problem.targets, chains, strict=True):
        assert played(rules, union, chain.crafts).keys() >= target.keys()


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize(
    ("target", "length"),
    [("clock", None), ("compass", 2), ("crossbow", 5), ("hopper", 4), ("piston", 3), ("repeater", 5), ("rail", 4)],
)
def test_known_chains_of_minecraft(target: str, length: int | None):
    """Chains that can be counted by hand: a repeater needs planks, sticks, torches and stone first."""
    rules = load("minecraft")

    chain = shortest_chain(rules, BIG, {target: 1})

    assert chain.length == length
    if length:
        assert played(rules, BIG, chain.crafts)[target] >= 1


def test_fuel_is_counted_to_the_eighth():
    """One coal smelts eight things and not nine, and a log that is burnt to charcoal burns another."""
    rules = load("workshop")

    assert shortest_chain(rules, {"sand": 9, "coal": 1}, {"glass": 8}).length == 1
    assert shortest_chain(rules, {"sand": 9, "coal": 1}, {"glass": 9}).status == "none"
    assert shortest_chain(rules, {"oak_log": 25}, {"charcoal": 15}).length == 1
    assert shortest_chain(rules, {"oak_log": 24}, {"charcoal": 15}).length != 1


def test_one_recipe_may_need_several_crafts():
    """One template and what it takes makes two; four more need three crafts of the same recipe."""
    rules, hand = load("minecraft"), {"netherite_upgrade_smithing_template": 1, "diamond": 28, "netherrack": 4}

    assert shortest_chain(rules, hand, {"netherite_upgrade_smithing_template": 2}).length == 1
    assert shortest_chain(rules, hand, {"netherite_upgrade_smithing_template": 5}).length == 3
    assert shortest_chain(rules, hand, {"netherite_upgrade_smithing_template": 6}).status == "none"


@pytest.mark.slow
def test_chains_of_alchemy_count_every_thing_used():
    """A pump takes seven crafts and nine things; of two of each element there are not enough."""
    rules, hand = load("alchemy"), {"air": 3, "earth": 3, "fire": 3, "water": 3}

    chain = shortest_chain(rules, hand, {"pump": 1})

    assert chain.length == 7
    assert played(rules, hand, chain.crafts)["pump"] == 1
    assert shortest_chain(rules, dict.fromkeys(hand, 2), {"pump": 1}).status == "none"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "hand"),
    [
        ("alchemy", {"air": 1, "earth": 1, "fire": 1, "water": 1}),
        ("minecraft", {"oak_planks": 7, "string": 3, "iron_ingot": 2}),
    ],
)
@pytest.mark.sample(slow=1)
def test_all_that_a_small_hand_leads_to(source: str, hand: dict[str, int]):
    """Everything that a hand of shipped rules can become has the chain that trying all crafts finds, and no more is."""
    rules = load(source)
    reached = set(rules.reachable(hand))
    part = tuple(r for r in rules.recipes if not any(reached.isdisjoint(i.members) for i in r.ingredients))

    fewest = all_lengths(RuleSet("part", {}, part), {item: Fraction(n) for item, n in hand.items()}, reached)

    sample = [item for item in sorted(reached) if item in fewest][:: max(1, len(fewest) // 12)]
    assert {item: shortest_chain(rules, hand, {item: 1}).length for item in sample} == {i: fewest[i] for i in sample}
    beyond = [item for item in sorted(reached) if item not in fewest][:4]
    assert {shortest_chain(rules, hand, {item: 1}).status for item in beyond} <= {"none"}


def test_a_target_that_is_held_takes_no_craft():
    """What is there need not be made."""
    chain = shortest_chain(load("workshop"), {"torch": 4}, {"torch": 4})

    assert (chain.status, chain.length) == ("found", 0)


def test_what_a_limit_cuts_off_is_unknown():
    """Without a node to look at nothing is said of four targets at once; with enough, that they take eleven crafts."""
    rules, targets = load("minecraft"), dict.fromkeys(("repeater", "hopper", "crossbow", "piston"), 1)
    hand = {item: 2 * n for item, n in BIG.items()}

    assert shortest_chain(rules, hand, targets, nodes=0).status == "unknown"
    assert shortest_chain(rules, hand, targets).length == 11


def test_what_grows_without_end_leaves_other_things_unknown():
    """Where a thing makes two of itself, all that is held may be worth anything, and no bound says what is too much."""
    seed, soil = (Ingredient(name, Fraction(1), {name: Fraction(1)}) for name in ("seed", "soil"))
    rules = RuleSet(
        "garden", {}, (Recipe("sow", "test", (seed,), "seed", 2), Recipe("pot", "test", (seed, soil), "plant", 1))
    )

    assert shortest_chain(rules, {"seed": 1, "soil": 2}, {"plant": 2}).length == 2
    assert shortest_chain(rules, {"seed": 1, "soil": 1}, {"plant": 2}).status == "unknown"
    assert shortest_chain(rules, {"seed": 1}, {"plant": 1}).status == "none"
