"""Whole game trees: what a policy earns in every situation, and the best response to it."""

from collections.abc import Mapping, Sequence

import attrs
import pyspiel
from arena.record import Player

from arena_agent_solvers.spiel import known
from arena_agent_solvers.tables import Known

Probabilities = Mapping[str, Sequence[tuple[int, float]]]

UNREACHED = 1e-3
"""What is best in a situation that the other player allows less often than this, given the luck, cannot be said."""


@attrs.frozen(kw_only=True)
class Evaluated:
    """A policy with what it earns: see ``PolicyTable``."""

    situations: Mapping[str, Known]
    returns: tuple[float, ...]
    counts: tuple[int, ...]


@attrs.frozen(kw_only=True)
class Response:
    """The best response of one player: an action for each situation, and what it earns."""

    actions: Mapping[str, int]
    value: float


@attrs.define
class _Sums:
    """What came together in one situation; ``luck`` is how often chance alone would let it come to this."""

    player: int
    weight: float = 0.0
    luck: float = 0.0
    values: dict[int, float] = attrs.field(factory=dict[int, float])


def best_response(game: pyspiel.Game, player: Player, policy: Probabilities) -> Response:
    """What ``player`` should do against ``policy``; exact."""
    found = pyspiel.TabularBestResponse(game, player, dict(policy))
    value = found.value_from_state(game.new_initial_state())
    return Response(actions=dict(found.get_best_response_actions()), value=float(value))


def evaluated(game: pyspiel.Game, policy: Probabilities) -> Evaluated:
    """Go through every history once; returns are those of both players playing by ``policy``."""
    sums: dict[str, _Sums] = {}
    value = _visit(game.new_initial_state(), policy, sums, 1.0, (1.0, 1.0))
    situations: dict[str, Known] = {}
    for key, found in sums.items():
        sign = 1 if found.player == 0 else -1
        actions = tuple(action for action, _ in policy[key])
        scale = sign / found.weight if found.weight > 0 else 0.0
        situations[key] = Known(
            actions=actions,
            probabilities=tuple(p for _, p in policy[key]),
            values=tuple(scale * found.values[a] for a in actions),
            is_reached=found.weight > UNREACHED * found.luck,
        )
    counts = tuple(sum(found.player == p for found in sums.values()) for p in (0, 1))
    return Evaluated(situations=situations, returns=(value, -value), counts=counts)


def _visit(
    state: pyspiel.State, policy: Probabilities, sums: dict[str, _Sums], luck: float, reach: tuple[float, float]
) -> float:
    """What the first player earns from here; ``reach`` is how much each player does to come here."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(p * _visit(state.child(a), policy, sums, luck * p, reach) for a, p in state.chance_outcomes())
    player = state.current_player()
    key = known(state, Player(player))
    found = sums.setdefault(key, _Sums(player))
    weight = luck * reach[1 - player]
    found.weight += weight
    found.luck += luck
    value = 0.0
    for action, p in policy[key]:
        further = (reach[0] * p, reach[1]) if player == 0 else (reach[0], reach[1] * p)
        earned = _visit(state.child(action), policy, sums, luck, further)
        found.values[action] = found.values.get(action, 0.0) + weight * earned
        value += p * earned
    return value
