"""Orders of a movement phase: attacks with as much support as they need, then every other unit on its way.

Nothing is searched. What a unit can do is valued by where it would stand and by how likely it is to get there, against
the units of others that could stand in its way. The best group of units (one that moves or holds, and those that
support or convoy it) gets its orders, then the best of the remaining ones, until all have orders.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from math import comb
from random import Random
from typing import Final

import attrs

from arena_agent_diplomacy.aims import UnitAim, aims_of
from arena_agent_diplomacy.values import Side, crowd

OPPOSES: Final = 0.35
"""How likely each unit of others that could stand in the way of an order does so."""

LEAVES: Final = 0.4
"""How likely a unit leaves the place in which it stands, unless its power is passive."""

SPREAD: Final = 0.05
"""By how much at most values are drawn apart, so that equal ones do not always fall to the same unit."""

MOST_SUPPORTS: Final = 3
"""How many units at most support one order."""

WORTHWHILE: Final = 0.05
"""How much more than alone units must be worth together."""


@cache
def success(strength: int, resistance: int, rivals: int) -> float:
    """How likely a strength is more than a resistance to which each of a number of rivals may add one."""
    ways = (comb(rivals, n) * OPPOSES**n * (1 - OPPOSES) ** (rivals - n) for n in range(rivals + 1))
    return sum(way for n, way in enumerate(ways) if resistance + n < strength)


@attrs.frozen
class OrderGroup:
    """An aim, the orders of the units that help it, and what that is worth, less what the helpers could do instead."""

    aim: UnitAim
    helpers: Mapping[str, str]
    worth: float


class OrderPlan:
    """Orders in the making for all units of a side: who has orders, and which provinces are spoken for."""

    def __init__(
        self, side: Side, legal: Mapping[str, Sequence[str]], rng: Random, promised: Mapping[str, str] | None = None
    ) -> None:
        """``legal`` are the orders that each unit of the side may get, ``promised`` those that some do get."""
        self.orders = dict(promised or {})
        self._side = side
        self._pulls = side.pulls()
        self._aims = aims_of(side, legal)
        self._spread = {aim.order: 1 + SPREAD * rng.random() for aims in self._aims.values() for aim in aims}
        self._worths: dict[str, float] = {}
        self._taken: dict[str, tuple[UnitAim, int]] = {}
        self._leads_to: dict[str, str] = {}
        for unit, order in self.orders.items():
            aim = next((aim for aim in self._aims[unit] if aim.order == order), self._aims[unit][0])
            self._taken[aim.province] = (aim, 1)
            self._leads_to[unit[2:5]] = aim.province

    def complete(self) -> dict[str, str]:
        """Give orders to all units that have none, those of most worth first."""
        while free := [unit for unit in self._aims if unit not in self.orders]:
            alone = {unit: self._alone(unit) for unit in free}
            spare = {unit: alone[unit].worth - self._worth(self._aims[unit][0], 1) for unit in free}
            best, gain = max(alone.values(), key=lambda group: group.worth), WORTHWHILE
            for unit in free:
                for group in self._groups(unit, spare):
                    if group.worth - alone[unit].worth > gain:
                        best, gain = group, group.worth - alone[unit].worth
            self.take(best)
        self._help_on()
        return self.orders

    def take(self, group: OrderGroup) -> None:
        """Give the units of a group their orders; what they are after pulls the units that come later less."""
        for unit, order in {group.aim.unit: group.aim.order, **group.helpers}.items():
            self.orders[unit] = order
            aim = group.aim if unit == group.aim.unit else self._aims[unit][0]
            strength = 1 + sum(helper not in aim.convoys for helper in group.helpers) if aim is group.aim else 1
            self._taken[aim.province] = (aim, strength)
            self._leads_to[unit[2:5]] = aim.province
            crowd(self._side, aim.after, self._pulls)
            self._worths.clear()

    def _alone(self, unit: str) -> OrderGroup:
        """The best that a unit can do without help."""
        groups = (OrderGroup(aim, {}, self._worth(aim, 1)) for aim in self._open(unit) if not aim.convoys)
        return max(groups, key=lambda group: group.worth)

    def _groups(self, unit: str, spare: Mapping[str, float]) -> Iterator[OrderGroup]:
        """What a unit can do with help; ``spare`` says what each free unit could gain by anything but to stay."""
        for aim in self._open(unit):
            helpers, cost = dict[str, str](), 0.0
            if aim.convoys:
                fleets = sorted((fleet for fleet in aim.convoys if fleet in spare), key=lambda fleet: spare[fleet])
                if not fleets:
                    continue
                helpers, cost = {fleets[0]: aim.convoys[fleets[0]]}, spare[fleets[0]]
                yield OrderGroup(aim, helpers, self._worth(aim, 1) - cost)
            able = (helper for helper in aim.supports if helper in spare and helper not in helpers)
            for helper in sorted(able, key=lambda helper: spare[helper])[:MOST_SUPPORTS]:
                helpers, cost = {**helpers, helper: aim.supports[helper]}, cost + spare[helper]
                yield OrderGroup(aim, helpers, self._worth(aim, 1 + len(helpers) - bool(aim.convoys)) - cost)

    def _open(self, unit: str) -> Iterator[UnitAim]:
        """The aims of a unit that are not in the way of other units of its side; to hold always is one."""
        here = unit[2:5]
        for aim in self._aims[unit]:
            there = aim.province
            power, _ = self._side.position.occupied.get(there, ("", ""))
            leads_to = self._leads_to.get(there)
            if there == here or (
                there not in self._taken
                and there not in self._side.closed
                and (power not in self._side.own or leads_to not in (None, here))
            ):
                yield aim

    def _worth(self, aim: UnitAim, strength: int) -> float:
        """What it is worth that a unit tries something with a strength, whether it succeeds or stays where it is."""
        chance = self._chance(aim, strength)
        stay = 0.0 if aim.after == aim.unit else (1 - chance) * self._worth_at(aim.unit)
        return (chance * self._worth_at(aim.after) + stay) * self._spread[aim.order]

    def _worth_at(self, unit: str) -> float:
        if unit not in self._worths:
            self._worths[unit] = self._side.worth(unit, self._pulls)
        return self._worths[unit]

    def _chance(self, aim: UnitAim, strength: int) -> float:
        side, rivals = self._side, self._side.rivals.get(aim.province, 0)
        if aim.after == aim.unit:
            return success(strength, -1, rivals)
        power, _ = side.position.occupied.get(aim.province, ("", ""))
        if not power or power in side.own:
            return success(strength, 0, rivals)
        if power in side.passive:
            return success(strength, 1, rivals)
        return LEAVES * success(strength, 0, rivals) + (1 - LEAVES) * success(strength, 1, rivals)

    def _help_on(self) -> None:
        """Let each unit that was left to hold support what gains most by it, if anything does."""
        for unit, (hold, *_) in self._aims.items():
            if self.orders[unit] != hold.order:
                continue
            able = [(aim, n) for aim, n in self._taken.values() if unit in aim.supports and self._is_ordered(aim)]
            gains = [self._worth(aim, n + 1) - self._worth(aim, n) for aim, n in able]
            if max(gains, default=0) > 0:
                aim, strength = able[gains.index(max(gains))]
                self.orders[unit] = aim.supports[unit]
                self._taken[aim.province] = (aim, strength + 1)

    def _is_ordered(self, aim: UnitAim) -> bool:
        return self.orders[aim.unit] == aim.order
