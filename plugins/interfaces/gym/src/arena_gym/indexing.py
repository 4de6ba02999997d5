"""Actions as indices of a fixed space.

An index stands for the same action in every match or, in games that do not list their actions, for a position in the
list of the current options. Only the decision is read, never the game's state.
"""

import json
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypeAlias

import attrs
from arena.errors import ConfigError, RuleError
from arena.game import ABSENT, Absent, Decision, Game, Options
from arena.record import Action, canonical_json

Actions: TypeAlias = Sequence[Action] | int | Literal["text"] | None
"""How actions are numbered: all actions of the game, the largest number of options, as text, or as the game says."""


class ActionIndex(Protocol):
    """A fixed number of indices, and the action that each stands for in a decision."""

    size: int

    def legal(self, decision: Decision) -> list[int]:
        """The indices that may be played; raises ``RuleError`` if an option has none."""
        ...

    def action(self, decision: Decision, index: int) -> Action | Absent:
        """The action that ``index`` stands for, legal or not; ``ABSENT`` if it stands for none."""
        ...


class GlobalIndex(ActionIndex):
    """Each action of the game has its own index, the same in every position."""

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
        try:
            return [self._index[_key(action)] for action in _options(decision).actions]
        except KeyError as error:
            raise RuleError(
                f"the game offers {error.args[0]}, which is not among its {self.size} declared actions; "
                "give all of them with actions=[…], or use actions=N"
            ) from error

    def action(self, decision: Decision, index: int) -> Action | Absent:
        return self.actions[index] if 0 <= index < self.size else ABSENT


@attrs.frozen
class OptionIndex(ActionIndex):
    """An index is a position in the list of the current options."""

    size: int

    def legal(self, decision: Decision) -> list[int]:
        options = len(_options(decision))
        if options > self.size:
            raise RuleError(f"{options} options do not fit into actions={self.size}; give a larger number")
        return list(range(options))

    def action(self, decision: Decision, index: int) -> Action | Absent:
        actions = _options(decision).actions
        return actions[index] if 0 <= index < len(actions) else ABSENT


def action_index(game: Game, players: int, actions: Actions) -> ActionIndex | None:
    """The index of a game's actions, ``None`` if they are text; raises ``ConfigError`` if they cannot be numbered."""
    if actions == "text":
        return None
    if isinstance(actions, str):
        raise ConfigError(f"actions: expected 'text', a list of actions or a number of options, got {actions!r}")
    if isinstance(actions, int):
        if actions < 1:
            raise ConfigError(f"actions: expected the most options a decision can have, got {actions!r}")
        return OptionIndex(actions)
    known = game.actions(players) if actions is None else actions
    if known is None:
        raise ConfigError(
            f"actions: {type(game).__name__} does not say which actions it has; give all of them with actions=[…], the "
            "most options a decision can have with actions=N, or actions='text'"
        )
    return GlobalIndex(known)


def written(decision: Decision, text: str) -> Action | Absent:
    """The action that ``text`` is, as JSON or as the label of an option; ``ABSENT`` if it is neither, or ambiguous."""
    meant: dict[str, Action] = {}
    try:
        action = json.loads(text, parse_constant=_refuse)
        meant[canonical_json(action)] = action
    except ValueError:
        pass
    for option in decision.options or ():
        if option.label == text:
            meant[canonical_json(option.action)] = option.action
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
    # integers are looked up as they are, which is faster; values equal to one (True, 1.0) are not integers here
    return action if type(action) is int else canonical_json(action)
