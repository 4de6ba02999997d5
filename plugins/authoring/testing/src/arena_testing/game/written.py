"""Checks what a game reads as an action when a person or a model writes it: what was shown, and nothing that was not.

A label names its action, in other spellings that the game knows too. A number that only programs use names none, since
who writes it counts in another way: the fifth cell is the centre for a person, and number 4 or 5 for an engine.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from arena.game import Decision, Illegal, Option
from arena.record import JSON, canonical_json
from arena_engine.foundation import json_fault

from arena_testing.game.position import ExaminedPosition

SMALL: Final = range(-2, 33)
"""The integers that are written in every decision, whatever its actions are."""

_MOST: Final = 40
"""The most labels, and the most numbers of actions, that are written in one decision."""

KINDS: Final = ("illegal", "unreadable", "ambiguous")
"""The kinds of refusals of a written value."""


def check_written(position: ExaminedPosition, decision: Decision, options: Sequence[Option]) -> None:
    """Labels are read as their actions; no number is, nor any text that stands for an action and was not shown."""
    some = options[:: max(1, len(options) // _MOST)]
    for option in some:
        meant = _read(position, decision, option.label)
        if isinstance(meant, Illegal) or canonical_json(meant) != canonical_json(option.action):
            what = f"the label {option.label!r} of the option {option.action!r} is read as {meant!r}"
            raise position.fault("writings", what, decision.player)
    labels = {option.label for option in options}
    for value in _hidden(decision, some):
        if canonical_json(value) not in labels and (not isinstance(value, str) or value not in labels):
            _check_refused(position, decision, value)
    for value in (f"{options[0].label} or not", "", None, True, 0.5):
        _check_refused(position, decision, value)


def _hidden(decision: Decision, options: Sequence[Option]) -> Iterator[JSON]:
    """Small integers, the actions that are numbers or texts, and all of these as texts."""
    for value in (*SMALL, *(option.action for option in options)):
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield from (value, canonical_json(value))
        elif isinstance(value, str):
            yield value


def _check_refused(position: ExaminedPosition, decision: Decision, value: JSON) -> None:
    position.examination.counts["written"] += 1
    if not isinstance(meant := _read(position, decision, value), Illegal):
        what = f"{value!r} is read as the action {meant!r}, and is no label that was shown; read labels alone"
        raise position.fault("writings", what, decision.player)


def _read(position: ExaminedPosition, decision: Decision, value: JSON) -> "JSON | Illegal":
    """What ``decision`` reads ``value`` as; fails if that raises or can be used by nobody."""
    try:
        meant = decision.interpret(value)
    except Exception as error:
        what = f"reading {value!r} raises {type(error).__name__}: {error}"
        raise position.fault("writings", what, decision.player) from error
    if not isinstance(meant, Illegal):
        if fault := json_fault(meant):
            what = f"{value!r} is read as {meant!r}, which is not JSON: {fault}"
            raise position.fault("writings", what, decision.player)
        return meant
    if meant.kind not in KINDS or not meant.reason.strip():
        what = f"{value!r} is refused as {meant!r}; its kind is to be one of {', '.join(KINDS)}, with a reason"
        raise position.fault("writings", what, decision.player)
    return meant
