"""A tiny game that is always there, to try agents, solvers, executors and observers on and to hold speeds against."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs

from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Form, Game, GameFacts, Gone, Options, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

_GOAL = 10
_MOST = 3
_FIRST = Player(0)


@attrs.frozen
class Yardstick(Game):
    """Add one, two or three to a number in turn; who brings it to ten or above wins."""

    @property
    def rules(self) -> str:
        """What both players are told."""
        return (
            f"Two players take turns. There is a number, 0 at the start. In your turn, add 1, 2 or {_MOST} to it. "
            f"Who brings it to {_GOAL} or above wins."
        )

    def player_counts(self) -> Sequence[int]:
        """Two."""
        return (2,)

    def facts(self, players: int) -> GameFacts:
        """Who leaves the other 2 or 6 wins, so the first player does."""
        return GameFacts(
            returns="zero-sum",
            least_return=-1.0,
            greatest_return=1.0,
            optimal_returns=(1.0, -1.0),
            optimal_source="counted back from the goal",
            wave_limit=_GOAL,
        )

    def actions(self, players: int) -> Sequence[Action]:
        """What may be added, at any time."""
        return range(1, _MOST + 1)

    @property
    def forms(self) -> Mapping[str, Form]:
        """The number in a sentence."""
        return {"text": lambda seen: f"the number is {seen['number']}"}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Begin at 0."""
        return Count(), ()


@attrs.define(eq=False)
class Count(State):
    """The number, and whose turn it is."""

    number: int = 0
    turn: Player = _FIRST

    def to_act(self) -> Sequence[Player]:
        """The player in turn, below the goal."""
        return (self.turn,) if self.number < _GOAL else ()

    def decision(self, player: Player) -> Decision:
        """One, two or three."""
        return Decision(state=self, player=player, options=Options(range(1, _MOST + 1), lambda add: f"add {add}"))

    def observe(self, player: Player | None) -> JSON:
        """Everybody sees everything."""
        return {"number": self.number, "turn": self.turn}

    def apply(self, actions: Mapping[Player, Action | Gone]) -> Sequence[GameEvent]:
        """Add."""
        added = cast("Any", actions.get(self.turn))
        if len(actions) != 1 or type(added) is not int or not 1 <= added <= _MOST:
            raise RuleError(f"player {self.turn} adds 1 to {_MOST}, not {actions!r}")
        self.number += added
        event = GameEvent("added", {"player": self.turn, "added": added}, EVERYONE)
        self.turn = Player(1 - self.turn)
        return (event,)

    def returns(self) -> Sequence[float] | None:
        """One for who reached the goal; ``turn`` has passed to the other."""
        if self.number < _GOAL:
            return None
        return (-1.0, 1.0) if self.turn == 0 else (1.0, -1.0)

    def position(self) -> JSON:
        """All of it."""
        return [self.number, self.turn]

    def clone(self) -> State:
        """An independent copy."""
        return Count(self.number, self.turn)


YARDSTICK = Yardstick()
"""Two players in turn, nothing hidden, no luck; every action is 1, 2 or 3."""
