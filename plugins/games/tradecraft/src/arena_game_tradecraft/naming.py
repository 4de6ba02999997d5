"""Names for items that do not exist, or that get another item's name."""

from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

from arena_game_tradecraft.pairs import parse_pairs

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
