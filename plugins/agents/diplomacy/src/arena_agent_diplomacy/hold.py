"""A player of Diplomacy whose units hold."""

from collections.abc import Mapping
from typing import cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import Decision, Game
from arena.record import Action

from arena_agent_diplomacy.observation import SeenPosition, require_diplomacy


@attrs.frozen
class DiplomacyHold(Agent):
    """Holds with all units, disbands those that are dislodged, builds nothing and says nothing, as neutral powers do.

    What it must disband goes by the rule for civil disorder. Others are measured by what they gain against it.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return HoldPlayer()

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game is Diplomacy; requires nothing of a backend."""
        require_diplomacy("diplomacy-hold", game)
        return {}


class HoldPlayer(PlayerAgent):
    """Answers every question with nothing, or with orders to hold."""

    async def act(self, decision: Decision) -> Reply:
        if decision.phase != "orders":
            return Reply(action=cast("Action", decision.skip))
        seen = SeenPosition.read(decision.observation)
        return Reply(action=seen.action({unit: f"{unit} H" for unit in seen.choices}))
