"""A game that is nobody's: no engine, no known positions."""

from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from arena.chance import Chance
from arena.game import Decision, Game, GameFacts, Options, State
from arena.record import EVERYONE, GameEvent, Player


@attrs.define(eq=False)
class Heap(State):
    """Coins are taken one to three at a time; who takes the last one wins."""

    coins: int
    mover: int = 0

    def to_act(self) -> Sequence[Player]:
        return (Player(self.mover),) if self.coins else ()

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options([n for n in (1, 2, 3) if n <= self.coins]))

    def observe(self, player: Player | None) -> int:
        return self.coins

    def apply(self, actions: Mapping[Player, Any]) -> Sequence[GameEvent]:
        (taken,) = actions.values()
        self.coins, self.mover = self.coins - taken, 1 - self.mover
        return (GameEvent("taken", taken, EVERYONE),)

    def returns(self) -> Sequence[float] | None:
        return None if self.coins else ((-1.0, 1.0) if self.mover == 0 else (1.0, -1.0))


@attrs.frozen
class Nim(Game):
    """A game that says nothing of its positions and is no game of OpenSpiel."""

    coins: int = 9
    returns: str = "zero-sum"
    rules = "Take one to three coins; the last coin wins."

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        return GameFacts(returns=self.returns, min_return=-1, max_return=1, max_steps=self.coins)  # type: ignore[arg-type]

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Heap(self.coins), ()
