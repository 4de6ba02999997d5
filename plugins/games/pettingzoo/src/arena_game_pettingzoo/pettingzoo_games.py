"""PettingZoo environments as games of several players, who act in turn or at the same time."""

import inspect
import json
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Literal

import attrs
import pettingzoo
from arena.errors import ConfigError
from arena.record import Action, Player, canonical_json
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.wrappers import BaseWrapper
from pettingzoo.utils.wrappers.base_parallel import BaseParallelWrapper

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

MAKERS = {"aec": ("env",), "parallel": ("parallel_env",), "auto": ("parallel_env", "env")}
"""The names of the functions that make an environment, by interface."""


@attrs.frozen
class PettingZoo(Wrapped):
    """A PettingZoo environment with discrete or text actions."""

    name: str = attrs.field(
        metadata={
            "help": "registered (classic/rps-v2), a module (pettingzoo.classic.rps_v2), or package.module:function",
            "names_code": lambda parameters: "/" not in parameters["name"],
            "unknown_code": lambda parameters: _unknown(parameters["name"]),
        }
    )
    parameters: Mapping[str, Any] = attrs.field(
        factory=dict, hash=False, metadata={"help": "keyword arguments of the environment"}
    )
    api: Literal["auto", "aec", "parallel"] = attrs.field(
        default="auto", metadata={"help": "one after another, or together; auto takes the latter where there is both"}
    )
    rules_text: str = attrs.field(default="", metadata={"help": "the rules; its own documentation unless given"})
    labels: tuple[str, ...] = attrs.field(default=(), metadata={"help": "words for its actions, in their order"})
    longest: int = attrs.field(
        default=1000, validator=attrs.validators.ge(1), metadata={"help": "most steps of a match"}
    )
    forfeit_return: float = attrs.field(
        default=-1.0, metadata={"help": "what a forfeit earns; set it below everything that can be earned"}
    )
    drawing: bool = attrs.field(
        default=False, metadata={"help": "show every player what the environment draws with render_mode: ansi"}
    )
    picture: bool = attrs.field(default=False, metadata={"help": PICTURE_HELP})
    hidden_information: bool = attrs.field(
        default=True, metadata={"help": "whether players may not know all; false where the observation is the state"}
    )
    outcome: Literal["win-loss", "payoff"] = attrs.field(
        default="payoff",
        metadata={"help": "win-loss where only who earns more matters, payoff where it matters how far"},
    )

    @property
    def is_simultaneous(self) -> bool:
        """Whether the environment has the parallel interface."""
        return isinstance(self.plan, ParallelEngine) and len(self.plan.names) > 1

    def engine(self, mode: str = "") -> EnvironmentEngine:
        return _engine(self.name, self.parameters, self.api, self.labels, mode)

    @property
    def plan(self) -> EnvironmentEngine:
        """The environment to look spaces up in, made once for equal parameters."""
        return _plan(self.name, canonical_json(self.parameters), self.api, self.labels, ANSI if self.drawing else "")


class MultiAgentEngine(EnvironmentEngine):
    """What the engines for both interfaces share."""

    def __init__(self, name: str, env: Any, labels: Sequence[str], mode: str) -> None:
        self._env = env
        self._mode = mode
        self.can_picture = can_picture(env)
        agents = getattr(env, "possible_agents", None)
        if not agents:
            raise ConfigError(f"name: {name!r} does not say which agents may play (possible_agents)")
        self._agents = list(agents)
        self._player = {agent: Player(p) for p, agent in enumerate(self._agents)}
        self.names = tuple(map(str, self._agents))
        words = labels or meanings(env)
        self.choices = tuple(choices(name, env.action_space(agent), words) for agent in self._agents)
        kind = type(env.unwrapped)
        self.documentation = documented([sys.modules[kind.__module__].__doc__, inspect.getdoc(kind)])

    def drawing(self) -> str:
        return str(self._env.render()) if self._mode == ANSI else ""

    def picture(self) -> Any:
        return self._env.render()


class AECEngine(MultiAgentEngine):
    """Runs an AEC environment; agents that are dead are removed at once and earn nothing more."""

    def reset(self, seed: int) -> None:
        self._env.reset(seed=seed)
        self._bury()

    def acting(self) -> Sequence[Player]:
        return (self._player[self._env.agent_selection],) if self._env.agents else ()

    def sights(self) -> Mapping[Player, EnvObservation]:
        """What each agent observes; only the acting agent's mask is used."""
        return self._seen

    def step(self, actions: Mapping[Player, Action]) -> Mapping[Player, float]:
        """One step of the selected agent."""
        (action,) = actions.values()
        self._env.step(action)
        paid = {self._player[agent]: float(reward) for agent, reward in self._env.rewards.items()}
        self._bury()
        return paid

    def _bury(self) -> None:
        env = self._env
        self._seen = {self._player[agent]: self._sight(agent) for agent in env.agents}
        while env.agents and (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            env.step(None)

    def _sight(self, agent: Any) -> EnvObservation:
        observation, mask = without_mask(self._env.observe(agent))
        return EnvObservation(observation, self._env.infos[agent].get(MASK) if mask is None else mask)


class ParallelEngine(MultiAgentEngine):
    """Runs a parallel environment, in which every living agent acts in every step."""

    def reset(self, seed: int) -> None:
        self._see(*self._env.reset(seed=seed))

    def acting(self) -> Sequence[Player]:
        return tuple(sorted(self._player[agent] for agent in self._env.agents))

    def sights(self) -> Mapping[Player, EnvObservation]:
        """The observations of the last step or reset."""
        return self._seen

    def step(self, actions: Mapping[Player, Action]) -> Mapping[Player, float]:
        """One step of all living agents."""
        given = {self._agents[p]: action for p, action in actions.items()}
        observations, rewards, _, _, infos = self._env.step(given)
        self._see(observations, infos)
        return {self._player[agent]: float(reward) for agent, reward in rewards.items()}

    def _see(self, observations: Mapping[Any, Any], infos: Mapping[Any, Any]) -> None:
        self._seen: dict[Player, EnvObservation] = {}
        for agent, seen in observations.items():
            observation, mask = without_mask(seen)
            self._seen[self._player[agent]] = EnvObservation(
                observation, infos.get(agent, {}).get(MASK) if mask is None else mask
            )


@lru_cache(maxsize=64)
def _plan(name: str, parameters: str, api: str, labels: tuple[str, ...], mode: str) -> EnvironmentEngine:
    return _engine(name, json.loads(parameters), api, labels, mode)


def _engine(name: str, parameters: Mapping[str, Any], api: str, labels: Sequence[str], mode: str) -> EnvironmentEngine:
    with importing(name):
        env = _make(name, with_mode(parameters, mode), api)
    if isinstance(env, ParallelEnv):
        return ParallelEngine(name, env, labels, mode)
    if isinstance(env, AECEnv):
        return AECEngine(name, env, labels, mode)
    raise ConfigError(f"name: {name!r} makes {type(env).__name__!r}, which is no environment of PettingZoo")


def _make(name: str, parameters: Mapping[str, Any], api: str) -> Any:
    if "/" in name:
        return _registered(name, parameters, api)
    found = dotted(name)
    if ":" in name:
        return found(**parameters)
    for maker in MAKERS[api]:
        if function := getattr(found, maker, None):
            return function(**parameters)
    raise ConfigError(f"api: {name!r} has none of {' and '.join(MAKERS[api])}; choose another api")


def _registered(name: str, parameters: Mapping[str, Any], api: str) -> Any:
    make: Any = getattr(pettingzoo, "make", None)
    if make is None:
        raise ConfigError(f"name: this version of PettingZoo has no registry for {name!r}; name its module instead")
    is_parallel = api == "parallel" or (api == "auto" and name in pettingzoo.parallel_registry)
    return make("parallel" if is_parallel else "aec", name, **parameters)


def _unknown(name: str) -> str:
    """Why a path may lead to anything; empty for an environment, and for PettingZoo's functions beside one."""
    if why := unknown_module(name.partition(":")[0]):
        return why
    module, attribute = attribute_of(name)
    is_function = attribute in ("", *(maker for makers in MAKERS.values() for maker in makers))
    found = getattr(module, "raw_env" if is_function else attribute, None)
    return unknown_class(found, (AECEnv, ParallelEnv), (BaseWrapper, BaseParallelWrapper))
