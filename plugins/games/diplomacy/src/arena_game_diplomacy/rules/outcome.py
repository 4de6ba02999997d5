"""What a movement phase leaves on the board, and the word for each of its orders."""

from collections.abc import Mapping
from functools import cached_property

import attrs

from arena_game_diplomacy.rules.battle import NOTHING, Battle, Move
from arena_game_diplomacy.rules.notation import Order
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.rules.reading import GivenOrder
from arena_game_diplomacy.rules.results import OrderOutcome, OrderResult

OK: tuple[OrderOutcome, str] = ("ok", "")


@attrs.frozen(eq=False)
class MovementOutcome:
    """A battle that is solved, with the position before it and the one legal order of each unit that has one."""

    position: Position
    chosen: Mapping[str, Order | None]
    battle: Battle

    def units(self) -> dict[str, tuple[str, ...]]:
        """The units after the phase, without the dislodged, by power."""
        return {
            power: tuple(after for unit in units if (after := self._after(unit)) is not None)
            for power, units in self.position.units.items()
        }

    def _after(self, unit: str) -> str | None:
        province = self.position.board.province_of[unit[2:]]
        move = self.battle.moves.get(province)
        if move is not None and move.succeeds:
            return f"{unit[0]} {move.place}"
        return None if self.battle.is_dislodged(province) else unit

    @cached_property
    def contested(self) -> tuple[str, ...]:
        """The empty provinces where units bounced; one that is beaten head to head does not count (DATC 6.H.9)."""
        bounced = (
            province
            for province, moves in self.battle.attacks.items()
            if not self._is_taken(province) and any(self.battle.prevent(move) != NOTHING for move in moves)
        )
        return tuple(sorted(bounced))

    def dislodged(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The dislodged units and the places to which each may retreat, by power."""
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        for province, (power, unit) in self.position.occupied.items():
            if self._is_dislodged(province):
                found.setdefault(power, {})[unit] = self._retreats(province, unit)
        return found

    def _retreats(self, province: str, unit: str) -> tuple[str, ...]:
        """Where a unit may go: not to where its attacker came from, unless by convoy (4.A.5 of DATC 3.0)."""
        attacker = next(move for move in self.battle.attacks[province] if move.succeeds)
        closed = {*self.contested} if attacker.by_convoy else {*self.contested, attacker.start}
        board = self.position.board
        return tuple(
            place
            for place in sorted(board.moves[unit])
            if (near := board.province_of[place]) not in closed and not self._is_taken(near)
        )

    def _is_taken(self, province: str) -> bool:
        stays = province in self.battle.powers and not self._has_left(province)
        return stays or bool(self.battle.is_dislodged(province))

    def _is_dislodged(self, province: str) -> bool:
        return bool(self.battle.is_dislodged(province)) and not self._has_left(province)

    def _has_left(self, province: str) -> bool:
        move = self.battle.moves.get(province)
        return move is not None and bool(move.succeeds)

    def result(self, one: GivenOrder) -> OrderResult:
        """What became of one of the orders that were given."""
        province = self.position.board.province_of.get(one.unit[2:], "")
        word, reason = self._word(one, province)
        return OrderResult(one.text, word, self._is_dislodged(province), reason)

    def _word(self, one: GivenOrder, province: str) -> tuple[OrderOutcome, str]:
        order = one.order
        if order is None:
            return "illegal", one.reason
        if self.chosen[order.unit] is None:
            return "void", f"{order.unit} was given two different orders"
        if order.kind == "move":
            return self._word_of_move(self.battle.moves[province])
        if order.kind == "support":
            return self._word_of_support(order, province)
        if order.kind == "convoy":
            return self._word_of_convoy(order, province)
        return OK

    def _word_of_move(self, move: Move) -> tuple[OrderOutcome, str]:
        if move.succeeds:
            return OK
        if not self.battle.has_path(move):
            return "no-convoy", "no chain of fleets convoyed it"
        strength = self.battle.attack(move)
        occupied = self.position.occupied
        for other in self.battle.attacks[move.target]:
            if other is not move and (against := self.battle.prevent(other)) >= strength:
                how = "more" if against > strength else "as much"
                return "bounced", f"{occupied[other.start][1]} went there with {how} strength"
        owner, unit = occupied[move.target]
        if owner == move.power:
            return "bounced", f"{unit}, a unit of the same power, stayed there"
        return "bounced", f"{unit} was not dislodged"

    def _word_of_support(self, order: Order, province: str) -> tuple[OrderOutcome, str]:
        support = self.battle.supports.get(province)
        if support is None:
            return "void", _unmatched(order)
        if support.is_given:
            return OK
        attackers = (
            move
            for move in self.battle.attacks[province]
            if move.power != support.power and (move.succeeds or self.battle.has_path(move))
        )
        cutting = next(move for move in attackers if move.succeeds or move.start != support.against)
        return "cut", f"{self.position.occupied[cutting.start][1]} attacked the supporting unit"

    def _word_of_convoy(self, order: Order, province: str) -> tuple[OrderOutcome, str]:
        convoy = self.battle.convoys.get(province)
        if convoy is None:
            return "void", _unmatched(order)
        return ("cut", "it is part of a paradox, in which convoys fail") if convoy.fails else OK


def _unmatched(order: Order) -> str:
    """Why a support or a convoy matches nothing."""
    if order.target is None:
        return f"{order.helped} was ordered to move"
    return f"{order.helped} was not ordered to go to {order.target}"
