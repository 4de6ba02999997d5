"""A second adjudicator, deliberately simple: it tries every outcome and keeps those that agree with themselves.

It shares nothing with the first but the map, reads legal orders in the standard notation only, and takes time that
doubles with every order.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import combinations, product

import attrs
from arena_game_diplomacy import STANDARD


def province(place: str) -> str:
    return place.split("/")[0]


@attrs.frozen(eq=False)
class Ordered:
    """A unit with its order, taken apart."""

    power: str
    letter: str
    place: str
    verb: str
    helped: str = ""
    target: str = ""
    via: bool = False

    @cached_property
    def at(self) -> str:
        return province(self.place)

    @cached_property
    def to(self) -> str:
        return province(self.target)


def taken_apart(power: str, text: str) -> Ordered:
    letter, place, verb, *rest = text.split()
    if verb == "H":
        return Ordered(power, letter, place, "hold")
    if verb == "-":
        return Ordered(power, letter, place, "move", target=rest[0], via="VIA" in rest)
    target = rest[3] if len(rest) > 2 else ""
    return Ordered(power, letter, place, "support" if verb == "S" else "convoy", province(rest[1]), target)


class Phase:
    """The orders of a movement phase, one for every unit, and what each outcome of them would mean."""

    def __init__(self, orders: Mapping[str, Iterable[str]]) -> None:
        self.all = [taken_apart(power, text) for power, texts in orders.items() for text in texts]
        self.at = {one.at: one for one in self.all}
        self.open = [one for one in self.all if one.verb != "hold"]
        self.moves = [one for one in self.all if one.verb == "move"]
        self.convoys = [one for one in self.all if one.verb == "convoy" and self.fits(one)]

    def fits(self, one: Ordered) -> bool:
        """Say whether a support or a convoy matches what its unit does."""
        helped = self.at[one.helped]
        if one.verb == "support" and not one.target:
            return helped.verb != "move"
        return helped.verb == "move" and one.target in (helped.target, helped.to)

    def fleets(self, move: Ordered) -> list[Ordered]:
        return [one for one in self.convoys if one.helped == move.at]

    def by_convoy(self, move: Ordered) -> bool:
        return move.letter == "A" and (move.via or any(fleet.power == move.power for fleet in self.fleets(move)))

    def under_attack(self) -> bool:
        return any(move.to == fleet.at for fleet in self.convoys for move in self.moves)

    def outcomes(self, failing: frozenset[str] = frozenset()) -> list["Outcome"]:
        """Every outcome that agrees with itself, where the convoys in these provinces fail."""
        tried = (
            Outcome(self, dict(zip(self.open, values, strict=True)), failing)
            for values in product((True, False), repeat=len(self.open))
        )
        return [outcome for outcome in tried if outcome.agrees()]

    def settled(self, failing: frozenset[str] = frozenset()) -> "Outcome":
        """The outcome by the rules, with those for circles and for paradoxes, where these convoys fail anyway."""
        found = self.outcomes(failing)
        if not found:
            return self.smallest(failing)
        differing = {one.at for one in self.convoys if len({outcome.yes[one] for outcome in found}) > 1}
        if differing - failing:
            return self.settled(failing | differing)
        return max(found, key=Outcome.successful_moves)

    def smallest(self, failing: frozenset[str]) -> "Outcome":
        """The outcome that the smallest set of failing convoys leaves, best if it leaves exactly one.

        More than one is left where a circle lies beside the paradox.
        """
        others = [one.at for one in self.convoys if one.at not in failing]
        for size in range(1, len(others) + 1):
            left = {chosen: self.outcomes(failing | {*chosen}) for chosen in combinations(others, size)}
            single = [found[0] for found in left.values() if len(found) == 1]
            several = [self.settled(failing | {*chosen}) for chosen, found in left.items() if found]
            if single or several:
                return max(single or several, key=Outcome.successful_moves)
        raise AssertionError("no set of failing convoys leaves an outcome")


@attrs.frozen(eq=False)
class Outcome:
    """One assumption about everything that is open: which moves succeed, which supports count, which convoys stand."""

    phase: Phase
    yes: Mapping[Ordered, bool]
    failing: frozenset[str]

    def successful_moves(self) -> int:
        return sum(self.yes[move] for move in self.phase.moves)

    def agrees(self) -> bool:
        return all(self.yes[one] == self.follows(one) for one in self.phase.open)

    def follows(self, one: Ordered) -> bool:
        """What would come of an order if everything else were as it is assumed."""
        if one.verb == "move":
            return self.move_follows(one)
        if not self.phase.fits(one):
            return False
        if one.verb == "convoy":
            return one.at not in self.failing and not self.dislodged(one.at)
        goal = province(one.target) if one.target else one.helped
        cutting = [m for m in self.phase.moves if m.to == one.at and m.power != one.power and self.path(m)]
        return not any(move.at != goal or self.yes[move] for move in cutting)

    def dislodged(self, place: str) -> bool:
        return any(move.to == place and self.yes[move] for move in self.phase.moves)

    def path(self, move: Ordered) -> bool:
        if not self.phase.by_convoy(move):
            return True
        seas = {fleet.at for fleet in self.phase.fleets(move) if self.yes[fleet]}
        reached = {sea for sea in seas if touches(sea, move.at)}
        while more := {sea for sea in seas - reached if any(touches(sea, other) for other in reached)}:
            reached |= more
        return any(touches(sea, move.to) for sea in reached)

    def supports(self, move: Ordered, besides: str = "") -> int:
        fitting = (one for one in self.phase.all if one.verb == "support" and one.helped == move.at and one.target)
        return sum(self.yes[one] and one.power != besides for one in fitting)

    def head_to_head(self, move: Ordered) -> Ordered | None:
        other = self.phase.at.get(move.to)
        if other is None or other.verb != "move" or other.to != move.at:
            return None
        return None if self.phase.by_convoy(move) or self.phase.by_convoy(other) else other

    def move_follows(self, move: Ordered) -> bool:
        if not self.path(move):
            return False
        against = [self.prevent(other) for other in self.phase.moves if other.to == move.to and other is not move]
        opponent = self.head_to_head(move)
        against.append(1 + self.supports(opponent) if opponent else self.hold(move.to))
        return self.attack(move) > max(against)

    def attack(self, move: Ordered) -> int:
        there = self.phase.at.get(move.to)
        if there is None or (there.verb == "move" and self.yes[there] and not self.head_to_head(move)):
            return 1 + self.supports(move)
        return 0 if there.power == move.power else 1 + self.supports(move, besides=there.power)

    def hold(self, place: str) -> int:
        there = self.phase.at.get(place)
        if there is None:
            return 0
        if there.verb == "move":
            return 0 if self.yes[there] else 1
        return 1 + sum(
            self.yes[one] for one in self.phase.all if one.verb == "support" and one.helped == place and not one.target
        )

    def prevent(self, move: Ordered) -> int:
        opponent = self.head_to_head(move)
        return 0 if not self.path(move) or (opponent and self.yes[opponent]) else 1 + self.supports(move)

    def units(self) -> dict[str, list[str]]:
        """The units after the phase, by power, without the dislodged."""
        found: dict[str, list[str]] = {}
        for one in self.phase.all:
            if one.verb == "move" and self.yes[one]:
                found.setdefault(one.power, []).append(f"{one.letter} {one.target}")
            elif not self.dislodged(one.at):
                found.setdefault(one.power, []).append(f"{one.letter} {one.place}")
        return {power: sorted(units) for power, units in found.items()}

    def results(self) -> dict[str, list[str]]:
        """The word for each order, by power, in the sequence of the orders."""
        found: dict[str, list[str]] = {}
        for one in self.phase.all:
            found.setdefault(one.power, []).append(self.word(one))
        return found

    def word(self, one: Ordered) -> str:
        if one.verb == "hold":
            return "ok"
        if one.verb == "move":
            return "ok" if self.yes[one] else "bounced" if self.path(one) else "no-convoy"
        if not self.phase.fits(one):
            return "void"
        if one.verb == "convoy":
            return "cut" if one.at in self.failing else "ok"
        return "ok" if self.yes[one] else "cut"


def touches(sea: str, other: str) -> bool:
    return any(province(place) == other for place in STANDARD.fleet_borders[sea])
