"""A rule set: items, tags with weights, and the recipes between them, as an AND/OR graph.

A recipe needs all its ingredients (AND); an ingredient is an item, or a tag that any mix of its members fills (OR); an
item can have several recipes (OR).
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Final

import attrs

COOKING: Final = frozenset({"smelting", "blasting", "smoking", "campfire_cooking"})
"""Kinds of recipe that cook one item; those that are quicker than a campfire burn fuel."""

FUEL: Final = "#fuel"
"""The tag of all items that burn; a member's weight is how many of it burn as long as one coal."""


@attrs.frozen
class Ingredient:
    """An amount of an item or of a tag.

    ``members`` says what fills it: for each member, how many count as one. An item is filled by itself. A tag's name
    begins with ``#``. ``amount`` of a tag with weights is in its own unit: 1/8 of ``#fuel`` is an eighth of a coal, or
    two sticks if 16 sticks count as one coal.
    """

    name: str
    amount: Fraction
    members: Mapping[str, Fraction] = attrs.field(repr=False)

    @property
    def is_tag(self) -> bool:
        """Whether any mix of several items may fill it."""
        return self.name.startswith("#")


@attrs.frozen
class Recipe:
    """All ``ingredients`` together become ``count`` of ``output``; each ingredient is listed once.

    ``kind`` is how it is made (``crafting_shaped``, ``smelting``, …); it does not change what is needed.
    """

    name: str
    kind: str
    ingredients: tuple[Ingredient, ...]
    output: str
    count: int

    @cached_property
    def items(self) -> tuple[Ingredient, ...]:
        """The ingredients that are one item."""
        return tuple(i for i in self.ingredients if not i.is_tag)

    @cached_property
    def tags(self) -> tuple[Ingredient, ...]:
        """The ingredients that are tags."""
        return tuple(i for i in self.ingredients if i.is_tag)

    @cached_property
    def fitting(self) -> frozenset[str]:
        """The items that fit at least one ingredient."""
        return frozenset(item for i in self.ingredients for item in i.members)

    @cached_property
    def shared(self) -> frozenset[str]:
        """The items that fit more than one ingredient."""
        seen: set[str] = set()
        return frozenset(item for i in self.ingredients for item in i.members if item in seen or seen.add(item))


@attrs.frozen(eq=False)
class RuleSet:
    """All items, tags and recipes, found by name.

    ``tags`` holds the members of each tag by its name (with ``#``), each with how many of it count as one. ``digest``
    is a hash of the contents: equal digests mean equal rules. ``notes`` says what could be read in two ways in the
    files, and how it was read.
    """

    name: str
    tags: Mapping[str, Mapping[str, Fraction]] = attrs.field(repr=False)
    recipes: tuple[Recipe, ...] = attrs.field(repr=False)
    digest: str = ""
    notes: tuple[str, ...] = attrs.field(default=(), repr=False)
    _closures: dict[frozenset[str], Mapping[str, int]] = attrs.field(factory=dict, init=False, repr=False)

    @cached_property
    def items(self) -> tuple[str, ...]:
        """Every item of a recipe or a tag, sorted by name."""
        found = {recipe.output for recipe in self.recipes}
        found.update(item for recipe in self.recipes for i in recipe.ingredients for item in i.members)
        found.update(item for members in self.tags.values() for item in members)
        return tuple(sorted(found))

    @cached_property
    def item_set(self) -> frozenset[str]:
        """The items as a set, for fast lookups."""
        return frozenset(self.items)

    @cached_property
    def makes(self) -> Mapping[str, tuple[Recipe, ...]]:
        """The recipes that make an item; items that nothing makes have no entry."""
        return _grouped((recipe.output, recipe) for recipe in self.recipes)

    @cached_property
    def uses(self) -> Mapping[str, tuple[Recipe, ...]]:
        """The recipes in which an item can be used, also as a member of a tag."""
        return _grouped(
            (item, r) for r in self.recipes for item in dict.fromkeys(m for i in r.ingredients for m in i.members)
        )

    @cached_property
    def tags_of(self) -> Mapping[str, tuple[str, ...]]:
        """The tags that an item is a member of."""
        found: dict[str, list[str]] = {}
        for tag, members in self.tags.items():
            for item in members:
                found.setdefault(item, []).append(tag)
        return {item: tuple(tags) for item, tags in found.items()}

    def reachable(self, items: Iterable[str]) -> Mapping[str, int]:
        """Every item that can be made from unlimited amounts of ``items``, with its depth.

        ``items`` themselves have depth 0. An item is one step deeper than the deepest ingredient of its shallowest
        recipe.
        """
        start = frozenset(items)
        if start not in self._closures:
            if len(self._closures) >= _CLOSURES_KEPT:
                self._closures.clear()
            self._closures[start] = self._closure(start)
        return self._closures[start]

    def _closure(self, start: frozenset[str]) -> Mapping[str, int]:
        depths = dict.fromkeys(sorted(start), 0)
        lacking = {id(recipe): len(recipe.ingredients) for recipe in self.recipes}
        filled: set[tuple[int, str]] = set()
        found = list(depths)
        while found:
            reached: list[str] = []
            for item in found:
                for recipe in self.uses.get(item, ()):
                    for ingredient in recipe.ingredients:
                        place = (id(recipe), ingredient.name)
                        if item in ingredient.members and place not in filled:
                            filled.add(place)
                            lacking[id(recipe)] -= 1
                    if not lacking[id(recipe)] and recipe.output not in depths:
                        depths[recipe.output] = depths[item] + 1
                        reached.append(recipe.output)
            found = reached
        return depths


_CLOSURES_KEPT: Final = 256


def _grouped(pairs: Iterable[tuple[str, Recipe]]) -> Mapping[str, tuple[Recipe, ...]]:
    found: dict[str, list[Recipe]] = {}
    for item, recipe in pairs:
        found.setdefault(item, []).append(recipe)
    return {item: tuple(recipes) for item, recipes in found.items()}
