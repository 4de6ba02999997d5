"""Writes down how a game puts its events into words, for readers who do not have the game.

Words are those of events as they came up in random matches. Whatever did not come up has none: nothing is guessed.
"""

from collections.abc import Iterator, Mapping
from time import thread_time
from typing import Final

from arena.chance import Chance
from arena.game import Game
from arena.record import JSON, Action, GameEvent, Player, canonical_json, derive_rng, derive_seed

MOST_EVENTS: Final = 300
"""The most events of one game whose words are written down."""

MOST_CHARACTERS: Final = 20_000
"""The most characters of words that are written down of one game."""

MATCHES: Final = 20
"""The most random matches that are looked at."""


def event_key(kind: str, data: JSON) -> str:
    """The text by which an event's words are found."""
    return canonical_json([kind, data])


def event_words(game: Game, players: int, seconds: float) -> dict[str, str]:
    """The words of a game's events for the spectator, by ``event_key``, found in so much processor time.

    An exception of the game passes.
    """
    found: dict[str, str] = {}
    left, end = MOST_CHARACTERS, thread_time() + seconds
    for event in _events(game, players, end):
        key = event_key(event.kind, event.data)
        if key not in found:
            words = game.describe_event(event, None)
            left -= len(key) + len(words)
            if left < 0 or len(found) == MOST_EVENTS:
                break
            found[key] = words
    return found


def _events(game: Game, players: int, end: float) -> Iterator[GameEvent]:
    for number in range(MATCHES):
        state, opening = game.start(Chance(derive_seed("words", number)), players)
        yield from opening
        streams = [derive_rng("words", number, player) for player in range(players)]
        for _ in range(game.facts(players).max_steps):
            if not (acting := state.to_act()):
                break
            if thread_time() >= end:
                return
            actions: Mapping[Player, Action] = {p: state.decision(p).sample(streams[p]) for p in acting}
            yield from state.apply(actions)
