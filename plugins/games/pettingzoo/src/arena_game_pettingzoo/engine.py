"""What a match needs from an environment, whichever interface the environment has."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final, Protocol

import attrs
from arena.errors import ConfigError
from arena.record import Action, Player

from arena_game_pettingzoo.choices import ActionSpace

ANSI: Final = "ansi"
"""The render mode in which an environment draws with letters."""

PIXELS: Final = "rgb_array"
"""The render mode in which an environment draws pictures."""


@attrs.frozen
class EnvObservation:
    """What the environment shows one player: an observation, and a mask of its legal actions if it gives one."""

    observation: Any
    mask: Any = None


class EnvironmentEngine(Protocol):
    """A live environment that is deterministic in its seed and actions."""

    names: tuple[str, ...]
    choices: tuple[ActionSpace, ...]
    documentation: str
    can_picture: bool

    def reset(self, seed: int) -> None:
        """Start an episode with this seed."""
        ...

    def acting(self) -> Sequence[Player]:
        """The players who must act in the next step; empty when the episode is over."""
        ...

    def sights(self) -> Mapping[Player, EnvObservation]:
        """What each player who is still alive observes."""
        ...

    def step(self, actions: Mapping[Player, Action]) -> Mapping[Player, float]:
        """Apply one action of each acting player; returns each player's reward."""
        ...

    def drawing(self) -> str:
        """The environment's own drawing as text; empty if it was not made with ``ANSI``."""
        ...

    def picture(self) -> Any:
        """What an environment made with ``PIXELS`` draws: an array of rows of red, green and blue."""
        ...


@contextmanager
def importing(name: str) -> Iterator[None]:
    """Turn errors from making an environment in this context into a ``ConfigError`` that explains them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about versions and the ways to make it; the name was the user's choice
        try:
            yield
        except ConfigError:
            raise
        except ModuleNotFoundError as error:
            raise ConfigError(f"name: {name!r} needs the module {error.name!r}, which is not installed") from error
        except Exception as error:
            raise ConfigError(f"name: {name!r} cannot be made: {type(error).__name__}: {error}") from error


def dotted(name: str) -> Any:
    """Import ``package.module`` or ``package.module:attribute``."""
    module, _, attribute = name.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def meanings(env: Any) -> tuple[str, ...]:
    """The environment's own labels of its actions; empty if it has none."""
    found: Any = getattr(env.unwrapped, "get_action_meanings", None)
    return tuple(str(word) for word in found()) if found else ()


def with_mode(parameters: Mapping[str, Any], mode: str) -> dict[str, Any]:
    """The parameters of an environment that draws in a render mode; with an empty one it is not told of any."""
    return {**parameters, "render_mode": mode} if mode else dict(parameters)


def can_picture(env: Any) -> bool:
    """Whether an environment says that it draws pictures."""
    known: Any = getattr(env.unwrapped, "metadata", None)
    return isinstance(known, Mapping) and PIXELS in (known.get("render_modes") or ())


def documented(texts: Iterable[str | None]) -> str:
    """The first text that is not empty, for documentation that may be in several places."""
    return next((text.strip() for text in texts if text and text.strip()), "")
