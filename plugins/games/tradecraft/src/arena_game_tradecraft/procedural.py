"""Rule sets made up from a seed: nothing in them can be remembered, and size, depth and breadth are chosen.

Items lie in layers. Those of the first are raw; each other item has at least one recipe, and whatever makes it needs
something of the layer just below and nothing from its own layer or above. So the depth of an item is its layer, every
item can be made from the raw ones, and no chain of recipes leads back to where it began.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Final

import attrs
from arena.errors import ConfigError
from arena.record import stream

from arena_game_tradecraft.naming import invented_names, shuffled_names
from arena_game_tradecraft.ruleset import Ingredient, Recipe, RuleSet
from arena_game_tradecraft.wishes import parse_wish

SOURCE: Final = "procedural"

NAMES: Final = ("invented", "shuffled")
"""Words that nobody has heard, or the names of the rule set ``alchemy`` given to other things."""

KIND: Final = "crafting_shapeless"

_TAG_WEIGHTS: Final = (Fraction(1), Fraction(1), Fraction(1), Fraction(2), Fraction(1, 2))
_LARGEST: Final = 20_000


@attrs.frozen
class Procedural:
    """What is asked for; equal wishes give equal rules on every machine.

    ``items`` in all, ``raw`` of which nothing makes, in ``depth`` layers above them; a raw item that nothing needs,
    where there are more of them than recipes have room for, is not there at all. A recipe needs two to
    ``branching`` ingredients (one where ``branching`` is 1), an item has one to ``recipes`` recipes. Of ``tags`` each
    groups two to five items; ``tagged`` is how likely an ingredient is one where one fits.
    """

    seed: int = 0
    items: int = 200
    raw: int = 12
    depth: int = 8
    branching: int = 3
    recipes: int = 2
    tags: int = 8
    tagged: float = 0.2
    names: str = "invented"

    def __attrs_post_init__(self) -> None:
        problems = [
            f"{SOURCE}: {name}: expected at least {least}, got {value}"
            for name, least in (("raw", 2), ("depth", 1), ("branching", 1), ("recipes", 1), ("tags", 0))
            if (value := getattr(self, name)) < least
        ]
        if not self.raw + self.depth <= self.items <= _LARGEST:
            problems.append(
                f"{SOURCE}: items: expected {self.raw + self.depth} (raw + depth) to {_LARGEST}, got {self.items}"
            )
        if not 0 <= self.tagged <= 1:
            problems.append(f"{SOURCE}: tagged: expected a probability, got {self.tagged!r}")
        if self.names not in NAMES:
            problems.append(f"{SOURCE}: names: expected one of {', '.join(NAMES)}, got {self.names!r}")
        if problems:
            raise ConfigError(problems)


def parse_source(source: str) -> Procedural | None:
    """The wish that ``"procedural?seed=7&items=300"`` writes down; ``None`` where the text is about something else."""
    return parse_wish(source, SOURCE, Procedural)


def procedural_rules(wish: Procedural) -> RuleSet:
    """The rules that ``wish`` asks for."""
    where = (SOURCE, wish.seed)
    make_up = invented_names if wish.names == "invented" else shuffled_names
    names = make_up(stream(*where, "names"), wish.items + wish.tags)
    layers = _layers(wish, names[: wish.items], stream(*where, "layers"))
    tags = _tags(wish, names[wish.items :], layers, stream(*where, "tags"))
    unused = list(layers[0])
    recipes: list[Recipe] = []
    for layer in range(1, len(layers)):
        for item in layers[layer]:
            recipes += _ways_to_make(wish, item, layer, layers, tags, unused, stream(*where, "recipes", item))
    return RuleSet(SOURCE, {tag.name: tag.members for tag, _ in tags}, tuple(recipes))


def _layers(wish: Procedural, names: Sequence[str], luck: Random) -> list[list[str]]:
    """One item in each layer, then the others wherever they fall."""
    layers = [list(names[: wish.raw]), *([name] for name in names[wish.raw : wish.raw + wish.depth])]
    for name in names[wish.raw + wish.depth :]:
        layers[luck.randrange(1, wish.depth + 1)].append(name)
    return layers


def _tags(
    wish: Procedural, names: Sequence[str], layers: Sequence[Sequence[str]], luck: Random
) -> list[tuple[Ingredient, int]]:
    """Tags of items in one layer, and the layer; a tag is written as the ingredient that asks for one of it."""
    broad = [number for number, layer in enumerate(layers[:-1]) if len(layer) >= 2]
    tags: list[tuple[Ingredient, int]] = []
    for name in names if broad else ():
        number = luck.choice(broad)
        members = luck.sample(layers[number], min(luck.randrange(2, 6), len(layers[number])))
        weights: Mapping[str, Fraction] = {item: luck.choice(_TAG_WEIGHTS) for item in sorted(members)}
        tags.append((Ingredient(f"#{name}", Fraction(1), weights), number))
    return tags


def _ways_to_make(
    wish: Procedural,
    item: str,
    layer: int,
    layers: Sequence[Sequence[str]],
    tags: Sequence[tuple[Ingredient, int]],
    unused: list[str],
    luck: Random,
) -> Iterable[Recipe]:
    """The recipes of an item; raw items that are ``unused`` so far are taken first, and taken off that list."""
    below = [part for lower in layers[:layer] for part in lower]
    found: dict[frozenset[str], Recipe] = {}
    for _ in range(luck.randrange(1, wish.recipes + 1)):
        needs: dict[str, Ingredient] = {}
        for place in range(luck.randrange(min(2, wish.branching), wish.branching + 1)):
            items = layers[layer - 1] if not place else below
            fitting = [tag for tag, number in tags if (number == layer - 1 if not place else number < layer)]
            if unused and (place or layer == 1):
                name = unused.pop()
                part = Ingredient(name, Fraction(1), {name: Fraction(1)})
            elif fitting and luck.random() < wish.tagged:
                part = luck.choice(fitting)
            else:
                name = luck.choice(items)
                part = Ingredient(name, Fraction(1), {name: Fraction(1)})
            needs[part.name] = attrs.evolve(part, amount=Fraction(luck.randrange(1, 4)))
        made = luck.choice((1, 1, 1, 2, 4))
        parts = tuple(needs[name] for name in sorted(needs))
        found.setdefault(frozenset(needs), Recipe(f"{item}_{len(found) + 1}", KIND, parts, item, made))
    return found.values()
