"""Writes into a run's journal what its games are, so that the run can be read where they are not installed.

The value under the metadata key ``games`` has a table for each game: its facts, its seats, what random and optimal play
earn in it as far as that was known when the run began, and the words of events.
"""

from collections.abc import Mapping
from contextlib import suppress
from types import NoneType
from typing import Any, Final, cast

import attrs
from arena.errors import JournalError
from arena.game import GameFacts
from arena.metric import Baseline
from arena.record import JSON, canonical_json

from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import JournalReader
from arena_engine.journal.shapes import fits
from arena_engine.references.event_words import event_words
from arena_engine.references.playing import GameOfRun, GameReference, references_of
from arena_engine.references.playouts import Playouts, baseline_of

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
        | {"source?": str, "is_enough": bool},
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
    random = {word: value for word, name in _RANDOM.items() if (value := getattr(baseline, name)) != ""}
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


def _recorded(name: str, raw: Mapping[str, Any]) -> RecordedGame:
    fits(raw, _SHAPE, name)
    players, seats, words = raw["players"], tuple(raw["seats"]), raw["words"]
    random: Mapping[str, Any] = raw["random"] or {}
    by_player = [seats, *(random[word] for word in ("returns", "errors", "wins") if random)]
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
