"""Arena's games as environments for reinforcement learning: PettingZoo's AEC and parallel ones, and Gymnasium's.

::

    env = arena.adapters.aec_env("connect-four")
    env = arena.adapters.parallel_env({"use": "matrix-rps"})
    env = arena.adapters.gymnasium_env("tic-tac-toe", opponents="random")

A game is given as in a benchmark file, or as a ``Game``; an opponent likewise, or as an ``Agent``. PettingZoo and
Gymnasium are no part of the core: ``pip install 'arena-core[adapters]'``.

**Actions** are ``Discrete``: an index means the same action in every position of every match. Which actions there are
is said by the game (``Game.actions``) or by ``actions=[…]``. For games that say nothing there are two other spaces:
``actions=N`` makes the index a position in the list of current options, of which there may be ``N`` at most, and
``actions="text"`` takes an action's JSON text, which also serves games whose options cannot be listed. A mask says what
is legal: as ``action_mask`` in PettingZoo's observations and in Gymnasium's ``info``.

**Illegal actions** are never replaced. With ``illegal="raise"`` they raise ``RuleError`` and the match stands as it
was; with ``illegal="forfeit"`` they end it, and the game's own rule for forfeits says what each player earns.

**Observations** are what the player sees: ``observe="vector"`` encodes their data (``arena.adapters.encoding``),
``observe="text"`` renders one of the game's forms.

**Rewards** are what the game pays, as it pays. A match that ends by its rules or by a forfeit is *terminated*, one that
reaches its wave limit *truncated*.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from arena.errors import PluginError

if TYPE_CHECKING:
    from arena.adapters.against import AgainstOpponents
    from arena.adapters.parallel import Parallel
    from arena.adapters.turns import TurnByTurn
    from arena.agent import Agent
    from arena.game import Game

    GameLike: TypeAlias = Game | str | Mapping[str, Any]
    AgentLike: TypeAlias = Agent | str | Mapping[str, Any]


def aec_env(game: "GameLike", **settings: Any) -> "TurnByTurn":
    """A game as PettingZoo's ``AECEnv``; ``settings`` are those of ``arena.adapters.table.Settings``.

    Players who act at the same time are asked one after another, and nothing happens before the last of them has
    chosen. ``PluginError`` where PettingZoo is missing, ``ConfigError`` where the game does not fit the settings.
    """
    return _class("turns", "TurnByTurn", "pettingzoo")(game, **settings)


def parallel_env(game: "GameLike", **settings: Any) -> "Parallel":
    """A game as PettingZoo's ``ParallelEnv``: one step is one wave.

    Who is not to act in a wave has a mask of zeros, and whatever is given for it is not looked at. Otherwise as
    ``aec_env``.
    """
    return _class("parallel", "Parallel", "pettingzoo")(game, **settings)


def gymnasium_env(
    game: "GameLike", opponents: "AgentLike | Sequence[AgentLike]" = "random", **settings: Any
) -> "AgainstOpponents":
    """One seat of a game as Gymnasium's ``Env``; ``opponents`` hold the others, in player order.

    One opponent may stand for several. ``seat`` is the learner's player number, ``None`` draws one for each match;
    ``cache`` is a directory in which the answers of opponents' models are kept. Otherwise as ``aec_env``.
    """
    return _class("against", "AgainstOpponents", "gymnasium")(game, opponents, **settings)


def _class(module: str, name: str, needed: str) -> Any:
    try:
        import_module(needed)
    except ImportError as error:
        raise PluginError(
            f"arena.adapters needs {needed}, which is not installed; run `pip install 'arena-core[adapters]'`"
        ) from error
    return getattr(import_module(f"arena.adapters.{module}"), name)
