"""What a match needs of an environment, whichever interface it has."""

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Protocol

import attrs
from arena.errors import ConfigError
from arena.record import Action, Player

from arena_game_pettingzoo.choices import Choices


@attrs.frozen
class Sight:
    """What the environment shows one player: an observation, and a mask of its legal actions where it gives one."""

    observation: Any
    mask: Any = None


class Engine(Protocol):
    """A live environment; everything is deterministic in the seed and the actions."""

    names: tuple[str, ...]
    choices: tuple[Choices, ...]
    documentation: str

    def reset(self, seed: int) -> None:
        """Begin."""
        ...

    def acting(self) -> Sequence[Player]:
        """Who must act now."""
        ...

    def sights(self) -> Mapping[Player, Sight]:
        """What the players still in it see."""
        ...

    def step(self, actions: Mapping[Player, Action]) -> Mapping[Player, float]:
        """Apply one action of each player to act; what each earned by it."""
        ...

    def drawing(self) -> str:
        """What the environment draws as text; empty where it draws none."""
        ...


@contextmanager
def importing(name: str) -> Iterator[None]:
    """Say plainly why an environment cannot be made."""
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
    """What ``package.module`` or ``package.module:attribute`` leads to."""
    module, _, attribute = name.partition(":")
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def meanings(env: Any) -> tuple[str, ...]:
    """The words an environment has for its actions."""
    found: Any = getattr(env.unwrapped, "get_action_meanings", None)
    return tuple(str(word) for word in found()) if found else ()


def documented(texts: Iterable[str | None]) -> str:
    """The first text that says something."""
    return next((text.strip() for text in texts if text and text.strip()), "")
