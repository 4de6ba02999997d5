"""What can be crafted from what, computed exactly: amounts are fractions, so no tolerance is needed.

The simplex method with Bland's rule (Bland, "New finite pivoting rules for the simplex method", Mathematics of
Operations Research 2, 1977), which always terminates.

A craft applies one recipe a whole number of times. An ingredient that is a tag may be filled by any mix of its members
that adds up to ``amount``, after dividing each member by how many of it count as one. If no item fits two ingredients
of the recipe, adding up decides; if one does (a log that is smelted over logs), a small linear program does.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs

from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet


def maximise(
    gains: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction]
) -> tuple[Fraction, list[Fraction]]:
    """The greatest ``gains`` · x with x ≥ 0 and ``rows`` · x ≤ ``bounds``, and such an x.

    ``bounds`` must not be negative. ``OverflowError`` if there is no maximum.
    """
    count, constraints = len(gains), len(rows)
    table = [
        [*row, *(Fraction(int(i == j)) for j in range(constraints)), bound]
        for i, (row, bound) in enumerate(zip(rows, bounds, strict=True))
    ]
    costs = [*(-gain for gain in gains), *(Fraction(0) for _ in range(constraints + 1))]
    basis = list(range(count, count + constraints))
    while (entering := next((j for j, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        if not ratios:
            raise OverflowError("the linear program has no greatest value")
        leaving = min(ratios)[2]
        _pivot(table, costs, leaving, entering)
        basis[leaving] = entering
    values = [Fraction(0)] * (count + constraints)
    for i, variable in enumerate(basis):
        values[variable] = table[i][-1]
    return costs[-1], values[:count]


def _pivot(table: list[list[Fraction]], costs: list[Fraction], leaving: int, entering: int) -> None:
    pivot = table[leaving][entering]
    table[leaving] = [value / pivot for value in table[leaving]]
    for i, row in enumerate(table):
        if i != leaving and row[entering]:
            factor = row[entering]
            table[i] = [a - factor * b for a, b in zip(row, table[leaving], strict=True)]
    factor = costs[entering]
    costs[:] = [a - factor * b for a, b in zip(costs, table[leaving], strict=True)]


ZERO: Final = Fraction(0)
ONE: Final = Fraction(1)

Amounts = Mapping[str, Fraction]
"""Amounts by item; items with amount zero are left out."""


@attrs.frozen
class Craft:
    """A recipe applied ``times`` times, with the items ``inputs``."""

    recipe: Recipe
    times: int
    inputs: Amounts

    @property
    def amount(self) -> int:
        """How many of the output are made."""
        return self.times * self.recipe.count


@attrs.frozen
class Possible:
    """A recipe that a hand suffices for, at most ``most`` times; ``once`` is an example of inputs for one time."""

    recipe: Recipe
    most: int
    once: Amounts


def find_craft(rules: RuleSet, inputs: Amounts, output: str, amount: Fraction) -> Craft | None:
    """The craft that makes ``amount`` of ``output`` from exactly ``inputs``, all positive; ``None`` if none does."""
    for recipe in rules.makes.get(output, ()):
        times, left = divmod(amount.numerator, recipe.count)
        if amount.denominator == 1 and not left and times >= 1 and is_filled(recipe, inputs, times):
            return Craft(recipe, times, inputs)
    return None


def is_filled(recipe: Recipe, inputs: Amounts, times: int) -> bool:
    """Whether ``inputs``, all positive, are exactly what ``times`` applications of ``recipe`` need."""
    if not inputs.keys() <= recipe.fitting:
        return False
    left = dict(inputs)
    for ingredient in recipe.items:
        if ingredient.name not in left:
            return False
        rest = left.pop(ingredient.name) - times * ingredient.amount
        if rest < 0:
            return False
        if rest:
            left[ingredient.name] = rest
    needs = [times * tag.amount for tag in recipe.tags]
    shared: dict[str, Fraction] = {}
    for item, amount in left.items():
        fits = [i for i, tag in enumerate(recipe.tags) if item in tag.members]
        if not fits:
            return False
        if len(fits) > 1:
            shared[item] = amount
            continue
        count = recipe.tags[fits[0]].members[item]
        needs[fits[0]] -= amount if count == 1 else amount / count
    if any(need < 0 for need in needs):
        return False
    return _is_shared_out(recipe.tags, needs, shared) if shared else not any(needs)


def most_times(recipe: Recipe, hand: Amounts) -> int:
    """How many times ``hand`` suffices to apply ``recipe`` at once."""
    if any(i.members.keys().isdisjoint(hand) for i in recipe.ingredients):
        return 0
    if recipe.shared.isdisjoint(hand):
        return min((_stock(ingredient, hand) // ingredient.amount for ingredient in recipe.ingredients), default=0)
    ways, rows, bounds = _ways(recipe, hand)
    rows = [[*row, ZERO] for row in rows]
    for i, ingredient in enumerate(recipe.ingredients):
        rows.append([*(Fraction(-int(place == i)) for place, _ in ways), ingredient.amount])
        bounds.append(ZERO)
    times, _ = maximise([*(ZERO for _ in ways), Fraction(1)], rows, bounds)
    return int(times)


def fill(recipe: Recipe, hand: Amounts, times: int = 1) -> dict[str, Fraction] | None:
    """Choose inputs from ``hand`` for applying the recipe ``times`` times; ``None`` if it does not suffice.

    Members of a tag are taken in the order of how much of the tag they can fill, the greatest first.
    """
    if not recipe.shared.isdisjoint(hand):
        return _fill_shared(recipe, hand, times)
    taken: dict[str, Fraction] = {}
    for ingredient in recipe.ingredients:
        need = times * ingredient.amount
        stock = [(hand[item] / count, item) for item, count in _held(ingredient, hand)]
        for worth, item in sorted(stock, key=lambda pair: (-pair[0], pair[1])):
            if used := min(need, worth):
                taken[item] = used * ingredient.members[item]
                need -= used
        if need:
            return None
    return taken


def possible_crafts(rules: RuleSet, hand: Amounts) -> list[Possible]:
    """Every recipe that ``hand`` suffices for, sorted by output and kind.

    Exact: an item that fits two ingredients is counted once.
    """
    candidates = {id(recipe): recipe for item in hand for recipe in rules.uses.get(item, ())}
    found: list[Possible] = []
    for recipe in candidates.values():
        if (most := most_times(recipe, hand)) and (once := fill(recipe, hand)):
            found.append(Possible(recipe, most, once))
    return sorted(found, key=lambda possible: (possible.recipe.output, possible.recipe.name))


def apply_craft(hand: Amounts, craft: Craft) -> dict[str, Fraction] | None:
    """Return ``hand`` after ``craft``, or ``None`` if it does not hold the inputs."""
    after = dict(hand)
    for item, amount in craft.inputs.items():
        rest = after.pop(item, ZERO) - amount
        if rest < 0:
            return None
        if rest:
            after[item] = rest
    after[craft.recipe.output] = after.get(craft.recipe.output, ZERO) + craft.amount
    return after


def floored(hand: Amounts) -> dict[str, Fraction]:
    """Round amounts down to whole items; the fractions are lost."""
    return {item: Fraction(int(amount)) for item, amount in hand.items() if amount >= 1}


def _held(ingredient: Ingredient, hand: Amounts) -> list[tuple[str, Fraction]]:
    if not ingredient.is_tag:
        return [(ingredient.name, ONE)] if ingredient.name in hand else []
    members = ingredient.members
    return [(item, members[item]) for item in hand if item in members]


def _stock(ingredient: Ingredient, hand: Amounts) -> Fraction:
    held = _held(ingredient, hand)
    return sum((hand[item] if count == 1 else hand[item] / count for item, count in held), ZERO)


def _ways(recipe: Recipe, hand: Amounts) -> tuple[list[tuple[int, str]], list[list[Fraction]], list[Fraction]]:
    """The variables and constraints of a filling: which ingredients each item may fill, and how much of it there is."""
    ways = [(i, item) for i, ingredient in enumerate(recipe.ingredients) for item, _ in _held(ingredient, hand)]
    items = sorted({item for _, item in ways})
    counts = [recipe.ingredients[i].members[item] for i, item in ways]
    rows = [[count if way[1] == item else ZERO for way, count in zip(ways, counts, strict=True)] for item in items]
    return ways, rows, [hand[item] for item in items]


def _fill_shared(recipe: Recipe, hand: Amounts, times: int) -> dict[str, Fraction] | None:
    ways, rows, bounds = _ways(recipe, hand)
    needs = [times * ingredient.amount for ingredient in recipe.ingredients]
    for i, need in enumerate(needs):
        rows.append([Fraction(int(place == i)) for place, _ in ways])
        bounds.append(need)
    filled, values = maximise([Fraction(1)] * len(ways), rows, bounds)
    if filled != sum(needs):
        return None
    taken: dict[str, Fraction] = {}
    for (i, item), value in zip(ways, values, strict=True):
        if value:
            taken[item] = taken.get(item, ZERO) + value * recipe.ingredients[i].members[item]
    return taken


def _is_shared_out(tags: tuple[Ingredient, ...], needs: list[Fraction], shared: Amounts) -> bool:
    """Whether items that fit several tags can be divided so that all are used and each need is met exactly.

    Filling as much as possible of all needs while using as much as possible of all items reaches both sums exactly
    if and only if that can be done.
    """
    ways = [(i, item) for i, tag in enumerate(tags) for item in shared if item in tag.members]
    counts = [tags[i].members[item] for i, item in ways]
    rows = [[c if way[1] == item else ZERO for way, c in zip(ways, counts, strict=True)] for item in shared]
    rows += [[Fraction(int(place == i)) for place, _ in ways] for i in range(len(tags))]
    best, _ = maximise([1 + count for count in counts], rows, [*shared.values(), *needs])
    return best == sum(needs) + sum(shared.values())
