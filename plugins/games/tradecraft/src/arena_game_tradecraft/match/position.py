"""One match of TradeCraft as it stands: whose turn it is, and what players hold and were shown."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias, cast

import attrs
from arena.record import JSON, GameEvent, Player

from arena_game_tradecraft.match.actions import Proposal, Reader
from arena_game_tradecraft.match.problem import Problem
from arena_game_tradecraft.match.terms import Terms
from arena_game_tradecraft.rules.amounts import write_amounts
from arena_game_tradecraft.rules.ruleset import RuleSet

Phase: TypeAlias = Literal["propose", "decide", "craft", "over"]
Hand: TypeAlias = Mapping[str, Fraction]


@attrs.frozen
class Outcome:
    """How a match ended: ``"won"``, ``"turn-limit"`` or ``"left"`` (too few players remain), and who won."""

    reason: Literal["won", "turn-limit", "left"]
    winners: tuple[Player, ...] = ()


@attrs.define(eq=False)
class Position:
    """What there is to know of a match in progress.

    ``hands`` are what players hold, fractions included; ``shown`` is what everybody was last shown of them. ``order``
    is the order of proposers. ``wiki`` are the items that may be looked up. ``log`` is all that happened, by turn.
    """

    terms: Terms
    rules: RuleSet
    reader: Reader
    problem: Problem
    order: tuple[Player, ...]
    wiki: frozenset[str]
    hands: list[Hand]
    shown: list[Hand]
    phase: Phase = "craft"
    turn: int = 0
    proposer: Player | None = None
    proposal: Proposal | None = None
    crafts: list[int] = attrs.field(factory=list)
    done: set[Player] = attrs.field(factory=set)
    gone: set[Player] = attrs.field(factory=set)
    outcome: Outcome | None = None
    log: list[tuple[int, GameEvent]] = attrs.field(factory=list)

    @property
    def players(self) -> int:
        """The number of players at the start."""
        return self.problem.players

    @property
    def max_turns(self) -> int:
        """The turn after which the match ends."""
        return self.problem.max_turn or self.terms.max_turns

    def to_act(self) -> Sequence[Player]:
        """The proposer, its partner, or all players who are still crafting."""
        if self.phase == "propose":
            return (cast("Player", self.proposer),)
        if self.phase == "decide":
            return (cast("Player", cast("Proposal", self.proposal).partner),)
        return [p for p in self.present() if p not in self.done] if self.phase == "craft" else ()

    def present(self) -> list[Player]:
        """The players who have not been eliminated by forfeit."""
        return [Player(p) for p in range(self.players) if p not in self.gone]

    def has_target(self, player: Player) -> bool:
        """Whether a player holds its target."""
        return all(self.hands[player].get(item, 0) >= n for item, n in self.problem.targets[player].items())

    def public(self) -> dict[str, JSON]:
        """Everybody's hand as it was last shown, by seat."""
        return {seat: write_amounts(hand) for seat, hand in zip(self.reader.seats, self.shown, strict=True)}
