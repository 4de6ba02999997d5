"""The part of a rule set that can matter for a target, and how often each recipe can be applied."""

from collections.abc import Container, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final

import attrs

from arena_game_tradecraft.rules.ruleset import Recipe, RuleSet

Stock = tuple[tuple[str, Fraction], ...]
"""A hand as a hashable value, sorted by name."""

MOST_TIMES: Final = 10_000
"""The most times one craft applies its recipe, and the most of an item, whatever the prices say."""

_ROUNDS: Final = 60
_UNIT: Final = 2**20


@attrs.frozen(eq=False)
class Scope:
    """Part of a rule set.

    ``most`` is for each of ``recipes`` how often one craft can apply it, given the worth of everything that is held,
    and ``limits`` how much there can be of an item. ``pools`` are the tags, each with the members that can be had.
    ``parted`` are the items of which fractions can be left over. ``is_bounded`` is false if some item can be multiplied
    by recipes, so that worth says nothing.
    """

    recipes: tuple[Recipe, ...]
    most: tuple[int, ...]
    items: tuple[str, ...]
    pools: Mapping[str, Mapping[str, Fraction]]
    parted: frozenset[str]
    limits: Mapping[str, int]
    is_bounded: bool


def stock(amounts: Mapping[str, Fraction | int]) -> Stock:
    """A hand as a hashable value."""
    return tuple(sorted((item, Fraction(n)) for item, n in amounts.items() if n))


def together(hands: Iterable[Mapping[str, Fraction | int]]) -> dict[str, Fraction]:
    """The sum of all hands."""
    found: dict[str, Fraction] = {}
    for hand in hands:
        for item, amount in hand.items():
            found[item] = found.get(item, Fraction(0)) + amount
    return found


@lru_cache(maxsize=1024)
def scope(rules: RuleSet, held: Stock, wanted: tuple[str, ...]) -> Scope | None:
    """The recipes and items that can lead from ``held`` to the items ``wanted``; ``None`` if one is out of reach."""
    hand = dict(held)
    reached = frozenset(rules.reachable(hand))
    if not reached.issuperset(wanted):
        return None
    recipes = _backwards(rules, reached, wanted)
    needed = _needed(recipes, wanted)
    hand = {item: amount for item, amount in hand.items() if item in needed}
    needs = [_needs(recipe, reached) for recipe in recipes]
    prices = _prices(recipes, needs, hand)
    most, limits = [MOST_TIMES] * len(recipes), {}
    if prices is not None:
        worth = int(sum(prices[item] * amount for item, amount in hand.items()))
        costs = [_cost(need, prices) for need in needs]
        most = [0 if cost is None else min(worth // cost, MOST_TIMES) if cost else MOST_TIMES for cost in costs]
        limits = {item: min(worth // price, MOST_TIMES) for item, price in prices.items() if price}
    affordable = {id(r): n for r, n in zip(recipes, most, strict=True) if n}
    had = _had([r for r in recipes if id(r) in affordable], hand)
    if not had.issuperset(wanted):
        return None
    kept = _backwards(rules, had, wanted, affordable)
    items = _needed(kept, wanted) & had
    return Scope(
        recipes=kept,
        most=tuple(affordable[id(r)] for r in kept),
        items=tuple(sorted(items)),
        pools={tag.name: {m: n for m, n in sorted(tag.members.items()) if m in items} for r in kept for tag in r.tags},
        parted=_parted(kept, hand),
        limits={item: limits.get(item, MOST_TIMES) for item in items},
        is_bounded=max(most, default=0) < MOST_TIMES,
    )


def _backwards(
    rules: RuleSet, had: frozenset[str], wanted: Iterable[str], allowed: Mapping[int, int] | None = None
) -> tuple[Recipe, ...]:
    todo, seen = list(wanted), set(wanted)
    found: dict[int, Recipe] = {}
    while todo:
        for recipe in rules.makes.get(todo.pop(), ()):
            if id(recipe) in found or (allowed is not None and id(recipe) not in allowed):
                continue
            if any(had.isdisjoint(i.members) for i in recipe.ingredients):
                continue
            found[id(recipe)] = recipe
            new = [m for i in recipe.ingredients for m in i.members if m in had and m not in seen]
            seen.update(new)
            todo += new
    return tuple(found.values())


def _needed(recipes: Iterable[Recipe], wanted: Iterable[str]) -> set[str]:
    return {item for recipe in recipes for i in recipe.ingredients for item in i.members}.union(wanted)


def _had(recipes: Iterable[Recipe], hand: Iterable[str]) -> frozenset[str]:
    """The items that unlimited amounts of ``hand`` can become by ``recipes``."""
    had, left = set(hand), list(recipes)
    while left:
        still = [r for r in left if any(had.isdisjoint(i.members) for i in r.ingredients)]
        if len(still) == len(left):
            break
        kept = {id(r) for r in still}
        had.update(r.output for r in left if id(r) not in kept)
        left = still
    return frozenset(had)


_Needs = tuple[tuple[int, int, tuple[tuple[str, int, int], ...]], ...]
"""For each ingredient its amount, and for each member how many count as one, as numerators and denominators."""


def _prices(recipes: tuple[Recipe, ...], needs: list[_Needs], hand: Iterable[str]) -> dict[str, int] | None:
    """Prices of items at which no craft makes more worth than it uses; held items cost at most ``_UNIT``.

    Prices are whole numbers, rounded down, which preserves that. ``None`` if they fall for too long, because some item
    can be multiplied by recipes.
    """
    prices = dict.fromkeys(hand, _UNIT)
    for _ in range(_ROUNDS):
        is_settled = True
        for recipe, need in zip(reversed(recipes), reversed(needs), strict=True):
            cost = _cost(need, prices)
            if cost is not None and cost // recipe.count < prices.get(recipe.output, cost + 1):
                prices[recipe.output] = cost // recipe.count
                is_settled = False
        if is_settled:
            return prices
    return None


def _cost(needs: _Needs, prices: Mapping[str, int]) -> int | None:
    total = 0
    for above, below, members in needs:
        if len(members) == 1:
            item, count, parts = members[0]
            cheapest = prices[item] * count // parts if item in prices else None
        else:
            cheapest = min((prices[item] * n // parts for item, n, parts in members if item in prices), default=None)
        if cheapest is None:
            return None
        total += cheapest * above // below
    return total


def _needs(recipe: Recipe, items: Container[str]) -> _Needs:
    return tuple(
        (*i.amount.as_integer_ratio(), tuple((m, *n.as_integer_ratio()) for m, n in i.members.items() if m in items))
        for i in recipe.ingredients
    )


def _parted(recipes: Iterable[Recipe], hand: Mapping[str, Fraction]) -> frozenset[str]:
    """The items of which fractional amounts can be used or held."""
    parted = {item for item, amount in hand.items() if amount.denominator != 1}
    for recipe in recipes:
        for i in recipe.ingredients:
            if i.is_tag or i.amount.denominator != 1:
                parted.update(i.members)
    return frozenset(parted)
