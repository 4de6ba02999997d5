"""Statistics of a rule set: how large and how deep it is, and how many of its items are variations of others."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

import attrs

from arena_game_tradecraft.rules.ruleset import Recipe, RuleSet

_SHORTEST_WORD: Final = 3


@attrs.frozen
class Pattern:
    """A way of making items that many recipes share."""

    name: str
    formulas: int


@attrs.frozen
class Measures:
    """Statistics of a rule set.

    ``pairs`` are the different sets of ingredients. ``reachable`` and ``depth`` start from the items that nothing
    makes, or from those that are said to be the elements. ``modified`` counts the names that are another item's name
    with words before it (``oak_boat`` beside ``boat``), ``compounds`` also those written in one word (``steamboat``); a
    name may end with such letters by chance, so it is an upper bound. A pattern is either one ingredient with anything
    else, an item with itself, or a result that is named after an ingredient; ``patterns`` are sorted by how many
    recipes follow them.
    """

    items: int
    raw: int
    formulas: int
    pairs: int
    tags: int
    reachable: int
    depth: int
    modified: int
    compounds: int
    patterns: tuple[Pattern, ...]


def measure(rules: RuleSet, elements: Collection[str] = ()) -> Measures:
    """Compute all statistics of a rule set, which may start from ``elements`` though something makes them."""
    raw = [item for item in rules.items if item not in rules.makes]
    depths = rules.reachable(elements or raw)
    patterns = Counter(pattern for recipe in rules.recipes for pattern in _patterns(recipe))
    return Measures(
        items=len(rules.items),
        raw=len(raw),
        formulas=len(rules.recipes),
        pairs=len({tuple((i.name, i.amount) for i in recipe.ingredients) for recipe in rules.recipes}),
        tags=len(rules.tags),
        reachable=len(depths),
        depth=max(depths.values(), default=0),
        modified=sum(_is_modified(item, rules.item_set) for item in rules.items),
        compounds=sum(_is_compound(item, rules.item_set) for item in rules.items),
        patterns=tuple(Pattern(name, times) for name, times in sorted(patterns.items(), key=lambda p: (-p[1], p[0]))),
    )


def _is_modified(name: str, known: frozenset[str]) -> bool:
    words = name.split("_")
    return any("_".join(words[i:]) in known for i in range(1, len(words)))


def _is_compound(name: str, known: frozenset[str]) -> bool:
    return _is_modified(name, known) or any(name[i:] in known for i in range(1, len(name) - _SHORTEST_WORD + 1))


def _patterns(recipe: Recipe) -> Iterator[str]:
    names = [ingredient.name for ingredient in recipe.ingredients]
    yield from (f"{name} with anything" for name in names)
    if len(names) == 1 and recipe.ingredients[0].amount > 1:
        yield "a thing with itself"
    if any(len(name) >= _SHORTEST_WORD and name in recipe.output for name in names):
        yield "called after an ingredient"
