"""Finds the OpenSpiel game and state behind an Arena game, for algorithms of OpenSpiel.

A game is OpenSpiel's if its class has a method ``engine(players)`` that returns a ``pyspiel.Game`` and its states have
an attribute ``engine`` that is a ``pyspiel.State``, with OpenSpiel's integers as actions. Nothing else is required, so
games of any distribution may offer it.
"""

from collections import deque
from functools import lru_cache
from typing import Any

import pyspiel
from arena.errors import ConfigError, PluginError
from arena.game import Game, State
from arena.record import Player

Dynamics = pyspiel.GameType.Dynamics

CHANCE = -1


def engine_of(game: Game, players: int) -> pyspiel.Game | None:
    """OpenSpiel's game behind this one, or ``None`` if there is none."""
    make = getattr(game, "engine", None)
    found = make(players) if callable(make) else None
    return found if isinstance(found, pyspiel.Game) else None


def needed(game: Game, players: int, who: str) -> pyspiel.Game:
    """OpenSpiel's game behind this one; ``ConfigError`` on behalf of ``who`` if there is none."""
    found = engine_of(game, players)
    if found is None:
        raise ConfigError(f"{who} plays games of OpenSpiel, and {type(game).__name__} is none; seat another agent")
    return found


def position_of(state: State) -> pyspiel.State:
    """OpenSpiel's state behind a state of the game."""
    found = getattr(state, "engine", None)
    if not isinstance(found, pyspiel.State):
        raise PluginError(f"{type(state).__name__} has no state of OpenSpiel in 'engine'; tell the game's author")
    return found


def sequential(game: pyspiel.Game) -> pyspiel.Game:
    """The game itself, or, if moves are simultaneous, a game in which they are made in turn but shown only together."""
    if game.get_type().dynamics != Dynamics.SIMULTANEOUS:
        return game
    return pyspiel.convert_to_turn_based(game)


def in_turn(game: pyspiel.Game, state: pyspiel.State, player: Player) -> pyspiel.State:
    """The state in the sequential ``game`` in which ``player`` is to act."""
    if state.get_game().get_type().dynamics != Dynamics.SIMULTANEOUS:
        return state
    found = game.new_initial_state()
    for action in state.history():
        found.apply_action(action)
    while found.current_player() not in (player, CHANCE) and not found.is_terminal():
        # what those before would choose is not shown to the player, so any action of theirs will do
        found.apply_action(found.legal_actions()[0])
    return found


def known(state: pyspiel.State, player: Player) -> str:
    """The player's information state as text, in OpenSpiel's words."""
    return state.information_state_string(player)


def why_not(game: pyspiel.Game | None, players: int, who: str, limit: int) -> str | None:
    """Why an algorithm that traverses the whole tree cannot solve a game; ``None`` if it can."""
    if game is None:
        return f"{who} solves games of OpenSpiel, and this is none"
    kind = game.get_type()
    if players != 2:
        return f"{who} solves games of two players, not of {players}"
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        return f"{who} needs chance nodes with stated probabilities, and this game makes random draws of its own"
    if kind.dynamics == Dynamics.MEAN_FIELD:
        return f"{who} solves games of two players, not of a crowd"
    is_once = kind.information == pyspiel.GameType.Information.ONE_SHOT
    if not is_once and not kind.provides_information_state_string:
        return f"{who} needs to know what players know, and OpenSpiel does not say so for this game"
    if histories(game, limit) > limit:
        return f"{who} goes through every history of a game, and this one has more than {limit:,}"
    return None


def histories(game: pyspiel.Game, limit: int) -> int:
    """Count the histories of a game; stops soon after ``limit``."""
    return _counted(description(game), limit) if is_registered(game) else _count(game, limit)


def description(game: pyspiel.Game) -> str:
    """A text that identifies a game, with payoffs that are not among its parameters."""
    if isinstance(game, pyspiel.MatrixGame):
        rows, columns = range(game.num_rows()), range(game.num_cols())
        payoffs = [[(game.row_utility(r, c), game.col_utility(r, c)) for c in columns] for r in rows]
        return f"{game} {payoffs}"
    return str(game)


def is_registered(game: pyspiel.Game) -> bool:
    """Whether a game's description is enough to build the same game again."""
    return game.get_type().short_name in pyspiel.registered_names() and not _stage(game.get_parameters())


def _stage(parameters: dict[str, Any]) -> bool:
    """Whether some parameter is a game itself, whose payoffs the description need not contain."""
    return any(isinstance(value, dict | pyspiel.Game) for value in parameters.values())


@lru_cache(maxsize=256)
def _counted(text: str, limit: int) -> int:
    return _count(pyspiel.load_game(text), limit)


def _count(game: pyspiel.Game, limit: int) -> int:
    # a history is counted before it is visited, level by level, so that a wide game is over the limit soon
    pending: deque[tuple[pyspiel.State, int | None]] = deque([(sequential(game).new_initial_state(), None)])
    found = 1
    while pending and found <= limit:
        before, action = pending.popleft()
        state = before if action is None else before.child(action)
        actions = state.legal_actions()
        found += len(actions)
        pending.extend((state, each) for each in actions)
    return found
