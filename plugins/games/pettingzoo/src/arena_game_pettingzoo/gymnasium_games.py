"""Gymnasium environments as games of one player."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Final

import attrs
import gymnasium
from arena.errors import ConfigError
from arena.record import Action, Player, canonical_json

from arena_game_pettingzoo.choices import choices
from arena_game_pettingzoo.engine import (
    ANSI,
    EnvironmentEngine,
    EnvObservation,
    can_picture,
    documented,
    dotted,
    importing,
    meanings,
    with_mode,
)
from arena_game_pettingzoo.environment_game import PICTURE_HELP, Wrapped
from arena_game_pettingzoo.observations import MASK, without_mask
from arena_game_pettingzoo.trusted_names import attribute_of, unknown_class, unknown_module

PLAYER = Player(0)

_BRIDGES: Final = ("GymV21Environment", "GymV26Environment")
"""Registered names that make an environment of another library, whose name may be a path."""


@attrs.frozen
class Gymnasium(Wrapped):
    """A Gymnasium environment with discrete or text actions, as a game of one player."""

    name: str = attrs.field(
        metadata={
            "help": "its id, such as FrozenLake-v1, or package.module:Class",
            "names_code": lambda parameters: _names_code(parameters["name"]),
            "unknown_code": lambda parameters: _unknown(parameters["name"]),
        }
    )
    parameters: Mapping[str, Any] = attrs.field(
        factory=dict, hash=False, metadata={"help": "keyword arguments of the environment"}
    )
    rules_text: str = attrs.field(default="", metadata={"help": "the rules; its own documentation unless given"})
    labels: tuple[str, ...] = attrs.field(default=(), metadata={"help": "words for its actions, in their order"})
    longest: int = attrs.field(default=1000, validator=attrs.validators.ge(1), metadata={"help": "steps of a match"})
    forfeit_return: float = attrs.field(
        default=-1.0, metadata={"help": "what a forfeit earns; set it below everything that can be earned"}
    )
    drawing: bool = attrs.field(
        default=False, metadata={"help": "show the player what the environment draws with render_mode: ansi"}
    )
    picture: bool = attrs.field(default=False, metadata={"help": PICTURE_HELP})
    hidden_information: bool = attrs.field(
        default=True, metadata={"help": "whether players may not know all; false where the observation is the state"}
    )

    def engine(self, mode: str = "") -> EnvironmentEngine:
        return GymnasiumEngine(self.name, self.parameters, self.labels, mode)

    @property
    def plan(self) -> EnvironmentEngine:
        """The environment to look spaces up in, made once for equal parameters."""
        return _plan(self.name, canonical_json(self.parameters), self.labels, ANSI if self.drawing else "")


class GymnasiumEngine(EnvironmentEngine):
    """Runs a Gymnasium environment."""

    names = ("player",)

    def __init__(self, name: str, parameters: Mapping[str, Any], labels: Sequence[str], mode: str) -> None:
        with importing(name):
            self._env = _make(name, with_mode(parameters, mode))
        self._mode = mode
        self.can_picture = can_picture(self._env)
        self._is_over = False
        self._sight = EnvObservation(None)
        self.choices = (choices(name, self._env.action_space, labels or meanings(self._env)),)
        self.documentation = documented([type(self._env.unwrapped).__doc__])

    def reset(self, seed: int) -> None:
        self._see(*self._env.reset(seed=seed))

    def acting(self) -> Sequence[Player]:
        """The player, until the environment terminates or truncates."""
        return () if self._is_over else (PLAYER,)

    def sights(self) -> Mapping[Player, EnvObservation]:
        return {PLAYER: self._sight}

    def step(self, actions: Mapping[Player, Action]) -> Mapping[Player, float]:
        observation, reward, terminated, truncated, info = self._env.step(actions[PLAYER])
        self._is_over = bool(terminated or truncated)
        self._see(observation, info)
        return {PLAYER: float(reward)}

    def drawing(self) -> str:
        return str(self._env.render()) if self._mode == ANSI else ""

    def picture(self) -> Any:
        return self._env.render()

    def _see(self, observation: Any, info: Mapping[str, Any]) -> None:
        observation, mask = without_mask(observation)
        self._sight = EnvObservation(observation, info.get(MASK) if mask is None else mask)


@lru_cache(maxsize=64)
def _plan(name: str, parameters: str, labels: tuple[str, ...], mode: str) -> EnvironmentEngine:
    return GymnasiumEngine(name, json.loads(parameters), labels, mode)


def _make(name: str, parameters: Mapping[str, Any]) -> Any:
    module, colon, attribute = name.partition(":")
    if colon and find_spec(module) is None:
        raise ConfigError(f"name: there is no module {module!r} for {name!r}")
    if colon and callable(found := getattr(dotted(module), attribute, None)):
        return found(**parameters)
    return gymnasium.make(name, disable_env_checker=True, **parameters)


def _names_code(name: str) -> bool:
    return ":" in name or name.startswith(_BRIDGES)


def _unknown(name: str) -> str:
    """Why a name that leads to code may lead to anything; empty if it is an environment that is no wrapper."""
    if ":" not in name:
        return "it makes an environment of another library"
    if why := unknown_module(name.partition(":")[0]):
        return why
    module, attribute = attribute_of(name)
    return unknown_class(getattr(module, attribute, None), (gymnasium.Env,), (gymnasium.Wrapper,))
