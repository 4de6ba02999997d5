"""Counts orders of a match by what they are and by what came of them.

*Move* is an order to move, by land or by convoy; it succeeds if the unit arrives. *Attack* is a move to a place where a
unit of another power stands when the orders are given. A support is *support-self* if it helps a unit of the same power
and *support-others* if it helps a unit of another. The paper on SPIN-Bench says that only supports of an attack count;
the code that made its tables counts all supports, those to hold included. A support succeeds if it matches the order of
the unit that it helps and neither is cut nor has its unit dislodged.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import attrs
from arena.record import JSON
from arena_game_diplomacy import Order, Position, read_order

from arena_metric_diplomacy.match_phases import PlayedDiplomacy, PlayedPhase

KINDS: Final[Mapping[str, str]] = {
    "move": "move",
    "attack": "attack",
    "self": "support-self",
    "others": "support-others",
    "self_code": "support-self, as in the code",
    "others_code": "support-others, as in the code",
}
"""What is counted, with its titles in tables."""


@attrs.define
class OrderCounts:
    """How often orders of a kind were given and how often they succeeded, by kind, over movement phases.

    ``phases`` are those in which a player had a unit, each player for itself. ``orders`` are all that were given,
    ``left_out`` the units without one, and ``put_in`` the orders of a policy for illegal actions, which count nowhere
    else. ``in_hand`` are the supports of others that help a power of the same player.
    """

    given: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(KINDS, 0))
    succeeded: dict[str, int] = attrs.field(factory=lambda: dict.fromkeys(KINDS, 0))
    phases: int = 0
    orders: int = 0
    holds: int = 0
    convoys: int = 0
    void: int = 0
    left_out: int = 0
    put_in: int = 0
    in_hand: int = 0

    def add(self, kinds: Iterator[str], *, success: bool) -> None:
        """Count one order, which may be of several kinds."""
        for kind in kinds:
            self.given[kind] += 1
            self.succeeded[kind] += success

    def to_json(self) -> dict[str, JSON]:
        """The counts, as the detail of a measurement."""
        return attrs.asdict(self)

    @classmethod
    def sum(cls, parts: Iterable[Mapping[str, Any]]) -> "OrderCounts":
        """The sum of counts that are given as ``to_json`` returned them."""
        total = cls()
        for part in parts:
            for name, value in part.items():
                if isinstance(value, Mapping):
                    for kind, count in value.items():
                        getattr(total, name)[kind] += count
                else:
                    setattr(total, name, getattr(total, name) + value)
        return total


def counted(match: PlayedDiplomacy) -> tuple[OrderCounts, ...]:
    """What the powers of each player ordered, by player."""
    made = tuple(OrderCounts() for _ in match.hands)
    for phase in match.phases:
        if phase.is_movement:
            board = _Board(phase)
            for player, hand in enumerate(match.hands):
                board.count(made[player], hand, is_own=player not in phase.put_in)
    return made


class _Board:
    """A movement phase, with who stood where when its orders were given."""

    def __init__(self, phase: PlayedPhase) -> None:
        self._result = phase.result
        self._position = Position.from_json(phase.position)

    def count(self, into: OrderCounts, hand: tuple[str, ...], *, is_own: bool) -> None:
        """Add the orders of the powers of one player."""
        into.phases += any(self._position.units[power] for power in hand)
        for power in hand:
            given = self._result["orders"].get(power, ())
            if not is_own:
                into.put_in += len(given)
                continue
            into.left_out += len(self._result["missing"].get(power, ()))
            for each in given:
                self._add(into, read_order(each["order"], self._position, power), power, hand, each["result"])

    def _add(self, into: OrderCounts, order: Order, power: str, hand: tuple[str, ...], result: str) -> None:
        into.orders += 1
        into.holds += order.kind == "hold"
        into.convoys += order.kind == "convoy"
        into.void += result == "void"
        into.add(self._kinds(order, power), success=result == "ok")
        helped = self._helped(order)
        into.in_hand += helped in hand and helped != power

    def _kinds(self, order: Order, power: str) -> Iterator[str]:
        if order.kind == "move":
            yield "move"
            if self._is_attack(power, order.target):
                yield "attack"
        elif (helped := self._helped(order)) is not None:
            side = "self" if helped == power else "others"
            yield f"{side}_code"
            if order.target and self._is_attack(helped, order.target):
                yield side

    def _helped(self, order: Order) -> str | None:
        """The power whose unit an order supports."""
        return self._holder(order.helped[2:]) if order.kind == "support" and order.helped else None

    def _is_attack(self, power: str, target: str | None) -> bool:
        """Whether another power's unit stands at the target of a move of ``power``."""
        return target is not None and self._holder(target) not in (None, power)

    def _holder(self, place: str) -> str | None:
        """The power whose unit stands at a place, whatever its coast."""
        found = self._position.occupied.get(self._position.board.province_of[place])
        return found and found[0]
