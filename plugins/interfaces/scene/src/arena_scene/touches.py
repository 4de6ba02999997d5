"""Which elements of a scene are touched to choose an action: a cell, a column, a card, or one after another."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import attrs

from arena_scene.elements import plain

FORMAT = 1
"""The number of the format that ``Touches`` writes."""


class _Option(Protocol):
    """What ``arena.game.Option`` is."""

    @property
    def action(self) -> Any: ...

    @property
    def label(self) -> str: ...


@attrs.frozen(kw_only=True)
class Choice:
    """One option of a decision, and the ids of the elements that are touched for it, in their order.

    Without a path it is a button beside the picture (to pass, to fold). Options with one path open a menu of labels.
    """

    path: tuple[str, ...]
    action: Any
    label: str


@attrs.frozen(kw_only=True)
class Touches:
    """All options of a decision, each exactly once; ``say`` is the sentence above the picture."""

    choices: tuple[Choice, ...]
    say: str = ""

    @classmethod
    def of(cls, options: Iterable[_Option], path: Callable[[Any], Sequence[str]], say: str = "") -> "Touches":
        """The options of a decision, with the path that a function gives to each."""
        return cls(choices=tuple(Choice(path=tuple(path(o)), action=o.action, label=o.label) for o in options), say=say)

    def written(self) -> dict[str, Any]:
        """What can be touched as JSON."""
        choices = [{"path": list(c.path), "action": plain(c.action), "label": c.label} for c in self.choices]
        return {"touches": FORMAT, "choices": choices, **({"say": self.say} if self.say else {})}


def touches_of(game: object, decision: object) -> Touches | None:
    """What can be touched for a decision, as the game's method ``touches`` says; ``None`` where it says nothing.

    The method is a pure function of what an agent gets in its decision, and a game need not have it.
    """
    offered: Callable[[Any], Touches | None] | None = getattr(game, "touches", None)
    return None if offered is None else offered(decision)
