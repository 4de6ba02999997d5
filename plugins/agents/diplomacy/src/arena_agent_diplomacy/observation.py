"""What a player of Diplomacy sees, read from its observation, and the actions that it answers with."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import attrs
from arena.errors import ConfigError
from arena.game import Game
from arena.record import JSON
from arena_game_diplomacy import Position, legal_orders
from arena_game_diplomacy.game import Diplomacy
from arena_game_diplomacy.knowledge.truth import Situation, true_report
from arena_game_diplomacy.rules.position import builds_left

from arena_agent_diplomacy.values import Side


def require_diplomacy(agent: str, game: Game) -> None:
    """Raise ``ConfigError``, with the agent's name in it, unless the game is Diplomacy."""
    if not isinstance(game, Diplomacy):
        raise ConfigError(f"{agent} plays diplomacy, and {type(game).__name__} is another game; seat another agent")


@attrs.frozen
class SeenPosition:
    """The position as a player sees it: its own powers, those that others play, and those that only hold.

    ``view`` is the observation, ``passive`` are neutral powers and those whose player has left the match.
    """

    view: Any
    position: Position
    own: tuple[str, ...]
    others: tuple[str, ...]
    passive: frozenset[str]

    @classmethod
    def read(cls, view: Any) -> "SeenPosition":
        """What an observation of the game says."""
        given = {"phase": view["phase"], "units": view["units"], "centres": view["centres"]}
        if view["step"] == "retreats":
            given |= {"dislodged": view["dislodged"], "contested": view["contested"]}
        position = Position.from_json({**given, "win-centres": view["win_centres"]})
        passive = frozenset((*view["neutral"], *view["disorder"]))
        alive = [power for power in position.units if view["units"].get(power) or view["centres"].get(power)]
        others = tuple(power for power in alive if power not in passive and power not in view["powers"])
        return cls(view, position, tuple(view["powers"]), others, passive)

    @cached_property
    def legal(self) -> Mapping[str, Mapping[str, Sequence[str]]]:
        """The orders that each unit, or each home place, of the player may get, by power."""
        orders = legal_orders(self.position)
        return {power: orders.get(power, {}) for power in self.own}

    @cached_property
    def choices(self) -> Mapping[str, Sequence[str]]:
        """The orders that each unit of the player may get, whichever of its powers the unit belongs to."""
        return {unit: texts for orders in self.legal.values() for unit, texts in orders.items()}

    @cached_property
    def due(self) -> Mapping[str, int]:
        """How many units each of the player's powers may build or, as a negative number, must disband."""
        left = builds_left(self.position)
        return {power: left.get(power, 0) for power in self.own}

    def side(self, friends: frozenset[str] = frozenset(), empty: frozenset[str] = frozenset()) -> Side:
        """The player's powers as one side, with the friends that it has and the provinces that it keeps empty."""
        return Side(self.position, frozenset(self.own), self.passive, friends, empty)

    def action(self, orders: Mapping[str, str]) -> JSON:
        """The action that gives these orders; it reports what is true where the game asks what the player knows."""
        if self.view["knowledge"] == "none" or self.view["step"] != "orders":
            return dict(orders)
        situation = Situation(self.position, self.view["influence"])
        return {"orders": dict(orders), "report": true_report(situation, self.own)}
