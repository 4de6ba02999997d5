"""An agent that plays from a list: for tests, openings, and positions that have to occur."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs
from arena.agent import Agent, PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.errors import ConfigError
from arena.game import Decision
from arena.record import canonical_json

from arena_agent_baseline.first import first_legal


@attrs.frozen(kw_only=True)
class Scripted(Agent):
    """Plays ``actions`` one per turn; an entry is an action or the label of one, and need not be legal.

    An entry stands for a turn, not for a try: after a refusal the same entry is played again. ``players`` gives a
    list of its own to a seat, by the seat's name (``"X"``) or number (``"0"``).
    """

    actions: tuple[Any, ...] = attrs.field(default=(), metadata={"help": "an action or label for each turn"})
    players: Mapping[str, tuple[Any, ...]] = attrs.field(
        factory=dict[str, tuple[Any, ...]], metadata={"help": "lists for single seats, by name or number"}
    )
    then: Literal["refuse", "first-legal"] = attrs.field(
        default="refuse", metadata={"help": "what to do when the list has run out"}
    )

    def join(self, seat: Seat) -> PlayerAgent:
        """Take the seat's own list if it has one; ``ConfigError`` if a list is given both by name and by number."""
        given = [key for key in (seat.name, str(seat.player)) if key in self.players]
        if len(given) > 1 and given[0] != given[1]:
            raise ConfigError(f"players: {given[0]!r} and {given[1]!r} are the same seat; keep one of them")
        return ScriptedPlayer(self.players[given[0]] if given else self.actions, self.then)


@attrs.frozen
class ScriptedPlayer(PlayerAgent):
    """Plays one entry of its list per turn."""

    _script: Sequence[Any]
    _then: str
    is_quick = True

    def act(self, decision: Decision) -> Response:
        """Play the entry of this turn."""
        if decision.turn < len(self._script):
            return _meant(self._script[decision.turn], decision)
        if self._then == "first-legal":
            return Reply(action=first_legal(decision))
        reason = f"the script has no entry for turn {decision.turn + 1}, it ends after {len(self._script)}"
        return Refusal(kind=RefusalKind.EMPTY, reason=reason)


def _meant(entry: Any, decision: Decision) -> Response:
    """Return the action that ``entry`` names, or ``entry`` itself if it names none, so that the game refuses it."""
    if decision.options is None or not isinstance(entry, str):
        return Reply(action=entry)
    text = canonical_json(entry)
    meant = {
        canonical_json(o.action): o.action
        for o in decision.options
        if o.label == entry or canonical_json(o.action) == text
    }
    if len(meant) > 1:
        reason = f"{entry!r} is one action and the label of another; write the action as JSON data"
        return Refusal(kind=RefusalKind.AMBIGUOUS, reason=reason, text=entry)
    return Reply(action=next(iter(meant.values()), entry))
