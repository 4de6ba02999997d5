"""Chooses situation, telling, wordings and people for each of the 720 stories of a seed."""

import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise, product
from random import Random
from typing import Final, TypeAlias

from arena.record import derive_rng

from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.situations import Situation, SituationTopic, library
from arena_game_two_by_two.story import Story
from arena_game_two_by_two.storyteller import Casting, NamedPerson, Ranks, compose, shuffled
from arena_game_two_by_two.topology import GAMES

Key: TypeAlias = tuple[str, int]
"""A game and the number of one of its stories."""

STORIES: Final = 5
"""The number of stories of each game, as in TMGBench."""


def tell(game: str, number: int, seed: int = 0, situations: str = "shipped", ranks: Ranks = "numbers") -> Story:
    """Compose story ``number`` (0 to 4) of a game from a library of situations; the 720 of one seed all differ."""
    casting = castings(seed, situations)[game, number]
    return compose(GAMES[game].matrix, casting, derive_rng("situation", seed, game, number), ranks)


@cache
def castings(seed: int, situations: str = "shipped") -> Mapping[Key, Casting]:
    """The castings of all 720 stories of a seed; ``ConfigError`` if there is no such library of situations."""
    topics = library(situations)
    rng = derive_rng("castings", seed)
    # Equal topics lie next to each other, and fewer than 144 times: a game that takes every 144th gets no topic twice.
    games = shuffled(list(GAMES), rng)
    keys = [(game, number) for number, game in product(range(STORIES), games)]
    chosen: list[tuple[Key, Situation]] = []
    for topic, count in zip(mixed := shuffled(topics, rng), _shares(mixed, len(keys)), strict=True):
        run, keys = keys[:count], keys[count:]
        chosen += zip(run, _spread(run, topic.situations, rng), strict=True)
    couples = _couples(rng)
    tellings = _tellings(chosen, rng)
    uses = Counter[str]()
    found: dict[Key, Casting] = {}
    for (key, situation), telling, couple in zip(chosen, tellings, couples, strict=False):
        setting, closing = ((0, 0), (1, 1), (0, 1), (1, 0))[uses[situation.name] % 4]
        uses[situation.name] += 1
        found[key] = Casting(situation, telling, setting, closing, *couple)
    return found


def _shares(topics: list[SituationTopic], total: int) -> list[int]:
    """How many of all stories each topic has, in proportion to what the topics ask for."""
    asked = sum(topic.stories for topic in topics)
    ends = [round(total * sum(topic.stories for topic in topics[:i]) / asked) for i in range(len(topics) + 1)]
    return [end - start for start, end in pairwise(ends)]


def _spread(keys: list[Key], situations: tuple[Situation, ...], rng: Random) -> list[Situation]:
    """A situation for each key, all equally often, so that the games of one situation share few likes."""
    order = shuffled(situations, rng)
    left = Counter({one.name: 0 for one in order})
    for i in range(len(keys)):
        left[order[i % len(order)].name] += 1
    likes: dict[str, list[int]] = defaultdict(list)
    found: list[Situation] = []
    for game, _ in keys:
        pattern = liked(GAMES[game].matrix)
        one = min(
            (one for one in order if left[one.name]),
            key=lambda one: (sum((pattern & other).bit_count() for other in likes[one.name]), -left[one.name]),
        )
        left[one.name] -= 1
        likes[one.name].append(pattern)
        found.append(one)
    return found


def liked(matrix: Matrix) -> int:
    """Which of the eight reasons to like something a game uses, as bits."""
    worths = [worth for cell in matrix for worth in cell]
    return sum(1 << i for i, worth in enumerate(worths) if worth > 2)


def _tellings(chosen: list[tuple[Key, Situation]], rng: Random) -> list[str]:
    """A telling for each story: none twice for a situation if it can be, several for a game, all equally often."""
    of_situation, of_game, of_all = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[str]()
    found: list[str] = []
    for (game, _), situation in chosen:
        telling = min(
            shuffled(situation.tellings, rng),
            key=lambda name: (of_situation[situation.name, name], of_game[game, name], of_all[name]),
        )
        of_situation[situation.name, telling] += 1
        of_game[game, telling] += 1
        of_all[telling] += 1
        found.append(telling)
    return found


def _couples(rng: Random) -> list[tuple[NamedPerson, NamedPerson]]:
    """Different pairs of people whose names begin with different letters."""
    everyone = people()
    return shuffled([(a, b) for a in everyone for b in everyone if a.name[0] != b.name[0]], rng)


@cache
def people() -> tuple[NamedPerson, ...]:
    """The people who can be parties of a story."""
    raw = tomllib.loads((files("arena_game_two_by_two") / "people.toml").read_text(encoding="utf-8"))
    return tuple(NamedPerson(name, group["pronoun"]) for group in raw["people"] for name in group["names"])
