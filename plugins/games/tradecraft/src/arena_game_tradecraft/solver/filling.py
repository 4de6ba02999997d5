"""Turns recipes and how often each is applied into crafts: an order, and the exact inputs of each."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Final

from arena_game_tradecraft.rules.crafting import Amounts, Craft, apply_craft, is_filled, maximise
from arena_game_tradecraft.rules.ruleset import Recipe

Step = tuple[Recipe, int]
"""A recipe and how many times it is applied at once."""

ORDERS: Final = 24
"""The most orders of the same steps that are tried."""

ZERO: Final = Fraction(0)


def carry_out(hand: Amounts, steps: Sequence[Step], wanted: Mapping[str, Fraction]) -> tuple[Craft, ...] | None:
    """Crafts that do all ``steps`` in some order and leave ``wanted``; ``None`` if none of the tried orders works."""
    for order in islice(_orders(hand, tuple(steps), set()), ORDERS):
        if crafts := in_order(hand, order, wanted):
            return crafts
    return () if not steps else None


def in_order(hand: Amounts, steps: Sequence[Step], wanted: Mapping[str, Fraction]) -> tuple[Craft, ...] | None:
    """The crafts that do ``steps`` in this order and leave ``wanted``; ``None`` if nothing can fill the tags.

    An exact linear program says how much of each member goes into each tag of each step, such that no item is used
    before it is available.
    """
    ways = [
        (k, tag.members[item], item, t)
        for k, (recipe, _) in enumerate(steps)
        for t, tag in enumerate(recipe.tags)
        for item in sorted(tag.members)
        if item in hand or any(r.output == item for r, _ in steps[:k])
    ]
    rows: list[list[Fraction]] = []
    bounds: list[Fraction] = []
    for item in sorted({item for *_, item, _ in ways} | {i.name for r, _ in steps for i in r.items} | wanted.keys()):
        for k, left in _left(hand, steps, wanted, item):
            if left < 0:
                return None
            row = [count if name == item and j <= k else ZERO for j, count, name, _ in ways]
            if any(row):
                rows.append(row)
                bounds.append(left)
    needs = [(k, t, times * tag.amount) for k, (r, times) in enumerate(steps) for t, tag in enumerate(r.tags)]
    for k, t, need in needs:
        rows.append([Fraction(int((j, u) == (k, t))) for j, _, _, u in ways])
        bounds.append(need)
    filled, values = maximise([Fraction(1)] * len(ways), rows, bounds) if ways else (ZERO, [])
    if filled != sum(need for *_, need in needs):
        return None
    return _checked(hand, steps, [(way[0], way[2], way[1] * v) for way, v in zip(ways, values, strict=True) if v])


def _left(
    hand: Amounts, steps: Sequence[Step], wanted: Mapping[str, Fraction], item: str
) -> Iterator[tuple[int, Fraction]]:
    """How much of ``item`` all tags up to each step may use, and all together at the end."""
    left = hand.get(item, ZERO)
    for k, (recipe, times) in enumerate(steps):
        left -= sum((times * i.amount for i in recipe.items if i.name == item), ZERO)
        yield k, left
        left += times * recipe.count * (recipe.output == item)
    yield len(steps), left - wanted.get(item, ZERO)


def _checked(
    hand: Amounts, steps: Sequence[Step], fillings: Sequence[tuple[int, str, Fraction]]
) -> tuple[Craft, ...] | None:
    """The crafts, each applied by the same functions as in the game; ``None`` if one fails."""
    crafts: list[Craft] = []
    for k, (recipe, times) in enumerate(steps):
        inputs = {i.name: times * i.amount for i in recipe.items}
        for j, item, amount in fillings:
            if j == k:
                inputs[item] = inputs.get(item, ZERO) + amount
        craft = Craft(recipe, times, inputs)
        after = apply_craft(hand, craft)
        if after is None or not is_filled(recipe, inputs, times):
            return None
        hand = after
        crafts.append(craft)
    return tuple(crafts)


def _orders(hand: Amounts, left: tuple[Step, ...], dead: set[frozenset[int]]) -> Iterator[list[Step]]:
    """Orders in which each ingredient, considered alone, is available when it is needed."""
    if not left:
        yield []
    remaining = frozenset(id(recipe) for recipe, _ in left)
    is_dead = bool(left)
    for i, (recipe, times) in enumerate(left if remaining not in dead else ()):
        if all(_suffices(hand, ingredient.members, times * ingredient.amount) for ingredient in recipe.ingredients):
            after = dict(hand)
            after[recipe.output] = after.get(recipe.output, ZERO) + times * recipe.count
            for ingredient in recipe.items:
                after[ingredient.name] -= times * ingredient.amount
            for rest in _orders(after, left[:i] + left[i + 1 :], dead):
                is_dead = False
                yield [(recipe, times), *rest]
    if is_dead:
        dead.add(remaining)


def _suffices(hand: Amounts, members: Mapping[str, Fraction], need: Fraction) -> bool:
    return sum((hand[item] / count for item, count in members.items() if item in hand), ZERO) >= need
