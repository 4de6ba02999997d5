"""All stories of a seed as data, and one situation told in all its ways."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from random import Random
from typing import Any

from arena_game_two_by_two.casting import STORIES, castings
from arena_game_two_by_two.situations import Situation
from arena_game_two_by_two.story import Story
from arena_game_two_by_two.story_games import TwoByTwoStory
from arena_game_two_by_two.storyteller import Casting, NamedPerson, compose
from arena_game_two_by_two.topology import GAMES

READERS = (NamedPerson("Ada", "she"), NamedPerson("Ben", "he"))
"""The people in stories that are only read."""


def every(seed: int = 0, **told: Any) -> Iterator[TwoByTwoStory]:
    """The questions about all 720 stories of a seed, by game and number; ``told`` are other parameters of the game."""
    return (
        TwoByTwoStory(game=game, story=number, seed=seed, **told) for game, number in product(GAMES, range(STORIES))
    )


def record(asked: TwoByTwoStory) -> dict[str, Any]:
    """A composed story as data: game, number, topic, situation, telling, words, payoffs by row, and the text."""
    game, number = asked.game, asked.story
    story = asked.composed(game, number, asked.seed)
    matrix = GAMES[game].matrix
    casting = castings(asked.seed, asked.situations)[game, number]
    return {
        "game": game,
        "number": number,
        "topic": casting.situation.topic,
        "situation": casting.situation.name,
        "telling": casting.telling,
        "words": story.words,
        "table": {"A": [list(row) for row in matrix.a], "B": [list(row) for row in matrix.b]},
        "scenario": story.scenario,
    }


def drawn(count: int, seed: int) -> list[tuple[str, int]]:
    """The games and numbers of ``count`` stories (720 at most) drawn by chance for reading, sorted.

    The draw is Python's ``Random(seed).sample`` from the sorted list of all, so that anybody can repeat it.
    """
    return sorted(Random(seed).sample(sorted(product(GAMES, range(STORIES))), count))


def digest(text: str) -> str:
    """The first twelve hexadecimal digits of the SHA-256 of a text: what a review was a review of."""
    return sha256(text.encode()).hexdigest()[:12]


def told_in_all_ways(situation: Situation, seed: int) -> dict[str, Story]:
    """A situation in each telling that fits it, each with a game drawn by chance."""
    rng = Random(seed)
    return {
        telling: compose(
            GAMES[rng.choice(list(GAMES))].matrix,
            Casting(situation, telling, rng.randrange(2), rng.randrange(2), *READERS),
            rng,
        )
        for telling in situation.tellings
    }
