"""What may be made of what, exactly."""

from fractions import Fraction
from itertools import product

import pytest
from arena_game_tradecraft.rules.crafting import (
    apply_craft,
    fill,
    find_craft,
    floored,
    is_filled,
    maximise,
    most_times,
    possible_crafts,
)
from arena_game_tradecraft.rules.loading import load
from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet
from hypothesis import assume, given, settings, strategies as st

RULES = load("workshop")
SETTINGS = settings(deadline=None, max_examples=60)
EIGHTH, ONE = Fraction(1, 8), Fraction(1)


def recipe(name: str) -> Recipe:
    """A recipe of the example."""
    return next(r for r in RULES.recipes if r.name == name)


def makes(output: str, amount: int, **inputs: int | str | Fraction) -> bool:
    """Whether exactly these inputs make so much."""
    return find_craft(RULES, {k: Fraction(v) for k, v in inputs.items()}, output, Fraction(amount)) is not None


def test_smelting_eight_costs_exactly_one_coal():
    """Eight things are smelted with one coal, and with nothing more or less."""
    assert makes("glass", 8, sand=8, coal=1)
    assert not makes("glass", 8, sand=8, coal="999999/1000000")
    assert not makes("glass", 8, sand=8, coal=2)
    assert not makes("glass", 8, sand=8)


@pytest.mark.parametrize(
    ("fuel", "eight"),
    [("coal_block", "1/10"), ("tar", "2/3"), ("oak_log", "16/3"), ("stick", 16), ("dried_reed", 32)],
)
def test_a_count_says_how_many_burn_as_long_as_one_coal(fuel: str, eight: int | str):
    """Of each fuel, its count smelts eight things, and the possible crafts divide by it rather than multiply."""
    assert makes("glass", 8, sand=8, **{fuel: eight})

    assert most_times(recipe("glass"), {"sand": Fraction(99), fuel: Fraction(eight)}) == 8
    assert most_times(recipe("glass"), {"sand": Fraction(99), fuel: Fraction(eight) / 8}) == 1
    assert most_times(recipe("glass"), {"sand": Fraction(99), fuel: Fraction(eight) / 9}) == 0


def test_a_block_of_coal_is_offered_and_one_stick_is_not():
    """A block of coal smelts 80 things, one stick half a thing."""
    sand = {"sand": Fraction(100)}

    assert {p.recipe.name: p.most for p in possible_crafts(RULES, {**sand, "coal_block": ONE})}["glass"] == 80
    assert "glass" not in {p.recipe.name for p in possible_crafts(RULES, {**sand, "stick": ONE})}


def test_tags_take_any_mix():
    """Members of a tag may be mixed, also in fractions, as long as they add up."""
    assert makes("chest", 1, oak_planks=3, birch_planks=5)
    assert makes("chest", 1, oak_planks="1/3", birch_planks="23/3")
    assert not makes("chest", 1, oak_planks=3, birch_planks=6)
    assert not makes("chest", 1, oak_planks=4, birch_planks=3)


def test_alternatives_take_any_mix():
    """A list of alternatives in a recipe is a tag as well."""
    assert makes("torch", 4, coal="1/4", charcoal="3/4", stick=1)


def test_only_whole_multiples_are_made():
    """Half a recipe makes nothing, nor do amounts that belong to another multiple."""
    assert makes("stick", 8, oak_planks=4)
    assert not makes("stick", 2, oak_planks=1)
    assert not makes("stick", 4, oak_planks=4)


def test_nothing_is_thrown_in():
    """What the recipe does not need is no part of it."""
    assert not makes("stick", 4, oak_planks=2, coal=1)
    assert not makes("ruby", 1, coal=1)


def test_an_item_that_fits_two_tags_is_divided():
    """A log smelted over logs needs a log and two thirds, whatever the mix."""
    assert makes("charcoal", 1, oak_log="5/3")
    assert makes("charcoal", 1, oak_log=1, birch_log="2/3")
    assert makes("charcoal", 3, oak_log=3, coal="3/8")
    assert makes("charcoal", 2, oak_log="7/3", coal="1/8", birch_log="1/3")
    assert not makes("charcoal", 1, oak_log="3/2")
    assert not makes("charcoal", 1, oak_log="5/3", coal="1/8")
    assert not makes("charcoal", 2, oak_log="1/2", coal="1/4")


def test_nothing_is_counted_twice_among_the_possible():
    """One log suffices for no charcoal without other fuel, one and two thirds suffice for one."""
    charcoal = recipe("charcoal")

    assert most_times(charcoal, {"oak_log": ONE}) == 0
    assert most_times(charcoal, {"oak_log": Fraction(5, 3)}) == 1
    assert most_times(charcoal, {"oak_log": Fraction(3), "birch_log": Fraction(2)}) == 3
    assert fill(charcoal, {"oak_log": ONE}) is None


def test_crafts_are_applied_exactly():
    """What goes in is gone, what comes out is there, and nothing else has changed."""
    craft = find_craft(RULES, {"sand": ONE, "coal": EIGHTH}, "glass", ONE)
    assert craft is not None

    assert apply_craft({"sand": Fraction(2), "coal": EIGHTH, "ruby": ONE}, craft) == {"sand": 1, "ruby": 1, "glass": 1}
    assert apply_craft({"sand": Fraction(2), "coal": Fraction(1, 9)}, craft) is None
    assert apply_craft({"coal": ONE}, craft) is None


def test_what_is_less_than_one_is_lost_by_flooring():
    """Fractions are cut off, and what is then nothing is not held."""
    assert floored({"coal": Fraction(15, 8), "stick": Fraction(2, 3), "ruby": Fraction(2)}) == {"coal": 1, "ruby": 2}


def test_closure_ignores_amounts_and_counts_depth():
    """Reachable is what unlimited amounts make, and an item lies one deeper than what it needs."""
    depths = RULES.reachable(["oak_log", "clay"])

    assert depths["oak_log"] == 0
    assert depths["charcoal"] == 1, "logs burn"
    assert depths["stick"] == 2
    assert depths["bricks"] == 2
    assert depths["torch"] == 3
    assert "lever" not in depths
    assert "grilled_fish" in RULES.reachable(["fish"])
    assert "glass" not in RULES.reachable(["sand"])


ITEMS = ("a", "b", "c", "d")
WEIGHTS = st.sampled_from([Fraction(1, 2), ONE, Fraction(2), Fraction(16, 3)])
TAGS = st.lists(st.dictionaries(st.sampled_from(ITEMS), WEIGHTS, min_size=1), min_size=2, max_size=3)
SHARED = {"oak_log": Fraction(1, 3), "birch_log": Fraction(4, 3)}
SHARES = st.lists(st.integers(0, 4), min_size=12, max_size=12)


def overlapping(tags: list[dict[str, Fraction]], lone: bool) -> Recipe:
    """A recipe of tags that share members, and perhaps of an item that is in them too."""
    parts = [Ingredient(f"#t{i}", Fraction(i + 1, 2), members) for i, members in enumerate(tags)]
    if lone:
        parts.append(Ingredient("a", ONE, {"a": ONE}))
    return Recipe("r", "x", tuple(parts), "out", 1)


@pytest.mark.slow
@given(TAGS, SHARES, st.booleans(), st.integers(1, 3))
@SETTINGS
def test_every_division_of_inputs_is_found(tags: list[dict[str, Fraction]], shares: list[int], lone: bool, times: int):
    """Inputs put together from any division among the ingredients are accepted."""
    made, inputs = overlapping(tags, lone), dict[str, Fraction]()
    for ingredient, offset in zip(made.ingredients, range(0, 12, 3), strict=False):
        members = sorted(ingredient.members)
        parts = [1 + shares[(offset + i) % 12] for i in range(len(members))]
        for item, part in zip(members, parts, strict=True):
            used = times * ingredient.amount * Fraction(part, sum(parts)) * ingredient.members[item]
            inputs[item] = inputs.get(item, Fraction(0)) + used

    assert is_filled(made, inputs, times)
    assert most_times(made, inputs) >= times


@given(st.integers(1, 99), st.integers(1, 99), st.sampled_from([-1, 1]))
@SETTINGS
def test_a_hair_too_much_or_too_little_is_noticed(above: int, below: int, sign: int):
    """No tolerance hides a billionth, neither where sums decide nor where a program does."""
    part = Fraction(min(above, below), max(above, below)) / 2
    hair = Fraction(sign, 10**9)

    for name, inputs in (("chest", {"oak_planks": 8 - part, "birch_planks": part}), ("charcoal", SHARED)):
        assert is_filled(recipe(name), inputs, 1)
        for item in inputs:
            assert not is_filled(recipe(name), {**inputs, item: inputs[item] + hair}, 1)


@pytest.mark.slow
@given(TAGS, st.lists(st.integers(0, 6), min_size=4, max_size=4), st.booleans())
@SETTINGS
def test_a_filling_is_what_the_recipe_accepts(tags: list[dict[str, Fraction]], stock: list[int], lone: bool):
    """What is filled in from a hand is accepted, is in the hand, and exists exactly as often as is said."""
    made = overlapping(tags, lone)
    hand = {item: Fraction(n, 2) for item, n in zip(ITEMS, stock, strict=True) if n}
    most = most_times(made, hand)

    assert fill(made, hand, most + 1) is None
    assume(most)
    filled = fill(made, hand, most)
    assert filled is not None
    assert all(0 < amount <= hand[item] for item, amount in filled.items())
    assert is_filled(made, filled, most)


@given(st.lists(st.integers(0, 3), min_size=4, max_size=4), st.lists(st.integers(0, 3), min_size=2, max_size=2))
@SETTINGS
def test_division_agrees_with_trying_all_of_them(stock: list[int], needs: list[int]):
    """Where all counts are one, whole inputs can be divided exactly if some whole division does it."""
    inputs = {item: Fraction(n) for item, n in zip(ITEMS, stock, strict=True) if n}
    tags = ({"a": ONE, "b": ONE, "c": ONE}, {"b": ONE, "c": ONE, "d": ONE})
    parts = tuple(Ingredient(f"#{i}", Fraction(n), m) for i, (n, m) in enumerate(zip(needs, tags, strict=True)) if n)
    assume(parts)
    made = Recipe("r", "x", parts, "out", 1)
    ways = [
        [i for i, part in enumerate(parts) if item in part.members] for item in inputs for _ in range(int(inputs[item]))
    ]
    possible = any(
        all(choice.count(i) == part.amount for i, part in enumerate(parts)) for choice in product(*ways)
    )  # fmt: skip

    assert is_filled(made, inputs, 1) == possible


def test_unbounded_programs_are_refused():
    """A program without a greatest value says so instead of going on."""
    with pytest.raises(OverflowError, match="no greatest"):
        maximise([ONE], [[-ONE]], [ONE])


@pytest.mark.slow
@given(st.lists(st.integers(0, 10**6), max_size=25))
@SETTINGS
def test_eighths_and_thirds_stay_exact(choices: list[int]):
    """However often things are cooked with eighths of coal and two thirds of tar, what is left is exact.

    In units of fuel, everything that was burnt and everything that is left add up to what there was.
    """
    hand = {"sand": Fraction(30), "clay": Fraction(30), "coal": Fraction(2), "tar": Fraction(4), "oak_log": Fraction(9)}
    fuel = RULES.tags["#fuel"]
    burnt = Fraction(0)
    for choice in choices:
        options = [p for p in possible_crafts(RULES, hand) if p.recipe.name in ("glass", "clay_brick")]
        if not options:
            break
        chosen = options[choice % len(options)]
        burning = sorted(item for item in hand if item in fuel)
        item = burning[choice // 7 % len(burning)]
        need = EIGHTH * fuel[item]
        source = next(i.name for i in chosen.recipe.ingredients if not i.is_tag)
        inputs = {source: ONE, item: need} if hand[item] >= need else dict(chosen.once)
        craft = find_craft(RULES, inputs, chosen.recipe.output, ONE)
        assert craft is not None
        after = apply_craft(hand, craft)
        assert after is not None
        hand = after
        burnt += EIGHTH

    left = sum((hand[item] / fuel[item] for item in hand if item in fuel), Fraction(0))
    assert left + burnt == 2 + 4 / Fraction(2, 3) + 9 / Fraction(16, 3)
    assert sum(hand.get(item, 0) for item in ("sand", "clay", "glass", "clay_brick")) == 60


def test_a_rule_set_without_recipes_for_an_item_makes_none():
    """An item that nothing makes is made by nothing."""
    empty = RuleSet("empty", {}, ())

    assert find_craft(empty, {"a": ONE}, "b", ONE) is None
    assert possible_crafts(empty, {"a": ONE}) == []
    assert dict(empty.reachable(["a"])) == {"a": 0}
