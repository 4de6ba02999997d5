"""Actions as indices of a fixed space.

An index is a promise: it stands for the same action in every match, or, for games that do not say which actions they
have, for a place among the current options. Nothing here looks at the game's state but through a decision.
"""

import json
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

import attrs

from arena.errors import ConfigError, RuleError
from arena.game import ABSENT, Absent, Decision, Game, Options
from arena.record import Action, canonical

Actions: TypeAlias = Sequence[Action] | int | Literal["text"] | None
"""How actions are written: a list of all there are, how many options there may be, as text, or as the game says."""


class Numbering(Protocol):
    """A fixed number of indices, and what they mean in a decision."""

    size: int

    def legal(self, decision: Decision) -> list[int]:
        """The indices that may be played; ``RuleError`` where an option has none."""
        ...

    def action(self, decision: Decision, index: int) -> Action | Absent:
        """What ``index`` stands for, legal or not; ``ABSENT`` where it stands for nothing."""
        ...


class Fixed(Numbering):
    """Each action of the game has an index of its own."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self.actions = actions
        self.size = len(actions)
        self._index = {_key(action): i for i, action in enumerate(actions)}
        if not actions or len(self._index) < len(actions):
            raise ConfigError(
                f"actions: expected one or more different actions, got {len(actions)} of which "
                f"{len(self._index)} differ"
            )

    def legal(self, decision: Decision) -> list[int]:
        """The indices of the options."""
        try:
            return [self._index[_key(action)] for action in _options(decision).actions]
        except KeyError as error:
            raise RuleError(
                f"the game offers {error.args[0]}, which is not among its {self.size} declared actions; "
                "give all of them with actions=[…], or use actions=N"
            ) from error

    def action(self, decision: Decision, index: int) -> Action | Absent:
        """The action with this index."""
        return self.actions[index] if 0 <= index < self.size else ABSENT


@attrs.frozen
class Places(Numbering):
    """An index is a place in the list of the current options."""

    size: int

    def legal(self, decision: Decision) -> list[int]:
        """The first places."""
        options = len(_options(decision))
        if options > self.size:
            raise RuleError(f"{options} options do not fit into actions={self.size}; give a larger number")
        return list(range(options))

    def action(self, decision: Decision, index: int) -> Action | Absent:
        """The option in this place."""
        actions = _options(decision).actions
        return actions[index] if 0 <= index < len(actions) else ABSENT


def numbering(game: Game, players: int, actions: Actions) -> Numbering | None:
    """How the actions of a game are numbered, ``None`` where they are text; ``ConfigError`` where they cannot be."""
    if actions == "text":
        return None
    if isinstance(actions, str):
        raise ConfigError(f"actions: expected 'text', a list of actions or a number of options, got {actions!r}")
    if isinstance(actions, int):
        if actions < 1:
            raise ConfigError(f"actions: expected the most options a decision can have, got {actions!r}")
        return Places(actions)
    known = game.actions(players) if actions is None else actions
    if known is None:
        raise ConfigError(
            f"actions: {type(game).__name__} does not say which actions it has; give all of them with actions=[…], the "
            "most options a decision can have with actions=N, or actions='text'"
        )
    return Fixed(known)


def written(decision: Decision, text: str) -> Action | Absent:
    """The action that ``text`` is, as JSON or as the label of an option; ``ABSENT`` where it is neither, or both."""
    meant: dict[str, Action] = {}
    try:
        action = json.loads(text, parse_constant=_refuse)
        meant[canonical(action)] = action
    except ValueError:
        pass
    for option in decision.options or ():
        if option.label == text:
            meant[canonical(option.action)] = option.action
    return meant.popitem()[1] if len(meant) == 1 else ABSENT


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")


def _options(decision: Decision) -> Options:
    if decision.options is None:
        raise RuleError(
            f"the options of phase {decision.phase!r} cannot be listed, so they have no indices; use actions='text'"
        )
    return decision.options


def _key(action: Action) -> Any:
    # integers, and nothing else that equals one, are quicker looked up as they are
    return action if type(action) is int else canonical(action)
