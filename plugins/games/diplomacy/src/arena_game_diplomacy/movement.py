"""Movement: orders are matched, the battle is solved, and everybody hears what became of each order."""

from collections.abc import Iterable, Mapping

import attrs

from arena_game_diplomacy.battle import NOTHING, Battle, Convoy, Move, Support
from arena_game_diplomacy.given import GivenOrder, chosen_orders, read_given
from arena_game_diplomacy.notation import Order
from arena_game_diplomacy.position import Position
from arena_game_diplomacy.results import OrderResult, Result
from arena_game_diplomacy.seasons import finished

UNMATCHED = "void"


def adjudicate_movement(position: Position, orders: Mapping[str, Iterable[str]]) -> Result:
    """Move, support and convoy all at once."""
    given = read_given(position, orders)
    chosen = chosen_orders(given)
    battle = _battle(position, chosen)
    battle.solve()
    after = _Aftermath(position, battle, _targets(position, chosen))
    results = {power: tuple(_result(one, chosen, after) for one in orders) for power, orders in given.items()}
    return finished(position, results, after.units(), after.dislodged(), after.contested())


def _targets(position: Position, chosen: Mapping[str, Order | None]) -> dict[str, str]:
    """The place to which each unit that moves is ordered, by the province where it starts."""
    province_of = position.board.province_of
    return {
        province_of[unit[2:]]: str(order.target) for unit, order in chosen.items() if order and order.kind == "move"
    }


def _battle(position: Position, chosen: Mapping[str, Order | None]) -> Battle:
    province_of = position.board.province_of
    by_province = {province_of[unit[2:]]: order for unit, order in chosen.items() if order is not None}
    powers = {province: power for province, (power, _) in position.occupied.items()}
    moves: dict[str, Move] = {}
    convoys: dict[str, Convoy] = {}
    fleets: dict[tuple[str, str], set[str]] = {}
    for province, order in by_province.items():
        if order.kind == "convoy" and _convoys(order, by_province.get(str(order.helped)[2:])):
            convoys[province] = Convoy(province)
            fleets.setdefault((str(order.helped)[2:], str(order.target)), set()).add(province)
    for province, order in by_province.items():
        if order.kind == "move":
            target = province_of[str(order.target)]
            used = fleets.get((province, target), set())
            by_convoy = order.via or any(powers[fleet] == powers[province] for fleet in used)
            moves[province] = Move(powers[province], province, target, by_convoy, fleets=frozenset(used))
    supports: dict[str, Support] = {}
    holding: dict[str, list[Support]] = {}
    for province, order in by_province.items():
        if order.kind == "support":
            helped = province_of[str(order.helped)[2:]]
            if order.target is None:
                if helped not in moves:
                    supports[province] = Support(powers[province], province, helped)
                    holding.setdefault(helped, []).append(supports[province])
            elif helped in moves and _supports(order.target, str(by_province[helped].target), province_of):
                supports[province] = Support(powers[province], province, moves[helped].target)
                moves[helped].supporters.append(supports[province])
    return Battle(position.board, powers, moves, supports, convoys, holding)


def _convoys(order: Order, move: Order | None) -> bool:
    return move is not None and move.kind == "move" and move.target == order.target


def _supports(target: str, place: str, province_of: Mapping[str, str]) -> bool:
    """Say whether a support counts for a move; one without a coast counts for every coast (issue 4.B.4 of DATC 3.0)."""
    return target == place or target == province_of[place]


@attrs.frozen
class _Aftermath:
    """What is on the board after a battle; ``targets`` are the places to which units move, by start."""

    position: Position
    battle: Battle
    targets: Mapping[str, str]

    def has_moved(self, province: str) -> bool:
        move = self.battle.moves.get(province)
        return move is not None and bool(move.succeeds)

    def is_dislodged(self, province: str) -> bool:
        return not self.has_moved(province) and bool(self.battle.is_dislodged(province))

    def units(self) -> dict[str, tuple[str, ...]]:
        return {
            power: tuple(standing for unit in units if (standing := self._standing(unit)) is not None)
            for power, units in self.position.units.items()
        }

    def _standing(self, unit: str) -> str | None:
        province = self.position.board.province_of[unit[2:]]
        if self.has_moved(province):
            return f"{unit[0]} {self.targets[province]}"
        return None if self.battle.is_dislodged(province) else unit

    def contested(self) -> tuple[str, ...]:
        """The empty provinces where units bounced; one beaten head to head does not count (DATC 6.H.9)."""
        return tuple(
            sorted(
                province
                for province, moves in self.battle.attacks.items()
                if not self._is_taken(province) and any(self.battle.prevent(move) != NOTHING for move in moves)
            )
        )

    def _is_taken(self, province: str) -> bool:
        stays = province in self.battle.powers and not self.has_moved(province)
        return stays or bool(self.battle.is_dislodged(province))

    def dislodged(self) -> dict[str, dict[str, tuple[str, ...]]]:
        found: dict[str, dict[str, tuple[str, ...]]] = {}
        contested: set[str] | None = None
        for province, (power, unit) in self.position.occupied.items():
            if self.is_dislodged(province):
                contested = set(self.contested()) if contested is None else contested
                found.setdefault(power, {})[unit] = self._retreats(province, unit, contested)
        return found

    def _retreats(self, province: str, unit: str, contested: set[str]) -> tuple[str, ...]:
        """Where a unit may go: not to where its attacker came from, unless by convoy (issue 4.A.5 of DATC 3.0)."""
        attacker = next(move for move in self.battle.attacks[province] if move.succeeds)
        origin = None if attacker.by_convoy else attacker.start
        board = self.position.board
        return tuple(
            place
            for place in sorted(board.moves[unit])
            if (near := board.province_of[place]) != origin and near not in contested and not self._is_taken(near)
        )


def _result(one: GivenOrder, chosen: Mapping[str, Order | None], after: _Aftermath) -> OrderResult:
    order = one.order
    if order is None:
        return OrderResult(one.text, "illegal", reason=one.reason)
    province = after.position.board.province_of[order.unit[2:]]
    is_dislodged = after.is_dislodged(province)
    if chosen[order.unit] is None:
        return OrderResult(one.text, "void", is_dislodged, f"{order.unit} was given two different orders")
    if order.kind == "move":
        move = after.battle.moves[province]
        if move.succeeds:
            return OrderResult(one.text, "ok")
        if not after.battle.has_path(move):
            return OrderResult(one.text, "no-convoy", is_dislodged, "no fleets convoyed it")
        return OrderResult(one.text, "bounced", is_dislodged, f"it did not prevail in {move.target}")
    if order.kind == "support":
        support = after.battle.supports.get(province)
        if support is None:
            return OrderResult(one.text, "void", is_dislodged, f"{order.helped} did something else")
        if not support.is_given:
            return OrderResult(one.text, "cut", is_dislodged, "the supporting unit was attacked")
    if order.kind == "convoy":
        convoy = after.battle.convoys.get(province)
        if convoy is None:
            return OrderResult(one.text, "void", is_dislodged, f"{order.helped} did something else")
        if convoy.fails:
            return OrderResult(one.text, "cut", is_dislodged, "the convoy is part of a paradox, and fails")
    return OrderResult(one.text, "ok", is_dislodged)
