"""How far crafts are from a target: what people are shown first of what they could craft."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from arena_game_tradecraft.rules.amounts import read_amount
from arena_game_tradecraft.rules.ruleset import FUEL, Recipe, RuleSet

_FAR: Final = 1_000
_NEAR: Final = 3


def amount_of(written: Any) -> Fraction:
    """An amount of an observation as a number; 0 for what is none."""
    return read_amount(written) or Fraction(0)


def crafts_away(rules: RuleSet, seen: Any) -> Mapping[str, int]:
    """For each item the fewest crafts in which it goes into something that a player still lacks; 0 for that itself."""
    hand = seen["hand"]
    lacking = {item for item, amount in seen["target"].items() if amount_of(amount) > amount_of(hand.get(item, 0))}
    return _distances(rules, frozenset(lacking))


def nearness(rules: RuleSet, distances: Mapping[str, int], craft: Any) -> tuple[int, int | None]:
    """The rank of a craft that ``possible_crafts`` names, and how far what it makes is from the target.

    ``None`` where it does not lead nearer: what goes in, but for fuel, is as near as what comes out.
    """
    example, parts = craft["example"], [name for name in craft["needs"] if name != FUEL]
    (made,) = example["output"]
    near = distances.get(made)
    matter = {item for item in example["inputs"] for name in parts if item in rules.tags.get(name, (name,))}
    if near is None or any(distances.get(item, _FAR) <= near for item in matter):
        return _FAR, None
    return near, near


def say_nearness(near: int | None) -> str:
    """How far that is, in words; empty where a craft does not lead nearer, or from so far that much would."""
    if near is None or near > _NEAR:
        return ""
    return f"{near} craft{'s' * (near > 1)} from your target" if near else "part of your target"


@lru_cache(maxsize=64)
def _distances(rules: RuleSet, wanted: frozenset[str]) -> Mapping[str, int]:
    found = dict.fromkeys(sorted(wanted), 0)
    row, near = list(found), 0
    while row:
        near += 1
        before = {item for made in row for recipe in rules.makes.get(made, ()) for item in _matter(recipe)}
        row = sorted(before - found.keys())
        found |= dict.fromkeys(row, near)
    return found


def _matter(recipe: Recipe) -> set[str]:
    """What may go into a recipe, but for fuel: else whatever burns would be near to all that is cooked."""
    return {item for ingredient in recipe.ingredients if ingredient.name != FUEL for item in ingredient.members}
