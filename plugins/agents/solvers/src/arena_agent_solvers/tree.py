"""Traverses whole game trees: what a policy earns in every information state, and the best response to it."""

from collections.abc import Mapping, Sequence

import attrs
import pyspiel
from arena.record import Player

from arena_agent_solvers.openspiel import known
from arena_agent_solvers.policy_table import PolicyEntry

Probabilities = Mapping[str, Sequence[tuple[int, float]]]

UNREACHED = 1e-3
"""An information state counts as reached if the opponent's policy allows it more often than this, chance aside."""


@attrs.frozen(kw_only=True)
class Evaluated:
    """A policy with what it earns; the fields are those of ``PolicyTable``."""

    situations: Mapping[str, PolicyEntry]
    returns: tuple[float, ...]
    counts: tuple[int, ...]


@attrs.frozen(kw_only=True)
class Response:
    """A player's best response: an action for each information state, and what it earns."""

    actions: Mapping[str, int]
    value: float


@attrs.define
class _InformationSetStats:
    """Statistics of one information set; ``chance_reach`` is the probability that chance alone reaches it."""

    player: int
    weight: float = 0.0
    chance_reach: float = 0.0
    values: dict[int, float] = attrs.field(factory=dict[int, float])


def best_response(game: pyspiel.Game, player: Player, policy: Probabilities) -> Response:
    """Compute exactly what ``player`` should do against ``policy``."""
    found = pyspiel.TabularBestResponse(game, player, dict(policy))
    value = found.value_from_state(game.new_initial_state())
    return Response(actions=dict(found.get_best_response_actions()), value=float(value))


def evaluated(game: pyspiel.Game, policy: Probabilities) -> Evaluated:
    """Traverse every history once; ``returns`` are those of both players following ``policy``."""
    sums: dict[str, _InformationSetStats] = {}
    value = _visit(game.new_initial_state(), policy, sums, 1.0, (1.0, 1.0))
    situations: dict[str, PolicyEntry] = {}
    for key, found in sums.items():
        sign = 1 if found.player == 0 else -1
        actions = tuple(action for action, _ in policy[key])
        scale = sign / found.weight if found.weight > 0 else 0.0
        situations[key] = PolicyEntry(
            actions=actions,
            probabilities=tuple(p for _, p in policy[key]),
            values=tuple(scale * found.values[a] for a in actions),
            is_reached=found.weight > UNREACHED * found.chance_reach,
        )
    counts = tuple(sum(found.player == p for found in sums.values()) for p in (0, 1))
    return Evaluated(situations=situations, returns=(value, -value), counts=counts)


def _visit(
    state: pyspiel.State,
    policy: Probabilities,
    sums: dict[str, _InformationSetStats],
    chance_reach: float,
    reach: tuple[float, float],
) -> float:
    """The first player's return from here; ``reach`` is each player's probability of playing to this state."""
    if state.is_terminal():
        return state.returns()[0]
    if state.is_chance_node():
        return sum(
            p * _visit(state.child(a), policy, sums, chance_reach * p, reach) for a, p in state.chance_outcomes()
        )
    player = state.current_player()
    key = known(state, Player(player))
    found = sums.setdefault(key, _InformationSetStats(player))
    weight = chance_reach * reach[1 - player]
    found.weight += weight
    found.chance_reach += chance_reach
    value = 0.0
    for action, p in policy[key]:
        further = (reach[0] * p, reach[1]) if player == 0 else (reach[0], reach[1] * p)
        earned = _visit(state.child(action), policy, sums, chance_reach, further)
        found.values[action] = found.values.get(action, 0.0) + weight * earned
        value += p * earned
    return value
