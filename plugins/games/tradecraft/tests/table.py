"""A match that a test plays by hand."""

from collections.abc import Sequence
from typing import Any

from arena.chance import Chance
from arena.game import Illegal
from arena.record import GameEvent, Player
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Problem
from arena_game_tradecraft.match.state import TradeState

WORKSHOP = {"ruleset": "workshop", "problems": "workshop"}
DONE = {"done": True}
PASS = {"partner": None, "offer": {}, "request": {}, "message": ""}
ACCEPT, REJECT = {"accept": True, "message": ""}, {"accept": False, "message": ""}


def problem(hands: Sequence[dict[str, int]], targets: Sequence[dict[str, int]], **more: int) -> Problem:
    """A problem in which the players have these hands and these targets."""
    return Problem(tuple(hands), tuple(targets), **more)


class Match:
    """One match with one problem, and everything that was told in it."""

    def __init__(self, hands: Sequence[dict[str, int]], targets: Sequence[dict[str, int]], **settings: Any) -> None:
        self.game = TradeCraft(ruleset="workshop", problems=(problem(hands, targets),), **settings)
        state, events = self.game.start(Chance(0), len(hands))
        assert isinstance(state, TradeState)
        self.state, self.events = state, list(events)

    def act(self, *actions: Any) -> list[GameEvent]:
        """Play one step, actions in the order of those who act; each must be legal."""
        acting = self.state.to_act()
        for player, action in zip(acting, actions, strict=True):
            assert (refused := self.state.check(player, action)) is None, refused
        told = list(self.state.apply(dict(zip(acting, actions, strict=True))))
        self.events += told
        return told

    def refused(self, action: Any, player: int | None = None) -> Illegal:
        """Why an action of the one to act, or of ``player``, is refused."""
        found = self.state.check(Player(self.state.to_act()[0] if player is None else player), action)
        assert found is not None, f"{action} is accepted"
        return found

    def done(self) -> list[GameEvent]:
        """Everybody is done with crafting."""
        return self.act(*(DONE for _ in self.state.to_act()))

    def seen(self, player: int | None = None) -> Any:
        """What a player sees."""
        return self.state.observe(None if player is None else Player(player))

    def told(self, player: int) -> list[tuple[str, Any]]:
        """What a player was told, in order."""
        return [(event.kind, event.data) for event in self.events if event.is_visible(Player(player))]


def craft(output: str, amount: int | str = 1, **inputs: int | str) -> dict[str, Any]:
    """The action of crafting."""
    return {"inputs": inputs, "output": {output: amount}}


def propose(partner: int, offer: dict[str, Any], request: dict[str, Any], message: str = "") -> dict[str, Any]:
    """The action of proposing to the player of a number, counted from 1."""
    return {"partner": f"player {partner}", "offer": offer, "request": request, "message": message}
