"""Resamples states that a player cannot tell from the real one, for search agents.

OpenSpiel's own text for the player is the test: the match is replayed from its start, everything hidden from the
player is drawn again, and a draw after which the player would have seen something else is undone.
"""

from collections.abc import Callable, Sequence
from random import Random

import pyspiel
from arena.chance import Chance
from arena.record import Player

SAMPLERS = frozenset(
    [
        "bargaining",
        "blackjack",
        "bridge",
        "euchre",
        "gin_rummy",
        "hearts",
        "kuhn_poker",
        "leduc_poker",
        "oh_hell",
        "universal_poker",
    ]
)
"""Games whose engine resamples such states itself; asking other games would print on standard error."""

ATTEMPTS = 24
"""How often a match is replayed before giving up; each dead end costs one attempt."""

Sight = Callable[[pyspiel.State, Player], str]


def sight(game: pyspiel.Game) -> Sight | None:
    """The function for a player's text: information state if the game has it, else observation, else ``None``."""
    kind = game.get_type()
    if kind.provides_information_state_string:
        return lambda state, player: state.information_state_string(player)
    if kind.provides_observation_string:
        return lambda state, player: state.observation_string(player)
    return None


def imagine(state: pyspiel.State, player: Player, chance: Chance) -> pyspiel.State | None:
    """A state in which ``player`` has seen the same and everything hidden is drawn again; ``None`` if none is found."""
    rng = Random(chance.index("imagine", 1 << 32))
    game = state.get_game()
    see = sight(game)
    if see is None or state.is_terminal():
        return None
    if game.get_type().short_name in SAMPLERS:
        return state.resample_from_infostate(player, rng.random)
    for _ in range(ATTEMPTS):
        found = _play_again(state, player, see, rng)
        if found is not None:
            return found
    return None


def replay(state: pyspiel.State, history: Sequence[int]) -> pyspiel.State:
    """Apply the actions of ``history`` to ``state`` in place, and return it."""
    rest = iter(history)
    for action in rest:
        if state.is_simultaneous_node():
            state.apply_actions([action, *(next(rest) for _ in range(state.num_players() - 1))])
        else:
            state.apply_action(action)
    return state


def repeated(chance: Chance) -> Chance:
    """A new ``Chance`` that repeats the draws that ``chance`` has made."""
    return Chance(0, {place: draw.outcome for place, draw in enumerate(chance.trace)})


def _play_again(target: pyspiel.State, player: Player, see: Sight, rng: Random) -> pyspiel.State | None:
    real = target.get_game().new_initial_state()
    state = real.clone()
    rest = iter(target.history())
    for action in rest:
        if real.is_simultaneous_node():
            actions = [action, *(next(rest) for _ in range(real.num_players() - 1))]
            real.apply_actions(actions)
            state.apply_actions(actions)
            continue
        is_own = real.current_player() == player
        real.apply_action(action)
        found = _same(state, action, see(real, player), player, see) if is_own else None
        if not is_own:
            found = _another(state, see(real, player), player, see, rng)
        if found is None or found.current_player() != real.current_player():
            return None
        state = found
    return state if state.legal_actions() == target.legal_actions() else None


def _same(state: pyspiel.State, action: int, wanted: str, player: Player, see: Sight) -> pyspiel.State | None:
    if action not in state.legal_actions():
        return None
    child = state.child(action)
    return child if see(child, player) == wanted else None


def _another(state: pyspiel.State, wanted: str, player: Player, see: Sight, rng: Random) -> pyspiel.State | None:
    """Try outcomes of chance or another player's moves until ``player`` sees what it really saw."""
    if state.is_chance_node():
        actions, weights = map(list, zip(*state.chance_outcomes(), strict=True))
    else:
        actions = state.legal_actions()
        weights = [1.0] * len(actions)
    while actions:
        (place,) = rng.choices(range(len(actions)), weights)
        child = state.child(actions.pop(place))
        weights.pop(place)
        if see(child, player) == wanted:
            return child
    return None
