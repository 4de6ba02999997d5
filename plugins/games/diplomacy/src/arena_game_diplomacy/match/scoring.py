"""What a match of Diplomacy earns: who has won alone, and how the rest is shared."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import attrs

Scoring: TypeAlias = Literal["squares", "centres", "draw-size", "solo"]

Side: TypeAlias = tuple[str, ...]
"""The powers that score together: those in one player's hand, or one neutral power."""


@attrs.frozen
class End:
    """How a match ended: ``"solo"``, ``"last-year"``, ``"eliminated"`` or ``"forfeited"``, and who won alone."""

    reason: Literal["solo", "last-year", "eliminated", "forfeited"]
    winner: Side | None = None


@attrs.frozen(kw_only=True)
class Standing:
    """The end of a match: ``players`` are the hands in order, ``neutral`` the other powers.

    ``centres`` counts those that each power owns; ``surviving`` are the powers with a unit or a centre. ``forfeited``
    are the numbers of players who earn nothing.
    """

    players: Sequence[Side]
    neutral: Sequence[str]
    centres: Mapping[str, int]
    surviving: frozenset[str]
    forfeited: frozenset[int] = frozenset()

    @property
    def sides(self) -> list[Side]:
        """All hands, then each neutral power as a side of its own."""
        return [*map(tuple, self.players), *((power,) for power in self.neutral)]

    def owned(self, side: Side) -> int:
        """The number of centres that a side owns."""
        return sum(self.centres.get(power, 0) for power in side)

    def solo(self, win_centres: int) -> Side | None:
        """The side with at least ``win_centres`` centres and more than any other, if there is one."""
        counts = sorted(((self.owned(side), side) for side in self.sides), reverse=True)
        most, side = counts[0]
        is_alone = len(counts) == 1 or counts[1][0] < most
        return side if most >= win_centres and is_alone else None


def returns(standing: Standing, scoring: Scoring, winner: Side | None) -> tuple[float, ...]:
    """What each player earns; with the neutral powers' part, which nobody earns, it sums to 1.

    A ``winner`` earns all, but by ``centres``, which always shares by the numbers of centres. Without one, ``squares``
    shares by the squares of these numbers, ``draw-size`` equally among the sides that survive, and ``solo`` equally
    among all sides. Who has forfeited earns nothing, and the others share all; if everybody has, they share equally.
    """
    sides, players = standing.sides, range(len(standing.players))
    weights = [_weight(standing, side, scoring, winner) for side in sides]
    weights = [0.0 if number in standing.forfeited else weight for number, weight in enumerate(weights)]
    if not sum(weights):
        weights = [0.0 if n in standing.forfeited or not _survives(standing, s) else 1.0 for n, s in enumerate(sides)]
    if not sum(weights):
        weights = [1.0] * len(sides)
    total = sum(weights)
    return tuple(weights[player] / total for player in players)


def _weight(standing: Standing, side: Side, scoring: Scoring, winner: Side | None) -> float:
    owned = standing.owned(side)
    if scoring == "centres":
        return float(owned)
    if winner is not None:
        return float(side == winner)
    match scoring:
        case "squares":
            return float(owned * owned)
        case "draw-size":
            return float(_survives(standing, side))
        case _:
            return 1.0


def _survives(standing: Standing, side: Side) -> bool:
    return not standing.surviving.isdisjoint(side)
