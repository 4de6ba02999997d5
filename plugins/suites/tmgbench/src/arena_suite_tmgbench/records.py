"""All stories of a seed as data, and one situation told in all its ways."""

from collections.abc import Iterator
from random import Random
from typing import Any

from arena_game_two_by_two.casting import castings
from arena_game_two_by_two.composer import STORIES
from arena_game_two_by_two.situations import Situation
from arena_game_two_by_two.story import Story
from arena_game_two_by_two.storyteller import Casting, NamedPerson, compose
from arena_game_two_by_two.told import TwoByTwoStory
from arena_game_two_by_two.topology import GAMES

READERS = (NamedPerson("Ada", "she"), NamedPerson("Ben", "he"))
"""The people in stories that are only read."""


def records(seed: int, situations: str) -> Iterator[dict[str, Any]]:
    """Each of the 720 stories of a seed: game, number, topic, words, payoffs of A and B by row, and the text."""
    for game in GAMES:
        for number in range(STORIES):
            told = TwoByTwoStory(game=game, story=number, seed=seed, situations=situations)
            story = told.composed(game, number, seed)
            matrix = GAMES[game].matrix
            record: dict[str, Any] = {"game": game, "number": number, "topic": told.topic}
            if situations:
                casting = castings(seed, situations)[game, number]
                record |= {"situation": casting.situation.name, "telling": casting.telling}
            table: dict[str, Any] = {"A": [list(row) for row in matrix.a], "B": [list(row) for row in matrix.b]}
            yield {**record, "words": story.words, "table": table, "scenario": story.scenario}


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
