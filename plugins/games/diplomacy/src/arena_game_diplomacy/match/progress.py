"""One match of Diplomacy as it stands: who holds which powers, what was said, and what comes next."""

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import attrs
from arena.record import Player

from arena_game_diplomacy.match.ordering import OwnOrders, PhaseOrders
from arena_game_diplomacy.match.scoring import End, Standing
from arena_game_diplomacy.match.talk import Declaration, Message, Report, Speaker
from arena_game_diplomacy.match.terms import Terms
from arena_game_diplomacy.rules.position import Position
from arena_game_diplomacy.rules.results import Result

Step: TypeAlias = Literal["negotiate", "orders", "retreats", "adjustments", "over"]


@attrs.define(eq=False, kw_only=True)
class Progress:
    """What there is to know of a match in progress.

    ``hands`` are the powers of each player. ``round`` counts the rounds of negotiation in this phase from 1, and is 0
    outside of them. ``influence`` says of each province which power was the last one in it. ``results`` are those of
    the last movement phase and what followed it.
    """

    terms: Terms
    hands: tuple[tuple[str, ...], ...]
    position: Position
    influence: Mapping[str, str]
    phase_orders: PhaseOrders
    step: Step = "over"
    round: int = 0
    acting: tuple[Player, ...] = ()
    speakers: Mapping[Player, Speaker] = attrs.field(factory=dict)
    forfeited: frozenset[Player] = frozenset()
    messages: tuple[Message, ...] = ()
    declarations: tuple[Declaration, ...] = ()
    reports: tuple[Report, ...] = ()
    results: tuple[Result, ...] = ()
    end: End | None = None

    @property
    def neutral(self) -> tuple[str, ...]:
        """The powers in nobody's hand, as far as they had anything at the start or have now."""
        held = {power for hand in self.hands for power in hand}
        return tuple(power for power in self.terms.powers_there if power not in held)

    @property
    def seats(self) -> tuple[str, ...]:
        """The name of each player: its powers."""
        return tuple(map("+".join, self.hands))

    def to_act(self) -> Sequence[Player]:
        """All living players while they negotiate; else those who have something to decide."""
        return self.acting

    def is_alive(self, power: str) -> bool:
        """Whether a power has a unit, also a dislodged one, or a centre."""
        position = self.position
        has_centre = bool((position.centres or {}).get(power))
        return has_centre or bool(position.units[power]) or bool(position.dislodged.get(power))

    def living(self, player: Player) -> tuple[str, ...]:
        """The living powers of a player; none if it has forfeited."""
        return () if player in self.forfeited else tuple(filter(self.is_alive, self.hands[player]))

    def players(self) -> list[Player]:
        """The players who have not forfeited and still hold a living power."""
        return [Player(p) for p in range(len(self.hands)) if self.living(Player(p))]

    def own_orders(self, player: Player) -> OwnOrders:
        """What ``player`` may order."""
        return self.phase_orders.of(self.hands[player])

    def speaker(self, player: Player) -> Speaker:
        """What ``player`` may say in this round."""
        return self.speakers[player]

    def standing(self) -> Standing:
        """Who owns how much."""
        centres = {power: len(names) for power, names in (self.position.centres or {}).items()}
        return Standing(
            players=self.hands,
            neutral=self.neutral,
            centres=centres,
            surviving=frozenset(filter(self.is_alive, self.position.board.powers)),
            forfeited=frozenset(map(int, self.forfeited)),
        )

    def influence_by_power(self) -> dict[str, list[str]]:
        """The provinces in which each power was the last one, by power, sorted."""
        found: dict[str, list[str]] = {power: [] for power in self.position.board.powers}
        for province, power in self.influence.items():
            found[power].append(province)
        return {power: sorted(provinces) for power, provinces in found.items()}
