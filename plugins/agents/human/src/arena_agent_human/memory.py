"""What a person's terminal remembers over a match."""

import attrs
from arena.agent import Seat
from arena.game import Decision, Drawing
from arena_scene import for_people

from arena_agent_human.numbers import ActionNumbers


@attrs.define(eq=False)
class MatchMemory:
    """Numbers of actions, the lines that were typed, what has been told, and the names that were seen.

    It is a function of the decisions of the match, so a resumed match gives each action the same number again.
    """

    numbers: ActionNumbers = attrs.field(factory=ActionNumbers)
    history: list[str] = attrs.field(factory=list[str])
    told: list[str] = attrs.field(factory=list[str])
    news: list[str] = attrs.field(factory=list[str])
    names: dict[str, None] = attrs.field(factory=dict[str, None])
    drawing: Drawing | None = None
    """The drawing of the player's last turn."""
    problems: set[str] = attrs.field(factory=set[str])
    """What has been said about drawings, each once."""
    _turn: int = -1

    def meet(self, seat: Seat, decision: Decision) -> None:
        """Take note of a decision: what has happened before it, and the actions that it offers."""
        if decision.options is not None:
            self.numbers.meet(decision.options)
        if decision.turn != self._turn:
            self._turn = decision.turn
            told = (for_people(seat.game.describe_event(event, seat.player)) for event in decision.news)
            self.news = [line for line in told if line]
            self.told += self.news
