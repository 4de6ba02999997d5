"""What it is worth to a side to have a unit somewhere: centres that it could take, near and far, or must keep."""

from collections import Counter, deque
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Final

import attrs
from arena_game_diplomacy import BoardMap, Position

DECAY: Final = 0.5
"""What is left of a centre's pull with each further move that a unit needs to get there."""

CAPTURE: Final[Mapping[str, float]] = {"W": 0.0, "S": 2.5, "F": 4.0}
"""What it is worth to stand on a centre of others: it changes hands in autumn, and in spring it can be lost again."""

DEFENCE: Final = 1.5
"""What it is worth to stand on an own centre, for each unit of another side that can go there."""

CROWDED: Final = 0.6
"""How much of a centre's pull is left for further units once one is on its way there."""


@cache
def distances(board: BoardMap, unit: str) -> Mapping[str, int]:
    """How many moves without a convoy a unit (``"F STP/NC"``) needs to each province that it can get to."""
    found = {board.province_of[unit[2:]]: 0}
    seen, waiting = {unit}, deque([(unit, 0)])
    while waiting:
        here, steps = waiting.popleft()
        for place in sorted(board.moves[here]):
            there = f"{here[0]} {place}"
            if there not in seen and there in board.moves:
                seen.add(there)
                found.setdefault(board.province_of[place], steps + 1)
                waiting.append((there, steps + 1))
    return found


@attrs.frozen
class Side:
    """The powers that one player holds in a position, and whom it takes for what.

    ``passive`` are powers whose units only ever hold, ``friends`` those that it neither attacks nor fears, and
    ``empty`` the provinces that it does not enter.
    """

    position: Position
    own: frozenset[str]
    passive: frozenset[str] = frozenset()
    friends: frozenset[str] = frozenset()
    empty: frozenset[str] = frozenset()

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The side's units, sorted."""
        return tuple(sorted(unit for power in self.own for unit in self.position.units[power]))

    @cached_property
    def owners(self) -> Mapping[str, str]:
        """The power that owns each centre, of those that anybody owns."""
        return {centre: power for power, names in (self.position.centres or {}).items() for centre in names}

    @cached_property
    def closed(self) -> frozenset[str]:
        """The provinces that it does not enter: those to be empty, and those with a unit or a centre of a friend."""
        units = {unit[2:5] for power in self.friends for unit in self.position.units[power]}
        return self.empty | units | {centre for centre, power in self.owners.items() if power in self.friends}

    @cached_property
    def rivals(self) -> Mapping[str, int]:
        """How many units of others can go to each province; passive ones and friends do not count."""
        quiet = self.own | self.passive | self.friends
        reach = self.position.board.reach
        return Counter(
            province
            for power, units in self.position.units.items()
            if power not in quiet
            for unit in units
            for province in reach[unit]
        )

    def pulls(self) -> dict[str, float]:
        """How much each centre pulls the side's units: those of others alike, its own and friends' not at all."""
        closed = self.own | self.friends
        return {centre: 1.0 for centre in self.position.board.centres if self.owners.get(centre) not in closed}

    def worth(self, unit: str, pulls: Mapping[str, float]) -> float:
        """What it is worth that a unit stands where its name says when the phase is over."""
        province = self.position.board.province_of[unit[2:]]
        far = distances(self.position.board, unit)
        worth = sum(pull * DECAY ** far[centre] for centre, pull in pulls.items() if centre in far)
        if province not in self.position.board.centres:
            return worth
        if self.owners.get(province) in self.own:
            return worth + DEFENCE * self.rivals.get(province, 0)
        return worth + CAPTURE[self.position.phase[0]] * (province in pulls)


def crowd(side: Side, unit: str, pulls: dict[str, float]) -> None:
    """Let the centre that pulls a unit most pull further units less."""
    far = distances(side.position.board, unit)
    near = max((centre for centre in pulls if centre in far), key=lambda c: pulls[c] * DECAY ** far[c], default=None)
    if near:
        pulls[near] *= CROWDED
