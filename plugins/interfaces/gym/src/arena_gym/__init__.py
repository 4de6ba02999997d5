"""Arena's games as environments for reinforcement learning: PettingZoo's AEC and parallel ones, and Gymnasium's.

::

    env = arena_gym.aec_env("connect-four")
    env = arena_gym.parallel_env({"use": "matrix-rps"})
    env = arena_gym.gymnasium_env("tic-tac-toe", opponents="random")

A game is given as in a benchmark file, or as a ``Game``; an opponent likewise, or as an ``Agent``.

**Actions** are ``Discrete``: an index means the same action in every position of every match. Which actions there are
is said by the game (``Game.actions``) or by ``actions=[…]``. For games that say nothing there are two other spaces:
``actions=N`` makes the index a position in the list of current options, of which there may be ``N`` at most, and
``actions="text"`` takes an action's JSON text, which also serves games whose options cannot be listed; its samples are
legal actions of the decision that is open. A mask says what
is legal: as ``action_mask`` in PettingZoo's observations and in Gymnasium's ``info``.

**Illegal actions** are never replaced. With ``illegal="raise"`` they raise ``RuleError`` and the match stands as it
was; with ``illegal="forfeit"``, as in Gymnasium if nothing is said, they end it, and the game's own rule for forfeits
says what each player earns.

**Observations** are what the player sees: ``observe="vector"`` encodes their data (``arena_gym.encoding``),
``observe="text"`` renders one of the game's forms.

**Rewards** are what the game pays, as it pays. A match that ends by its rules or by a forfeit is *terminated*, one that
reaches its step limit *truncated*.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias

if TYPE_CHECKING:
    from arena.agent import Agent
    from arena.game import Game

    from arena_gym.aec import AECEnvironment
    from arena_gym.encoding import Encoding as Encoding, HashedFeatures as HashedFeatures
    from arena_gym.environment import Settings as Settings
    from arena_gym.indexing import ActionIndex as ActionIndex, action_index as action_index
    from arena_gym.parallel import ParallelEnvironment
    from arena_gym.single_agent import SingleAgentEnv

    GameLike: TypeAlias = Game | str | Mapping[str, Any]
    AgentLike: TypeAlias = Agent | str | Mapping[str, Any]


__all__ = [
    "ActionIndex",
    "Encoding",
    "HashedFeatures",
    "Settings",
    "action_index",
    "aec_env",
    "gymnasium_env",
    "parallel_env",
]

_HOMES: Final = {
    "ActionIndex": "arena_gym.indexing",
    "Encoding": "arena_gym.encoding",
    "HashedFeatures": "arena_gym.encoding",
    "Settings": "arena_gym.environment",
    "action_index": "arena_gym.indexing",
}


def __getattr__(name: str) -> Any:
    # Imported when it is used: PettingZoo, Gymnasium and NumPy are heavy.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


import_module("arena_engine")  # looks whether the package arena is ours, before any module here imports it


def aec_env(game: "GameLike", **settings: Any) -> "AECEnvironment":
    """A game as PettingZoo's ``AECEnv``; ``settings`` are the fields of ``arena_gym.environment.Settings``.

    Players who act at the same time are asked one after another, and nothing happens before the last of them has
    chosen. ``PluginError`` where PettingZoo is missing, ``ConfigError`` where the game does not fit the settings.
    """
    return _class("aec", "AECEnvironment", "pettingzoo")(game, **settings)


def parallel_env(game: "GameLike", **settings: Any) -> "ParallelEnvironment":
    """A game as PettingZoo's ``ParallelEnv``: one call of ``step`` is one step of the game.

    A player that is not to act in a step has a mask of zeros, and its entry in ``actions`` is ignored. Otherwise as
    ``aec_env``.
    """
    return _class("parallel", "ParallelEnvironment", "pettingzoo")(game, **settings)


def gymnasium_env(
    game: "GameLike", opponents: "AgentLike | Sequence[AgentLike]" = "random", **settings: Any
) -> "SingleAgentEnv":
    """One seat of a game as Gymnasium's ``Env``; ``opponents`` play the others, in player order.

    A single opponent plays all other seats. ``seat`` is the learner's player number, ``None`` draws one for each match;
    ``cache`` is a directory for the completions of opponents' models. Otherwise as ``aec_env``.
    """
    return _class("single_agent", "SingleAgentEnv", "gymnasium")(game, opponents, **settings)


def _class(module: str, name: str, needed: str) -> Any:
    try:
        import_module(needed)
    except ImportError as error:
        from arena.errors import PluginError
        from arena.installing import full_name, install_line

        line = install_line(full_name("gym"))
        raise PluginError(f"arena_gym needs {needed}, which is not installed; run `{line}`") from error
    return getattr(import_module(f"arena_gym.{module}"), name)
