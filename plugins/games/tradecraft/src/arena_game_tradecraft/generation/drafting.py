"""Drafts problems: takes targets apart into ingredients, and deals those out so that players must trade.

A draft says nothing about how hard it is; ``grading`` determines that.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from random import Random
from typing import Final

import attrs

from arena_game_tradecraft.match.problem import Problem
from arena_game_tradecraft.rules.ruleset import Recipe, RuleSet

_RIVALS: Final = 0.6
"""The probability that a target needs a kind of item that another target also needs."""

_SHARED: Final = 0.3
"""The probability that a kind two players need is dealt in amounts that suffice for both, rather than for either."""

_PARTLY: Final = 0.3
"""The probability that a player holds a part of what it must trade for."""

_NEAR: Final = 0.7
"""The probability that a needless kind is an ingredient of something that the other items of the hand can make."""

_TRIES: Final = 60
"""The most targets that are tried for one player."""

_LARGEST: Final = 16
"""The most items of one kind that a hand is given for one target."""


@attrs.frozen
class Aim:
    """The goals of a draft for one player: numbers of crafts, of kinds that it lacks, and of needless kinds."""

    crafts: int
    lacking: int
    needless: int


@attrs.frozen
class Parts:
    """The ingredients of one target, and everything that is made on the way to it."""

    target: Mapping[str, int]
    leaves: Mapping[str, int]
    made: frozenset[str]


def draft(rules: RuleSet, aims: Sequence[Aim], rng: Random) -> Problem | None:
    """Draft a problem for players with these ``aims``; ``None`` if the random choices led to no such problem."""
    players, families = len(aims), _families(rules)
    parts: list[Parts] = []
    for aim in aims:
        taken = {item for known in parts for item in (*known.target, *known.leaves, *known.made)}
        tries = (_take_apart(rules, families, aim.crafts, rng) for _ in range(_TRIES))
        # with fewer kinds of its own, a player had better give those away and get the target back
        least = 2 * aim.lacking - 1 if players > 1 else 1
        fitting = (p for p in tries if p and taken.isdisjoint(p.target) and len(p.leaves) >= least)
        if parts and rng.random() < _RIVALS:
            known = {item for other in parts for item in other.leaves}
            fitting = (p for p in fitting if not known.isdisjoint(p.leaves))
        if (found := next(fitting, None)) is None:
            return None
        parts.append(found)
    if any(item in other.leaves for one in parts for item in one.target for other in parts):
        return None
    hands = [dict[str, int]() for _ in range(players)]
    for player, (aim, found) in enumerate(zip(aims, parts, strict=True)):
        _deal(hands, player, found, aim.lacking if players > 1 else 0, rng)
    for hand, aim in zip(hands, aims, strict=True):
        _add_needless(rules, hand, parts, aim.needless, rng)
    return Problem(
        tuple({item: hand[item] for item in rng.sample(sorted(hand), len(hand))} for hand in hands),
        tuple(found.target for found in parts),
    )


def _take_apart(rules: RuleSet, families: Mapping[str, list[str]], crafts: int, rng: Random) -> Parts | None:
    """Choose a target and take it apart by ``crafts`` recipes; nothing that is made is an ingredient of itself."""
    target = rng.choice(families[rng.choice(sorted(families))])
    needs: dict[str, Fraction] = {target: Fraction(1)}
    made: list[str] = []
    amount = 1
    for _ in range(crafts):
        open_items = [item for item in needs if item in rules.makes]
        if not open_items:
            return None
        item = rng.choice(open_items)
        recipes = [r for r in rules.makes[item] if not r.fitting & {item, *made}]
        if not recipes:
            return None
        recipe = rng.choice(recipes)
        if item == target and recipe.count > 1:
            amount = rng.choice((1, recipe.count))
            needs[item] = Fraction(amount)
        times = ceil(needs.pop(item) / recipe.count)
        made.append(item)
        for name, needed in _filling(rules, recipe, needs, rng).items():
            needs[name] = needs.get(name, Fraction(0)) + times * needed
    leaves = {item: ceil(needed) for item, needed in needs.items()}
    if max(leaves.values()) > _LARGEST:
        return None
    return Parts({target: amount}, leaves, frozenset(made))


def _families(rules: RuleSet) -> Mapping[str, list[str]]:
    """Craftable items by the last word of their names, so that sixteen beds are no likelier than one lever."""
    families: dict[str, list[str]] = {}
    for item in _sorted_keys(rules.makes):
        families.setdefault(item.rpartition("_")[2], []).append(item)
    return families


def _filling(rules: RuleSet, recipe: Recipe, needs: Mapping[str, Fraction], rng: Random) -> dict[str, Fraction]:
    """Fill a recipe's tags with one member each, preferably one that is needed anyway or can be crafted."""
    filled: dict[str, Fraction] = {}
    for ingredient in recipe.ingredients:
        members = _sorted_keys(ingredient.members)
        liked = [m for m in members if m in needs] or [m for m in members if len(rules.uses.get(m, ())) > 1] or members
        item = rng.choice(liked)
        filled[item] = filled.get(item, Fraction(0)) + ingredient.amount * ingredient.members[item]
    return filled


def _deal(hands: Sequence[dict[str, int]], player: int, found: Parts, lacking: int, rng: Random) -> None:
    """Give ``player`` the ingredients of its target except for ``lacking`` kinds, which others get."""
    kinds = rng.sample(sorted(found.leaves), len(found.leaves))
    for place, item in enumerate(kinds):
        needed = found.leaves[item]
        if place >= lacking:
            _give(hands[player], item, needed, rng)
            continue
        other = rng.choice([p for p in range(len(hands)) if p != player])
        kept = rng.randrange(1, needed) if needed > 1 and rng.random() < _PARTLY else 0
        if kept and item not in hands[player]:
            hands[player][item] = kept
            needed -= kept
        _give(hands[other], item, needed, rng)


def _give(hand: dict[str, int], item: str, needed: int, rng: Random) -> None:
    held = hand.get(item, 0)
    hand[item] = held + needed if not held or rng.random() < _SHARED else max(held, needed)


def _add_needless(rules: RuleSet, hand: dict[str, int], parts: Sequence[Parts], count: int, rng: Random) -> None:
    """Add kinds that nobody should need: items that combine with those of the hand, or any other ingredient."""
    kept_away = {item for found in parts for item in (*found.target, *found.made)}
    useful = [item for item in _sorted_keys(rules.uses) if item not in kept_away]
    near = [item for item in _neighbours(rules, hand) if item not in kept_away]
    for _ in range(count):
        item = rng.choice(near if near and rng.random() < _NEAR else useful)
        if item not in hand:
            hand[item] = rng.choice((1, 1, 1, 2, 2, 3))


def _neighbours(rules: RuleSet, hand: Mapping[str, int]) -> list[str]:
    """Items that are ingredients of something together with items of the hand."""
    found = {part.name: None for item in sorted(hand) for recipe in rules.uses.get(item, ()) for part in recipe.items}
    return [item for item in found if item not in hand]


def _sorted_keys(table: Mapping[str, object]) -> list[str]:
    return sorted(table)
