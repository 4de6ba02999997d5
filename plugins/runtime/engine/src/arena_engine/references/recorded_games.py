"""Writes into a run's journal what its games are and how they word events, so that it is read without them.

Words are those of events as they came up in random matches. Whatever did not come up has none: nothing is guessed.

The value under the metadata key ``games`` has a table for each game: its facts, its seats, what random and optimal play
earn in it as far as that was known when the run began, and the words of events.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from time import thread_time
from types import NoneType
from typing import Any, Final, cast

import attrs
from arena.chance import Chance
from arena.errors import JournalError
from arena.game import Game, GameFacts
from arena.metric import Baseline
from arena.record import JSON, Action, GameEvent, Player, canonical_json, derive_rng, derive_seed

from arena_engine.foundation.json_values import fits
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import JournalReader
from arena_engine.references.playing import GameOfRun, GameReference, references_of
from arena_engine.references.playouts import Playouts, baseline_of

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


GAMES: Final = "games"
"""The metadata key."""

SECONDS: Final = 1.0
"""Processor time that random matches of all games together may take before a run begins."""

WORDS_SECONDS: Final = 0.2
"""Processor time that looking for the words of events may take, for all games together."""

_RANDOM: Final = {
    "returns": "random",
    "errors": "random_errors",
    "n": "random_n",
    "deviations": "random_deviations",
    "wins": "random_wins",
    "draws": "random_draws",
    "turns": "random_turns",
    "source": "random_source",
}
"""The fields of a baseline about random play, by the words under which they are written."""

_FACTS: Final = {field.name: field.default for field in attrs.fields(GameFacts) if field.name != "random"}
"""The fields of a game's facts that are written, with their defaults: what random play earns stands apart."""

_FACT_SHAPES: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("simultaneous", "hidden_information", "chance", "messages"), bool),
    "returns": frozenset(("zero-sum", "constant-sum", "cooperative", "general-sum")),
    "min_return": (NoneType, float),
    "max_return": (NoneType, float),
    "optimal_returns": (NoneType, [float]),
    "optimal_source": str,
    "max_steps": int,
    "on_forfeit": frozenset(("end", "continue")),
    "forfeit_return": float,
    "others_return": float,
    "outcome": frozenset(("win-loss", "payoff", "")),
    "return_unit": str,
}

_SHAPE: Final = {
    "title": str,
    "players": int,
    "seats": [str],
    "facts": {f"{name}?": shape for name, shape in _FACT_SHAPES.items()},
    "random": (
        NoneType,
        {"returns": [float], "errors": [float], "n": int, "wins": [float], "draws": float, "turns": float}
        | {"deviations?": [float], "source?": str, "is_enough": bool},
    ),
    "digest": (NoneType, str),
    "words": {},
    "rules?": frozenset(("none",)),
}


@attrs.frozen(kw_only=True)
class RecordedGame:
    """What a journal says of a game: its title, what random and optimal play earn in it, and words of events.

    ``is_enough`` says that no more random matches are wanted. ``digest`` is the game's when the run began.
    ``has_rules`` is whether its rules explained it, as far as the journal says.
    """

    title: str
    players: int
    baseline: Baseline
    is_enough: bool
    digest: str | None
    words: Mapping[str, str] = attrs.field(factory=dict[str, str])
    has_rules: bool = True


def record_games(journal: Journal, games: Mapping[str, GameOfRun], seconds: float = SECONDS) -> None:
    """Write what the games are into the journal, but for those of which it says something already.

    A game that raises when it is asked for its facts is left out.
    """
    known = cast("Mapping[str, JSON]", journal.metadata(GAMES) or {})
    if new := {name: entry for name, entry in games.items() if name not in known}:
        journal.set_metadata(GAMES, {**known, **describe_games(new, seconds)})


def describe_games(games: Mapping[str, GameOfRun], seconds: float = SECONDS) -> dict[str, JSON]:
    """The games of a run as its journal keeps them; a game that raises when it is asked for its facts is left out."""
    references = references_of(games, seconds)
    share = WORDS_SECONDS / max(len(references.found), 1)
    made: dict[str, JSON] = {}
    for name, found in references.found.items():
        described = _described(games[name], found, share)
        with suppress(TypeError, ValueError, RecursionError):  # facts that are no JSON
            canonical_json(described)
            made[name] = described
    return made


def recorded_games(journal: JournalReader) -> dict[str, RecordedGame]:
    """What a journal says of its games; empty where it says nothing. ``JournalError`` if it is of another shape."""
    raw: Any = journal.metadata(GAMES)
    try:
        return {name: _recorded(name, each) for name, each in cast("Mapping[str, Any]", raw or {}).items()}
    except (TypeError, ValueError, LookupError, AttributeError) as error:
        raise JournalError(
            f"what {journal.path} says of its games is of another shape than Arena writes ({error}); "
            "this is no run of Arena, or a damaged one"
        ) from None


def _described(entry: GameOfRun, found: GameReference, seconds: float) -> JSON:
    baseline = found.baseline
    facts = {name: value for name in _FACTS if (value := getattr(found.facts, name)) != _FACTS[name]}
    random = {word: value for word, name in _RANDOM.items() if _is_said(word, value := getattr(baseline, name))}
    try:
        title, words = entry.game.title, event_words(entry.game, entry.players, seconds)
    except (Exception, SystemExit):  # the game is a plugin, and the words are a courtesy
        title, words = type(entry.game).__name__, {}
    mark: dict[str, JSON] = {} if entry.game.has_rules else {"rules": "none"}
    return {
        "title": title,
        "players": entry.players,
        "seats": found.seats,
        "facts": facts,
        "random": {**random, "is_enough": found.is_enough} if baseline.random else None,
        "digest": found.digest,
        "words": words,
        **mark,
    }


def _is_said(word: str, value: Any) -> bool:
    return value != "" and (word != "deviations" or bool(value))


def _recorded(name: str, raw: Mapping[str, Any]) -> RecordedGame:
    fits(raw, _SHAPE, name)
    players, seats, words = raw["players"], tuple(raw["seats"]), raw["words"]
    random: Mapping[str, Any] = raw["random"] or {}
    by_player = [seats, *(random[word] for word in ("returns", "errors", "deviations", "wins") if word in random)]
    if players < 1 or any(len(values) != players for values in by_player):
        raise ValueError(f"{name}: not one value for each of {players} players")
    if not all(isinstance(text, str) for text in words.values()):
        raise ValueError(f"{name}: words that are no texts")
    known = {fact: _tupled(value) for fact, value in raw["facts"].items() if fact in _FACTS}
    baseline = baseline_of(GameFacts(**known), seats, Playouts())
    told = {field: _tupled(random[word]) for word, field in _RANDOM.items() if word in random}
    return RecordedGame(
        title=raw["title"],
        players=players,
        baseline=attrs.evolve(baseline, **told),
        is_enough=bool(random.get("is_enough")),
        digest=raw["digest"],
        words=words,
        has_rules="rules" not in raw,
    )


def _tupled(value: Any) -> Any:
    return tuple(cast("list[Any]", value)) if isinstance(value, list) else value
