"""Everything that can be done, tried: what the solver is held against."""

from collections.abc import Iterator
from fractions import Fraction

from arena_game_tradecraft.ruleset import Ingredient, Recipe, RuleSet
from hypothesis import strategies as st

ITEMS = "abcdef"
TAGS = {"#ab": "ab", "#cde": "cde"}
HALF = Fraction(1, 2)

Hand = tuple[tuple[str, int], ...]
"""Amounts in halves, by name."""


def frozen(amounts: dict[str, int]) -> Hand:
    """A hand that can be put into a set."""
    return tuple(sorted((item, n) for item, n in amounts.items() if n))


@st.composite
def ingredients(draw: st.DrawFn) -> tuple[Ingredient, ...]:
    """One to three things of a recipe, tags and halves among them."""
    names = draw(st.lists(st.sampled_from([*ITEMS, *TAGS]), min_size=1, max_size=3, unique=True))
    amounts = [draw(st.sampled_from([Fraction(1), Fraction(1), Fraction(2), HALF])) for _ in names]
    return tuple(
        Ingredient(name, n, dict.fromkeys(TAGS.get(name, name), Fraction(1)))
        for name, n in zip(names, amounts, strict=True)
    )


@st.composite
def small_rules(draw: st.DrawFn) -> RuleSet:
    """A few recipes of anything with anything: circles, things that grow out of themselves, dead ends."""
    made = draw(st.lists(st.tuples(st.sampled_from(ITEMS), st.integers(1, 3), ingredients()), min_size=2, max_size=6))
    recipes = tuple(Recipe(f"r{i}", "test", parts, out, count) for i, (out, count, parts) in enumerate(made))
    return RuleSet("small", {tag: dict.fromkeys(items, Fraction(1)) for tag, items in TAGS.items()}, recipes)


def small_hands(largest: int = 3) -> st.SearchStrategy[dict[str, Fraction]]:
    """A hand of a few whole things."""
    return st.dictionaries(st.sampled_from(ITEMS), st.integers(1, largest).map(Fraction), min_size=1, max_size=3)


def fillings(parts: tuple[Ingredient, ...], times: int, hand: dict[str, int]) -> Iterator[dict[str, int]]:
    """What is left of ``hand``, counted in halves, after each way to fill the ingredients in halves.

    Where all amounts are multiples of a half and every member counts one, halves reach whatever finer parts do: how to
    fill is a transport problem, whose corners lie on multiples of the unit.
    """
    if not parts:
        yield hand
        return
    for left in _mixes(sorted(parts[0].members), int(2 * times * parts[0].amount), hand):
        yield from fillings(parts[1:], times, left)


def _mixes(members: list[str], need: int, hand: dict[str, int]) -> Iterator[dict[str, int]]:
    if not need:
        yield hand
    elif members:
        first, *others = members
        for used in range(min(need, hand.get(first, 0)) + 1):
            yield from _mixes(others, need - used, {**hand, first: hand.get(first, 0) - used})


def after_one_craft(rules: RuleSet, hand: Hand) -> Iterator[Hand]:
    """Every hand that one craft leads to."""
    for recipe in rules.recipes:
        times = 1
        while lefts := {frozen(left) for left in fillings(recipe.ingredients, times, dict(hand))}:
            for left in lefts:
                made = dict(left)
                made[recipe.output] = made.get(recipe.output, 0) + 2 * times * recipe.count
                yield frozen(made)
            times += 1


def holds(hand: Hand, target: dict[str, Fraction]) -> bool:
    """Whether the target is there."""
    held = dict(hand)
    return all(held.get(item, 0) >= 2 * n for item, n in target.items())


def fewest_crafts(
    rules: RuleSet, hand: dict[str, Fraction], target: dict[str, Fraction], deepest: int, most: int
) -> tuple[int | None, bool]:
    """The fewest crafts up to ``deepest``, and whether all that follows was seen (no more than ``most`` hands)."""
    start = frozen({item: int(2 * n) for item, n in hand.items()})
    layer, seen = {start}, {start}
    for crafts in range(deepest + 1):
        if any(holds(found, target) for found in layer):
            return crafts, True
        following = set()
        for found in layer:
            following.update(new for new in after_one_craft(rules, found) if new not in seen)
            if len(following) > most:
                return None, False
        if not following:
            return None, True
        seen |= following
        layer = following
    return None, False
