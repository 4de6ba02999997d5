"""Names for things that do not exist, or that are called something else."""

from functools import cache
from importlib.resources import files
from random import Random
from typing import Final

from arena_game_tradecraft.pairs import parse_pairs

_ONSETS: Final = (*"bdfgklmnprstvz", "br", "dr", "fl", "gl", "gr", "kl", "kr", "pl", "sk", "sl", "st", "tr")
_VOWELS: Final = (*"aeiou", "ai", "ei", "ou")
_CODAS: Final = ("", "", "", "l", "m", "n", "r", "s", "t", "k")


def invented_names(luck: Random, count: int) -> list[str]:
    """``count`` names that can be said aloud; no two are the same but for one letter."""
    names: list[str] = []
    near: set[str] = set()
    while len(names) < count:
        # two syllables as long as they last, then three
        name = _syllables(luck, 2 if len(names) < 1000 else 3)
        slips = _slips(name)
        if near.isdisjoint(slips):
            near |= slips
            names.append(name)
    return names


def shuffled_names(luck: Random, count: int) -> list[str]:
    """``count`` words for real things, in an order that has nothing to do with them; invented ones where they end."""
    known = known_words()
    words = luck.sample(sorted(known), len(known))
    more = (name for name in invented_names(luck, 2 * max(0, count - len(words))) if name not in known)
    return [*words, *more][:count]


@cache
def known_words() -> frozenset[str]:
    """The names of everything in the rule set ``alchemy``."""
    shelf = files("arena_game_tradecraft").joinpath("rulesets", "alchemy", "pairs")
    recipes = parse_pairs({place.name: place.read_bytes() for place in shelf.iterdir()})
    return frozenset(name for recipe in recipes for name in (recipe.output, *(i.name for i in recipe.ingredients)))


def _syllables(luck: Random, count: int) -> str:
    name = "".join(luck.choice(_ONSETS) + luck.choice(_VOWELS) for _ in range(count))
    return name + luck.choice(_CODAS)


def _slips(name: str) -> set[str]:
    """Forms that two names share if and only if they are the same but for one letter."""
    return {
        name,
        *(name[:i] + "_" + name[i + 1 :] for i in range(len(name))),
        *(name[:i] + name[i + 1 :] for i in range(len(name))),
    }
