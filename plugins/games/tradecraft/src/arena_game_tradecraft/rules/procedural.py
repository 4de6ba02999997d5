"""Generates rule sets from a seed, names included: nothing in them can be known beforehand.

Items lie in layers. Those of the first are raw; each other item has at least one recipe, and every recipe needs
something from the layer just below and nothing from the item's own layer or above. So the depth of an item is its
layer, every item can be made from the raw ones, and no chain of recipes leads back to its start.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

import attrs
from arena.errors import ConfigError
from arena.record import derive_rng

from arena_game_tradecraft.rules.pairs import parse_pairs
from arena_game_tradecraft.rules.ruleset import Ingredient, Recipe, RuleSet
from arena_game_tradecraft.rules.wishes import parse_wish

_ONSETS: Final = (*"bdfgklmnprstvz", "br", "dr", "fl", "gl", "gr", "kl", "kr", "pl", "sk", "sl", "st", "tr")
_VOWELS: Final = (*"aeiou", "ai", "ei", "ou")
_CODAS: Final = ("", "", "", "l", "m", "n", "r", "s", "t", "k")


def invented_names(rng: Random, count: int) -> list[str]:
    """Invent ``count`` pronounceable names; any two differ in more than one letter."""
    names: list[str] = []
    near: set[str] = set()
    while len(names) < count:
        # two syllables as long as they last, then three
        name = _syllables(rng, 2 if len(names) < 1000 else 3)
        slips = _slips(name)
        if near.isdisjoint(slips):
            near |= slips
            names.append(name)
    return names


def shuffled_names(rng: Random, count: int) -> list[str]:
    """``count`` names of real things in an order unrelated to their meaning; invented names when these run out."""
    known = known_words()
    words = rng.sample(sorted(known), len(known))
    more = (name for name in invented_names(rng, 2 * max(0, count - len(words))) if name not in known)
    return [*words, *more][:count]


@cache
def known_words() -> frozenset[str]:
    """The names of all items of the rule set ``alchemy``."""
    folder = files("arena_game_tradecraft").joinpath("rulesets", "alchemy", "pairs")
    recipes = parse_pairs({place.name: place.read_bytes() for place in folder.iterdir()})
    return frozenset(name for recipe in recipes for name in (recipe.output, *(i.name for i in recipe.ingredients)))


def _syllables(rng: Random, count: int) -> str:
    name = "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(count))
    return name + rng.choice(_CODAS)


def _slips(name: str) -> set[str]:
    """Keys that two names share if and only if they differ in at most one letter."""
    return {
        name,
        *(name[:i] + "_" + name[i + 1 :] for i in range(len(name))),
        *(name[:i] + name[i + 1 :] for i in range(len(name))),
    }


SOURCE: Final = "procedural"

NAMES: Final = ("invented", "shuffled")
"""Words that do not exist, or the names of the rule set ``alchemy`` given to other items."""

KIND: Final = "crafting_shapeless"

_TAG_WEIGHTS: Final = (Fraction(1), Fraction(1), Fraction(1), Fraction(2), Fraction(1, 2))
_LARGEST: Final = 20_000


@attrs.frozen
class Procedural:
    """A request for rules; equal requests give equal rules on every machine.

    ``items`` in all, ``raw`` of which nothing makes, in ``depth`` layers above them; raw items are left out if there
    are more of them than the recipes need. A recipe needs two to ``branching`` ingredients (one if ``branching`` is 1),
    an item has one to ``recipes`` recipes. Each of the ``tags`` groups two to five items; ``tagged`` is the probability
    that an ingredient is a tag if one fits.
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
    """Parse a request such as ``"procedural?seed=7&items=300"``; ``None`` if the text is something else."""
    return parse_wish(source, SOURCE, Procedural)


def procedural_rules(wish: Procedural) -> RuleSet:
    """Generate the rules that ``wish`` requests."""
    where = (SOURCE, wish.seed)
    make_up = invented_names if wish.names == "invented" else shuffled_names
    names = make_up(derive_rng(*where, "names"), wish.items + wish.tags)
    layers = _layers(wish, names[: wish.items], derive_rng(*where, "layers"))
    tags = _tags(wish, names[wish.items :], layers, derive_rng(*where, "tags"))
    unused = list(layers[0])
    recipes: list[Recipe] = []
    for layer in range(1, len(layers)):
        for item in layers[layer]:
            recipes += _ways_to_make(wish, item, layer, layers, tags, unused, derive_rng(*where, "recipes", item))
    return RuleSet(SOURCE, {tag.name: tag.members for tag, _ in tags}, tuple(recipes))


def _layers(wish: Procedural, names: Sequence[str], rng: Random) -> list[list[str]]:
    """Put one item into each layer, and the others into random ones."""
    layers = [list(names[: wish.raw]), *([name] for name in names[wish.raw : wish.raw + wish.depth])]
    for name in names[wish.raw + wish.depth :]:
        layers[rng.randrange(1, wish.depth + 1)].append(name)
    return layers


def _tags(
    wish: Procedural, names: Sequence[str], layers: Sequence[Sequence[str]], rng: Random
) -> list[tuple[Ingredient, int]]:
    """Tags of items in one layer, with the layer; a tag is given as the ingredient that needs one of it."""
    broad = [number for number, layer in enumerate(layers[:-1]) if len(layer) >= 2]
    tags: list[tuple[Ingredient, int]] = []
    for name in names if broad else ():
        number = rng.choice(broad)
        members = rng.sample(layers[number], min(rng.randrange(2, 6), len(layers[number])))
        weights: Mapping[str, Fraction] = {item: rng.choice(_TAG_WEIGHTS) for item in sorted(members)}
        tags.append((Ingredient(f"#{name}", Fraction(1), weights), number))
    return tags


def _ways_to_make(
    wish: Procedural,
    item: str,
    layer: int,
    layers: Sequence[Sequence[str]],
    tags: Sequence[tuple[Ingredient, int]],
    unused: list[str],
    rng: Random,
) -> Iterable[Recipe]:
    """The recipes of an item; takes raw items that are ``unused`` first, and removes them from that list."""
    below = [part for lower in layers[:layer] for part in lower]
    found: dict[frozenset[str], Recipe] = {}
    for _ in range(rng.randrange(1, wish.recipes + 1)):
        needs: dict[str, Ingredient] = {}
        for place in range(rng.randrange(min(2, wish.branching), wish.branching + 1)):
            items = layers[layer - 1] if not place else below
            fitting = [tag for tag, number in tags if (number == layer - 1 if not place else number < layer)]
            if unused and (place or layer == 1):
                name = unused.pop()
                part = Ingredient(name, Fraction(1), {name: Fraction(1)})
            elif fitting and rng.random() < wish.tagged:
                part = rng.choice(fitting)
            else:
                name = rng.choice(items)
                part = Ingredient(name, Fraction(1), {name: Fraction(1)})
            needs[part.name] = attrs.evolve(part, amount=Fraction(rng.randrange(1, 4)))
        made = rng.choice((1, 1, 1, 2, 4))
        parts = tuple(needs[name] for name in sorted(needs))
        found.setdefault(frozenset(needs), Recipe(f"{item}_{len(found) + 1}", KIND, parts, item, made))
    return found.values()
