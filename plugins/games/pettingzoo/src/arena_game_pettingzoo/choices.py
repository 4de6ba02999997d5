"""Action spaces as decisions: what may be chosen, in which words, and how the environment wants to have it."""

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
from arena.record import JSON, Action, canonical
from gymnasium import spaces

MOST_OPTIONS = 4096
"""Combinations that are listed; where there are more, actions have a schema."""


class Choices(ABC):
    """What one player may ever choose."""

    @property
    def actions(self) -> Sequence[Action] | None:
        """All actions, ``None`` where they are not listed."""
        return None

    def label(self, action: Any) -> str:
        """An action in words."""
        return f"action {canonical(action)}"

    def legal(self, mask: Any) -> Sequence[Action] | None:
        """The actions a mask leaves."""
        if mask is not None:
            raise RuleError(f"a mask of legal actions is understood for Discrete spaces alone, not for {self!r}")
        return self.actions

    @property
    @abstractmethod
    def schema(self) -> JSON:
        """The JSON schema of an action."""

    @abstractmethod
    def sample(self, rng: Random) -> Action:
        """An action drawn uniformly."""

    @abstractmethod
    def fault(self, action: Any) -> Illegal | None:
        """Why an action does not belong to the space."""

    def given(self, action: Any) -> Any:
        """The action as the environment wants it."""
        return action


@attrs.frozen
class One(Choices):
    """``Discrete``: one number, with the words that the environment or the user has for it."""

    first: int
    size: int
    words: tuple[str, ...] = ()

    @property
    def actions(self) -> Sequence[int]:
        """The numbers."""
        return range(self.first, self.first + self.size)

    def label(self, action: int) -> str:
        """Its words, or that it is an action."""
        return self.words[action - self.first] if self.words else f"action {action}"

    def legal(self, mask: Any) -> Sequence[int]:
        """Those whose entry in the mask is not zero."""
        if mask is None:
            return self.actions
        if np.shape(mask) != (self.size,):
            raise RuleError(f"expected a mask of {self.size} numbers, the environment gave one of {np.shape(mask)}")
        return [self.first + int(i) for i in np.flatnonzero(mask)]

    @property
    def schema(self) -> JSON:
        """An integer."""
        return {"type": "integer", "minimum": self.first, "maximum": self.first + self.size - 1}

    def sample(self, rng: Random) -> int:
        """One of them."""
        return rng.choice(self.actions)

    def fault(self, action: Any) -> Illegal | None:
        """Not one of the numbers."""
        if type(action) is int and action in self.actions:
            return None
        return Illegal("not-an-action", f"expected an integer from {self.first} to {self.first + self.size - 1}")


@attrs.frozen
class Many(Choices):
    """``MultiDiscrete`` and ``MultiBinary``: a list of numbers, each from a range of its own."""

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
        """The numbers after one another."""
        return f"actions {', '.join(map(str, action))}"

    @property
    def schema(self) -> JSON:
        """A list of integers."""
        items = [{"type": "integer", "minimum": r[0], "maximum": r[-1]} for r in self._ranges]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}

    def sample(self, rng: Random) -> Action:
        """Each number on its own."""
        return [rng.choice(r) for r in self._ranges]

    def fault(self, action: Any) -> Illegal | None:
        """Not a list of so many such numbers."""
        if (
            isinstance(action, list)
            and len(action) == len(self.sizes)
            and all(type(n) is int and n in r for n, r in zip(action, self._ranges, strict=True))
        ):
            return None
        spans = ", ".join(f"{r[0]} to {r[-1]}" for r in self._ranges)
        return Illegal("not-an-action", f"expected a list of {len(self.sizes)} integers, from {spans}")

    def given(self, action: Any) -> Any:
        """An array."""
        return np.array(action, self.dtype)


@attrs.frozen
class Words(Choices):
    """``Text``: any text of the space's characters and lengths."""

    least: int
    most: int
    characters: str

    @property
    def schema(self) -> JSON:
        """A string."""
        return {"type": "string", "minLength": self.least, "maxLength": self.most}

    def sample(self, rng: Random) -> Action:
        """Characters drawn one by one."""
        return "".join(rng.choice(self.characters) for _ in range(rng.randint(self.least, self.most)))

    def fault(self, action: Any) -> Illegal | None:
        """No text, of another length, or with other characters."""
        if not isinstance(action, str) or not self.least <= len(action) <= self.most:
            return Illegal("not-an-action", f"expected a text of {self.least} to {self.most} characters")
        if strange := sorted(set(action) - set(self.characters)):
            return Illegal("not-an-action", f"{strange[0]!r} is none of the characters {self.characters!r}")
        return None


def choices(name: str, space: Any, words: Sequence[str]) -> Choices:
    """What ``space``, the action space of environment ``name``, lets one choose; ``ConfigError`` where none of this."""
    if isinstance(space, spaces.Discrete):
        return _one(name, space, words)
    if words:
        raise ConfigError(f"labels: the actions of {name!r} are {space}; only those of a Discrete space have labels")
    if isinstance(space, spaces.MultiDiscrete):
        if space.nvec.ndim != 1:
            raise ConfigError(f"name: the actions of {name!r} are {space}; expected one dimension")
        lows = tuple(map(int, getattr(space, "start", np.zeros_like(space.nvec))))
        return Many(lows, tuple(map(int, space.nvec)), space.dtype)
    if isinstance(space, spaces.MultiBinary) and isinstance(space.n, int | np.integer):
        return Many((0,) * int(space.n), (2,) * int(space.n), space.dtype)
    if isinstance(space, spaces.Text):
        return Words(space.min_length, space.max_length, "".join(sorted(space.character_set)))
    kind = "continuous" if isinstance(space, spaces.Box) else type(space).__name__
    raise ConfigError(
        f"name: the action space of {name!r} is {kind} ({space}); expected Discrete, MultiDiscrete, MultiBinary or "
        "Text; name a function that wraps the environment so"
    )


def _one(name: str, space: Any, words: Sequence[str]) -> One:
    size = int(space.n)
    if words and len(words) != size:
        raise ConfigError(f"labels: {name!r} has {size} actions, got {len(words)} labels")
    if len(set(words)) < len(words):
        raise ConfigError(f"labels: expected different labels, got {list(words)!r}")
    return One(int(space.start), size, tuple(words))
