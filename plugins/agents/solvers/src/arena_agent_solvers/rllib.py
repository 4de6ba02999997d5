"""Loads a policy that RLlib trained in one of ``arena_gym``'s environments, from its checkpoint."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from math import exp
from pathlib import Path
from typing import Any

from arena.errors import ConfigError, PluginError
from arena.game import Decision, Game
from arena.installing import install_line
from arena.record import Action
from arena_gym import ActionIndex, HashedFeatures, action_index

MASK = "action_mask"
"""The key of the mask of legal actions in an observation, as PettingZoo's own games name it."""


def numbered(game: Game, players: int, actions: int | None) -> ActionIndex:
    """The action index of the environment the policy was trained in; ``ConfigError`` if it cannot be determined."""
    found = action_index(game, players, actions)
    assert found is not None  # only texts have no numbers
    return found


@lru_cache(maxsize=8)
def module_of(path: Path, name: str) -> Any:
    """Load the ``RLModule`` of a checkpoint, of an algorithm or of a module; ``ConfigError`` if there is none.

    Loading a checkpoint can run any code, so it must be trusted.
    """
    own = path / "learner_group" / "learner" / "rl_module" / name
    try:
        from ray.rllib.core.rl_module.rl_module import RLModule
    except ImportError as error:
        raise ConfigError(f"RLlib cannot be imported ({error}); run `{install_line('ray[rllib]', 'torch')}`") from error
    try:
        return RLModule.from_checkpoint((own if own.is_dir() else path).absolute())
    except Exception as error:  # whatever is in a directory of somebody else
        raise ConfigError(
            f"{path}: cannot be read as a checkpoint of RLlib ({type(error).__name__}: {error})"
        ) from error


def asked(module: Any, decision: Decision, numbers: ActionIndex) -> list[tuple[Action, float]]:
    """The probability that the policy gives each legal action; those of illegal actions are dropped."""
    torch: Any = import_module("torch")
    legal = numbers.legal(decision)
    seen = observed(module.observation_space, decision, numbers.size, legal)
    batch = {"obs": _tensors(seen, torch)}
    with torch.no_grad():
        logits: Sequence[float] = module.forward_inference(batch)["action_dist_inputs"][0].tolist()
    if len(logits) != numbers.size:
        raise PluginError(
            f"the policy knows {len(logits)} actions and this game has {numbers.size}; was it trained in it?"
        )
    shares = shared([logits[place] for place in legal])
    assert decision.options is not None  # whose actions have numbers
    return list(zip(decision.options.actions, shares, strict=True))


def observed(space: Any, decision: Decision, size: int, legal: Sequence[int]) -> Any:
    """The observation as the policy's space expects it: a vector, or a mapping with the mask of legal actions."""
    parts: Mapping[str, Any] | None = getattr(space, "spaces", None)
    if parts is None:
        return _encoded(space, decision)
    mask = [float(place in set(legal)) for place in range(size)]
    return {name: mask if name == MASK else _encoded(part, decision) for name, part in parts.items()}


def shared(logits: Sequence[float]) -> list[float]:
    """Convert logits to probabilities (softmax)."""
    top = max(logits)
    weights = [exp(logit - top) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def _encoded(space: Any, decision: Decision) -> Sequence[float]:
    return HashedFeatures(int(space.shape[-1])).encode(decision.observation)


def _tensors(seen: Any, torch: Any) -> Any:
    if isinstance(seen, Mapping):
        return {name: _tensors(part, torch) for name, part in seen.items()}
    return torch.tensor([seen], dtype=torch.float32)
