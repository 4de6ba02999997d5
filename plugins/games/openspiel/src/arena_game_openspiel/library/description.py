"""Describes a game by what OpenSpiel knows about it, and makes OpenSpiel's words for actions readable."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from string import Formatter
from typing import Any, Final

import pyspiel

Dynamics = pyspiel.GameType.Dynamics
Information = pyspiel.GameType.Information
ChanceMode = pyspiel.GameType.ChanceMode
Utility = pyspiel.GameType.Utility

SUMS = {
    Utility.ZERO_SUM: "What the players earn adds up to zero: what one wins the others lose.",
    Utility.CONSTANT_SUM: "What the players earn always adds up to the same amount.",
    Utility.IDENTICAL: "All players earn the same: they win or lose together.",
    Utility.GENERAL_SUM: "What the players earn need not add up to anything.",
}

TEXTS: Final = files("arena_game_openspiel") / "library" / "rules"
"""The folder of rules texts, a file for each game. A text names the parameters that it holds for, as in ``{rows}``."""


def told(name: str, parameters: Mapping[str, Any]) -> str | None:
    """The rules of a game in our words; ``None`` if there are none, or if they hold for other parameters only."""
    text = _text(name)
    usual = specification(name)
    unusual = {key for key, value in parameters.items() if key != "players" and value != usual.get(key)}
    if text is None or not unusual <= {field for _, field, _, _ in Formatter().parse(text)}:
        return None
    return text.format_map({**usual, **parameters}).strip()


@lru_cache
def _text(name: str) -> str | None:
    file = TEXTS / f"{name}.txt"
    return file.read_text("utf-8") if file.is_file() else None


def describe(
    name: str, game: pyspiel.Game, parameters: Mapping[str, Any], counts: Sequence[int], *, is_veiled: bool
) -> str:
    """A rules text: our words where there are any, and OpenSpiel's facts."""
    kind = game.get_type()
    # what a game says of its parameters grows while they are used, so the registry is asked
    defaults = {key: value for key, value in specification(name).items() if _is_told(value)}
    settings = {key: value for key, value in {**defaults, **parameters}.items() if key != "players"}
    lines = [
        f"This is the game {kind.long_name} of the OpenSpiel library (short name {name}), by the library's rules.",
        _players(counts),
        _order(kind),
        "Chance plays a part." if kind.chance_mode != ChanceMode.DETERMINISTIC else "There is no chance in it.",
        _sight(kind, is_veiled),
        "Each turn you choose one of the legal actions that you are given; each has a number and its words.",
        _earnings(game, kind),
        f"A match has at most {game.max_game_length()} turns.",
    ]
    if settings:
        values = ", ".join(f"{key} = {value!r}" for key, value in sorted(settings.items()))
        lines.append(f"Its parameters are: {values}.")
    text = told(name, parameters)
    return "\n".join([*lines[:1], "", text, "", *lines[1:]] if text else lines)


def _is_told(default: Any) -> bool:
    """Whether a default value says anything: 0 and empty values stand for what the game works out itself."""
    return isinstance(default, bool | int | float | str) and (isinstance(default, bool) or bool(default))


@lru_cache
def registered(name: str) -> pyspiel.GameType:
    """What OpenSpiel says of a game before it is made."""
    return next(kind for kind in pyspiel.registered_games() if kind.short_name == name)


def specification(name: str) -> Mapping[str, Any]:
    """The parameters of a registered game with their defaults."""
    return registered(name).parameter_specification


def dressed(words: Mapping[int, str]) -> dict[int, str]:
    """Make OpenSpiel's words for actions unique, and add to those that are bare numbers."""
    plain = {action: " ".join(text.split()) for action, text in words.items()}
    for action, text in plain.items():
        if not text:
            plain[action] = f"action {action}"
        elif not any(map(str.isalpha, text)):
            plain[action] = f"choose {text}"
    alike = Counter(plain.values())
    return {action: f"{text} (action {action})" if alike[text] > 1 else text for action, text in plain.items()}


def _players(counts: Sequence[int]) -> str:
    if len(counts) == 1:
        return "It has one player." if counts[0] == 1 else f"It has {counts[0]} players, numbered from 0."
    return f"It is for {', '.join(map(str, counts[:-1]))} or {counts[-1]} players, numbered from 0."


def _order(kind: pyspiel.GameType) -> str:
    if kind.dynamics == Dynamics.SIMULTANEOUS:
        return "In each turn all players choose at the same time, without seeing what the others choose."
    return "One player moves at a time."


def _sight(kind: pyspiel.GameType, is_veiled: bool) -> str:
    if kind.information == Information.IMPERFECT_INFORMATION:
        return "Something is hidden: each player sees what its own observations show, and nothing else."
    return "After each turn you are shown what you see." if is_veiled else "Everybody sees everything."


def _earnings(game: pyspiel.Game, kind: pyspiel.GameType) -> str:
    least, greatest = game.min_utility(), game.max_utility()
    bounds = ""
    if abs(least) < float("inf") and abs(greatest) < float("inf"):
        bounds = f"A player earns between {least:g} and {greatest:g}; more is better. "
    return bounds + (SUMS[kind.utility] if game.num_players() > 1 else "")
