"""Holds agreements against the orders that followed: which were kept, and how many random orders would have kept."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import prod
from statistics import fmean
from typing import Final

import attrs
from arena.record import Player, derive_rng
from arena_game_diplomacy import Position, legal_orders
from arena_game_diplomacy.match.pacts import Agreement, judge_pact
from arena_game_diplomacy.match.sampling import sample_orders

from arena_metric_diplomacy.match_phases import PlayedDiplomacy, PlayedPhase

DRAWS: Final = 20
"""How many random sets of orders stand beside those of a power in a phase, at most."""

DRAWS_OF_MATCH: Final = 400
"""How many there are in a match, shared among all powers and phases that were bound; but at least two each."""


@attrs.frozen(kw_only=True)
class KeptPact:
    """What became of an agreement in the movement phases in which it was in force.

    ``player`` is the one whom it bound. ``kept`` says for each phase whether its orders kept it, ``random`` how likely
    random orders in the same position would have.
    """

    agreement: Agreement
    player: Player
    kept: tuple[bool, ...]
    random: tuple[float, ...]

    @property
    def is_kept(self) -> bool:
        """Whether it was kept in every phase."""
        return all(self.kept)

    @property
    def kept_at_random(self) -> float:
        """The probability that a power that orders at random would have kept it in every phase."""
        return prod(self.random)


def kept_pacts(match: PlayedDiplomacy, agreements: Iterable[Agreement], name: str) -> tuple[KeptPact, ...]:
    """The agreements that bound a player, held against the orders that followed.

    Left out are those between two powers of one player, and those after which no movement phase came in which they were
    in force and their power had units and orders of its own. Random orders follow from ``name``, that of the match.
    """
    orders = [_Orders(phase, name) for phase in match.phases if phase.is_movement]
    tested: list[tuple[Agreement, Player, list[_Orders]]] = []
    for agreement in dict.fromkeys(agreements):
        player = match.owner(agreement.bound)
        if player is None or player == match.owner(agreement.partner):
            continue
        phases = [o for o in orders if agreement.in_force(o.phase.phase) and o.has_own(agreement.bound, player)]
        if phases:
            tested.append((agreement, player, phases))
    bound = {(agreement.bound, each.phase.phase) for agreement, _, phases in tested for each in phases}
    draws = min(DRAWS, max(2, DRAWS_OF_MATCH // max(len(bound), 1)))
    return tuple(
        KeptPact(
            agreement=agreement,
            player=player,
            kept=tuple(each.keep(agreement) for each in phases),
            random=tuple(each.keep_at_random(agreement, draws) for each in phases),
        )
        for agreement, player, phases in tested
    )


class _Orders:
    """The orders of a movement phase, and random ones for the same units."""

    def __init__(self, phase: PlayedPhase, name: str) -> None:
        self.phase = phase
        self._name = name
        self._drawn: dict[str, list[tuple[str, ...]]] = {}

    def has_own(self, power: str, player: Player) -> bool:
        """Whether a power had units, and orders that its player chose."""
        return player not in self.phase.put_in and bool(self._position.units[power])

    def keep(self, agreement: Agreement) -> bool:
        """Whether the orders that were given kept an agreement that is in force."""
        given = self.phase.result["orders"]
        return self._is_kept(agreement, {power: [each["order"] for each in orders] for power, orders in given.items()})

    def keep_at_random(self, agreement: Agreement, draws: int) -> float:
        """The share of so many random sets of orders that keep an agreement that is in force."""
        power = agreement.bound
        return fmean(self._is_kept(agreement, {power: orders}) for orders in self._random(power, draws))

    def _is_kept(self, agreement: Agreement, orders: Mapping[str, Iterable[str]]) -> bool:
        verdict = judge_pact(agreement, self._position, {power: tuple(given) for power, given in orders.items()})
        return verdict is not None and verdict.is_kept

    def _random(self, power: str, count: int) -> list[tuple[str, ...]]:
        if power not in self._drawn:
            rng = derive_rng("pacts", self._name, self.phase.phase, power)
            draws = (sample_orders(self._position, (power,), rng, self._legal) for _ in range(count))
            self._drawn[power] = [tuple(orders.values()) for orders in draws]
        return self._drawn[power]

    @cached_property
    def _position(self) -> Position:
        return Position.from_json(self.phase.position)

    @cached_property
    def _legal(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        return legal_orders(self._position)
