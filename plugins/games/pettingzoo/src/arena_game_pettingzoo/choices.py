"""Action spaces as decisions: the options, their labels, and the conversion to the environment's actions."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

import attrs
import numpy as np
from arena.errors import ConfigError, RuleError
from arena.game import Illegal
from arena.record import JSON, Action, canonical_json
from gymnasium import spaces

MOST_OPTIONS = 4096
"""The most combinations that are listed as options; larger spaces are described by a JSON schema."""


class ActionSpace(ABC):
    """One player's action space."""

    @property
    def actions(self) -> Sequence[Action] | None:
        """All actions, or ``None`` if there are too many to list."""
        return None

    def label(self, action: Any) -> str:
        """The label of an action."""
        return f"action {canonical_json(action)}"

    def legal(self, mask: Any) -> Sequence[Action] | None:
        """The actions that the environment's ``mask`` allows; ``None`` if they are not listed."""
        if mask is not None:
            raise RuleError(f"a mask of legal actions is understood for Discrete spaces alone, not for {self!r}")
        return self.actions

    @property
    @abstractmethod
    def schema(self) -> JSON:
        """The JSON schema of an action."""

    @abstractmethod
    def sample(self, rng: Random) -> Action:
        """Draw an action uniformly."""

    @abstractmethod
    def fault(self, action: Any) -> Illegal | None:
        """Why an action does not belong to the space, or ``None`` if it does."""

    def given(self, action: Any) -> Any:
        """Convert an action to what the environment's ``step`` takes."""
        return action


@attrs.frozen
class Discrete(ActionSpace):
    """``Discrete``: one number, with the label that the environment or the user gives it."""

    first: int
    size: int
    words: tuple[str, ...] = ()

    @property
    def actions(self) -> Sequence[int]:
        return range(self.first, self.first + self.size)

    def label(self, action: int) -> str:
        """The given label, or ``action`` with its number."""
        return self.words[action - self.first] if self.words else f"action {action}"

    def legal(self, mask: Any) -> Sequence[int]:
        """The actions whose entry in the mask is not zero."""
        if mask is None:
            return self.actions
        if np.shape(mask) != (self.size,):
            raise RuleError(f"expected a mask of {self.size} numbers, the environment gave one of {np.shape(mask)}")
        return [self.first + int(i) for i in np.flatnonzero(mask)]

    @property
    def schema(self) -> JSON:
        return {"type": "integer", "minimum": self.first, "maximum": self.first + self.size - 1}

    def sample(self, rng: Random) -> int:
        return rng.choice(self.actions)

    def fault(self, action: Any) -> Illegal | None:
        """Refuse what is not one of the numbers."""
        if type(action) is int and action in self.actions:
            return None
        return Illegal("not-an-action", f"expected an integer from {self.first} to {self.first + self.size - 1}")


@attrs.frozen
class MultiDiscrete(ActionSpace):
    """``MultiDiscrete`` and ``MultiBinary``: a list of numbers, each with its own range."""

    lows: tuple[int, ...]
    sizes: tuple[int, ...]
    dtype: Any = attrs.field(eq=False)

    @property
    def _ranges(self) -> list[range]:
        return [range(low, low + size) for low, size in zip(self.lows, self.sizes, strict=True)]

    @property
    def actions(self) -> Sequence[Action] | None:
        """All combinations, unless there are too many."""
        return [list(each) for each in product(*self._ranges)] if prod(self.sizes) <= MOST_OPTIONS else None

    def label(self, action: Any) -> str:
        """The word ``actions`` and the numbers, separated by commas."""
        return f"actions {', '.join(map(str, action))}"

    @property
    def schema(self) -> JSON:
        items = [{"type": "integer", "minimum": r[0], "maximum": r[-1]} for r in self._ranges]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}

    def sample(self, rng: Random) -> Action:
        return [rng.choice(r) for r in self._ranges]

    def fault(self, action: Any) -> Illegal | None:
        """Refuse what is not a list of numbers in their ranges."""
        if (
            isinstance(action, list)
            and len(action) == len(self.sizes)
            and all(type(n) is int and n in r for n, r in zip(action, self._ranges, strict=True))
        ):
            return None
        spans = ", ".join(f"{r[0]} to {r[-1]}" for r in self._ranges)
        return Illegal("not-an-action", f"expected a list of {len(self.sizes)} integers, from {spans}")

    def given(self, action: Any) -> Any:
        return np.array(action, self.dtype)


@attrs.frozen
class Text(ActionSpace):
    """``Text``: any text that has the space's characters and lengths."""

    least: int
    most: int
    characters: str

    @property
    def schema(self) -> JSON:
        return {"type": "string", "minLength": self.least, "maxLength": self.most}

    def sample(self, rng: Random) -> Action:
        """Draw a length, then characters one by one."""
        return "".join(rng.choice(self.characters) for _ in range(rng.randint(self.least, self.most)))

    def fault(self, action: Any) -> Illegal | None:
        """Refuse what is no text, has another length, or contains other characters."""
        if not isinstance(action, str) or not self.least <= len(action) <= self.most:
            return Illegal("not-an-action", f"expected a text of {self.least} to {self.most} characters")
        if strange := sorted(set(action) - set(self.characters)):
            return Illegal("not-an-action", f"{strange[0]!r} is none of the characters {self.characters!r}")
        return None


def choices(name: str, space: Any, words: Sequence[str]) -> ActionSpace:
    """Wrap ``space``, the action space of environment ``name``; ``ConfigError`` if its kind is not supported."""
    if isinstance(space, spaces.Discrete):
        return _one(name, space, words)
    if words:
        raise ConfigError(f"labels: the actions of {name!r} are {space}; only those of a Discrete space have labels")
    if isinstance(space, spaces.MultiDiscrete):
        if space.nvec.ndim != 1:
            raise ConfigError(f"name: the actions of {name!r} are {space}; expected one dimension")
        lows = tuple(map(int, getattr(space, "start", np.zeros_like(space.nvec))))
        return MultiDiscrete(lows, tuple(map(int, space.nvec)), space.dtype)
    if isinstance(space, spaces.MultiBinary) and isinstance(space.n, int | np.integer):
        return MultiDiscrete((0,) * int(space.n), (2,) * int(space.n), space.dtype)
    if isinstance(space, spaces.Text):
        return Text(space.min_length, space.max_length, "".join(sorted(space.character_set)))
    kind = "continuous" if isinstance(space, spaces.Box) else type(space).__name__
    raise ConfigError(
        f"name: the action space of {name!r} is {kind} ({space}); expected Discrete, MultiDiscrete, MultiBinary or "
        "Text; name a function that wraps the environment so"
    )


def _one(name: str, space: Any, words: Sequence[str]) -> Discrete:
    size = int(space.n)
    if words and len(words) != size:
        raise ConfigError(f"labels: {name!r} has {size} actions, got {len(words)} labels")
    if len(set(words)) < len(words):
        raise ConfigError(f"labels: expected different labels, got {list(words)!r}")
    return Discrete(int(space.start), size, tuple(words))
