"""A tiny game without dependencies, for trying agents, solvers, executors and observers, and for comparing speeds."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Forfeited, Form, Game, GameFacts, Options, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

_GOAL = 10
_MOST = 3
_FIRST = Player(0)


@attrs.frozen
class ReferenceGame(Game):
    """Add one, two or three to a number in turn; the player who brings it to ten or above wins."""

    @property
    def rules(self) -> str:
        return (
            f"Two players take turns. There is a number, 0 at the start. In your turn, add 1, 2 or {_MOST} to it. "
            f"Who brings it to {_GOAL} or above wins."
        )

    def player_counts(self) -> Sequence[int]:
        return (2,)

    def facts(self, players: int) -> GameFacts:
        """The first player wins, by always leaving the number at 2 or 6."""
        return GameFacts(
            returns="zero-sum",
            min_return=-1.0,
            max_return=1.0,
            optimal_returns=(1.0, -1.0),
            optimal_source="counted back from the goal",
            max_steps=_GOAL,
        )

    def actions(self, players: int) -> Sequence[Action]:
        return range(1, _MOST + 1)

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": lambda seen: f"the number is {seen['number']}"}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        return Count(), ()


@attrs.define(eq=False)
class Count(State):
    """The current number and the player to move."""

    number: int = 0
    turn: Player = _FIRST

    def to_act(self) -> Sequence[Player]:
        return (self.turn,) if self.number < _GOAL else ()

    def decision(self, player: Player) -> Decision:
        return Decision(player=player, options=Options(range(1, _MOST + 1), lambda add: f"add {add}"))

    def observe(self, player: Player | None) -> JSON:
        """Everything; nothing is hidden."""
        return {"number": self.number, "turn": self.turn}

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        added = cast("Any", actions.get(self.turn))
        if len(actions) != 1 or type(added) is not int or not 1 <= added <= _MOST:
            raise RuleError(f"player {self.turn} adds 1 to {_MOST}, not {actions!r}")
        self.number += added
        event = GameEvent("added", {"player": self.turn, "added": added}, EVERYONE)
        self.turn = Player(1 - self.turn)
        return (event,)

    def returns(self) -> Sequence[float] | None:
        """1 for the player who reached the goal, who is the one not in ``turn``."""
        if self.number < _GOAL:
            return None
        return (-1.0, 1.0) if self.turn == 0 else (1.0, -1.0)

    def transposition_key(self) -> JSON:
        return [self.number, self.turn]

    def clone(self) -> State:
        return Count(self.number, self.turn)


REFERENCE_GAME = ReferenceGame()
"""Two players in turn, perfect information, no chance; every action is 1, 2 or 3."""
