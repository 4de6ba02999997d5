"""A player of Diplomacy that goes for the nearest centres."""

from collections.abc import Mapping
from random import Random
from typing import cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import Decision, Game
from arena.record import Action

from arena_agent_diplomacy.movement import OrderPlan
from arena_agent_diplomacy.observation import SeenPosition, require_diplomacy
from arena_agent_diplomacy.reserves import build_orders, disband_orders, retreat_orders
from arena_agent_diplomacy.values import Side


@attrs.frozen
class DiplomacyGreedy(Agent):
    """Goes for the nearest centres of others and keeps its own, with as much support as an order needs.

    It values provinces by the centres in and near them, gives the most valuable group of units its orders first, and
    retreats, builds and disbands by the same values. It looks no move ahead, expects every neighbour to attack and says
    nothing. Values are drawn a little apart, so that it plays otherwise with another seed.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return GreedyPlayer(seat.rng)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game is Diplomacy; requires nothing of a backend."""
        require_diplomacy("diplomacy-greedy", game)
        return {}


@attrs.frozen
class GreedyPlayer(PlayerAgent):
    """Plays one match; remembers nothing, since the position holds all it uses."""

    _rng: Random

    async def act(self, decision: Decision) -> Reply:
        if decision.phase == "negotiate":
            return Reply(action=cast("Action", decision.skip))
        seen = SeenPosition.read(decision.observation)
        return Reply(action=seen.action(greedy_orders(seen, seen.side(), self._rng)))


def greedy_orders(seen: SeenPosition, side: Side, rng: Random) -> dict[str, str]:
    """The orders of a side in whatever phase a position is, by unit, and by home place for builds."""
    match seen.position.kind:
        case "M":
            return OrderPlan(side, seen.choices, rng).complete()
        case "R":
            return retreat_orders(side, seen.choices)
        case _:
            orders: dict[str, str] = {}
            for power, due in seen.due.items():
                if due < 0:
                    orders |= disband_orders(side, power, -due)
                else:
                    orders |= build_orders(side, seen.legal[power], due)
            return orders
