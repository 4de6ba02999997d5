"""What an adjudication says: what became of each order, and the position of the next phase."""

from collections.abc import Mapping
from typing import Literal

import attrs
from arena.record import JSON

from arena_game_diplomacy.rules.position import Position, listed, listed_retreats

OrderOutcome = Literal["ok", "bounced", "cut", "void", "no-convoy", "illegal"]


@attrs.frozen
class OrderResult:
    """What became of one order.

    ``order`` is its standard notation, or the text as it was given where it cannot be read. ``void`` matches nothing;
    ``dislodged`` tells that its unit was dislodged in this phase; ``reason`` is one sentence, empty for ``ok``.
    """

    order: str
    result: OrderOutcome
    dislodged: bool = False
    reason: str = ""

    def to_json(self) -> dict[str, JSON]:
        """The result as plain data."""
        return {"order": self.order, "result": self.result, "dislodged": self.dislodged, "reason": self.reason}


@attrs.frozen
class Result:
    """What a phase came to.

    ``orders`` holds one result for each order that was given, in its place, by power. ``units`` are those on the board
    after the phase, without the dislodged; ``dislodged`` says where each of these may go, and ``contested`` where units
    bounced. ``centres`` are those owned after the phase. ``next`` is the position of the next phase, or ``None`` where
    somebody has won.
    """

    phase: str
    orders: Mapping[str, tuple[OrderResult, ...]]
    units: Mapping[str, tuple[str, ...]]
    dislodged: Mapping[str, Mapping[str, tuple[str, ...]]]
    contested: tuple[str, ...]
    centres: Mapping[str, tuple[str, ...]]
    winner: str | None
    next: Position | None

    def to_json(self) -> dict[str, JSON]:
        """The result as plain data; powers that have nothing are left out."""
        return {
            "phase": self.phase,
            "orders": {power: [result.to_json() for result in results] for power, results in self.orders.items()},
            "units": listed(self.units),
            "dislodged": listed_retreats(self.dislodged),
            "contested": list(self.contested),
            "centres": listed(self.centres),
            "winner": self.winner,
            "next": self.next and self.next.to_json(),
        }
