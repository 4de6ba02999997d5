"""Counts what each player of a match did, from the match's record.

A *turn* is one cycle of proposal, decision and crafting; it counts for every player, whoever proposes. Only a player's
own choices are its behaviour; actions that an illegal-action policy chose are counted as substitutes only.

- *infeasible trades* are proposals that the rules refused: things that are not held, fractions, a partner that does not
  exist, or any other fault;
- *empty proposals* offer nothing and request nothing, with a message or without, or say that nothing is proposed. The
  rules allow them; TradeCraft's authors count them as invalid behaviour;
- *invalid answers* are answers to a proposal that the rules refused;
- *invalid crafts* are crafts that the rules refused. Asking whether a craft is possible is none;
- *unreadable* is any answer without an action: empty, cut off, unreadable, ambiguous, too long or late.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, cast

import attrs
from arena.agent import RefusalKind
from arena.record import JSON, Event, MatchRecord, Player
from arena_game_tradecraft.rules.amounts import read_amount

Hand = dict[str, Fraction]

INVALID = ("infeasible", "empty", "invalid_answers", "invalid_crafts", "unreadable")
"""The kinds of invalid behaviour."""

_REFUSED = {"propose": "infeasible", "decide": "invalid_answers", "craft": "invalid_crafts"}


@attrs.define
class PlayerStats:
    """What one player did in one match; ``had`` counts everything that it held except what it crafted."""

    proposals: int = 0
    infeasible: int = 0
    empty: int = 0
    invalid_answers: int = 0
    invalid_crafts: int = 0
    unreadable: int = 0
    substitutes: int = 0
    accepts: int = 0
    rejects: int = 0
    crafts: int = 0
    crafts_put_in: int = 0
    look_ups: int = 0
    persona: str | None = None
    rules: Counter[str] = attrs.field(factory=Counter)
    had: Hand = attrs.field(factory=dict[str, Fraction])

    def to_json(self) -> dict[str, JSON]:
        """The counts, as part of the detail of a measurement."""
        return {**{name: getattr(self, name) for name in COUNTS}, "rules": dict(sorted(self.rules.items()))}


COUNTS = tuple(f.name for f in attrs.fields(PlayerStats) if f.name not in ("persona", "rules", "had"))


@attrs.define
class MatchStats:
    """The course of a match so far; ``reason`` is how the rules ended it, or empty if they did not."""

    seats: tuple[str, ...]
    hands: list[Hand] = attrs.field(factory=list[Hand])
    targets: list[dict[str, int]] = attrs.field(factory=list[dict[str, int]])
    turns: int = 0
    reason: str = ""
    winners: tuple[Player, ...] = ()
    conducts: list[PlayerStats] = attrs.field(factory=list[PlayerStats])
    _phase: str = "craft"
    _partner: Player = attrs.field(default=cast("Player", 0))
    _by: dict[Player, str] = attrs.field(factory=dict[Player, str])

    def follow(self, event: Event) -> None:
        """Add the next event; events must come in the order of the match."""
        if event.source == "game":
            read = getattr(self, f"_{event.kind.replace('-', '_')}", None)
            if read is not None:
                read(cast("Any", event.data), event.to)
        elif event.player is not None:
            self._referee(event.kind, event.player, cast("Any", event.data))

    def _referee(self, kind: str, player: Player, data: Mapping[str, Any]) -> None:
        own = self.conducts[player]
        if kind == "played":
            self._by[player] = data["by"]
            own.substitutes += data["by"] != "agent"
            own.persona = own.persona or _persona(data)
        elif kind == "queried":
            own.look_ups += 1
        elif kind == "refused" and data["kind"] == RefusalKind.ILLEGAL:
            what = _REFUSED[self._phase]
            setattr(own, what, getattr(own, what) + 1)
            own.rules[data["rule"]] += 1
        elif kind == "refused":
            own.unreadable += 1
            own.rules[data["kind"]] += 1

    def _is_own(self, player: Player) -> bool:
        return self._by.get(player, "agent") == "agent"

    def _player(self, seat: str) -> Player:
        return Player(self.seats.index(seat))

    def _dealt(self, data: Mapping[str, Any], _: object) -> None:
        self.hands = [_amounts(data["hands"][seat]) for seat in self.seats]
        self.conducts = [PlayerStats(had=dict(hand)) for hand in self.hands]
        self.targets = [{} for _ in self.seats]

    def _target(self, data: Mapping[str, Any], to: tuple[Player, ...]) -> None:
        self.targets[to[0]] = dict(data["target"])

    def _turn(self, data: Mapping[str, Any], _: object) -> None:
        self.turns = data["turn"]
        self._phase = "craft" if data["proposer"] is None else "propose"

    def _proposal(self, data: Mapping[str, Any], _: object) -> None:
        proposer, self._partner = self._player(data["proposer"]), self._player(data["partner"])
        self._phase = "decide"
        if self._is_own(proposer):
            self.conducts[proposer].proposals += 1
            self.conducts[proposer].empty += not (data["offer"] or data["request"])

    def _no_proposal(self, data: Mapping[str, Any], _: object) -> None:
        proposer = self._player(data["proposer"])
        self.conducts[proposer].empty += self._is_own(proposer)

    def _accepted(self, data: Mapping[str, Any], _: object) -> None:
        proposer = self._player(data["proposer"])
        self.conducts[self._partner].accepts += self._is_own(self._partner)
        _add(self.conducts[proposer].had, _amounts(data["request"]))
        _add(self.conducts[self._partner].had, _amounts(data["offer"]))

    def _rejected(self, _: object, __: object) -> None:
        self.conducts[self._partner].rejects += self._is_own(self._partner)

    def _left(self, data: Mapping[str, Any], _: object) -> None:
        self._by[self._player(data["player"])] = "gone"  # a forfeited player chooses nothing any more

    def _crafting(self, _: object, __: object) -> None:
        self._phase = "craft"

    def _crafted(self, _: object, to: tuple[Player, ...]) -> None:
        self.conducts[to[0]].crafts += 1
        self.conducts[to[0]].crafts_put_in += not self._is_own(to[0])

    def _over(self, data: Mapping[str, Any], _: object) -> None:
        self.reason = data["reason"]
        self.winners = tuple(map(self._player, data["winners"]))


def followed(seats: tuple[str, ...], events: Iterable[Event]) -> MatchStats:
    """The course of a match from its events."""
    course = MatchStats(seats)
    for event in events:
        course.follow(event)
    return course


def course(match: MatchRecord) -> MatchStats:
    """The course of a match from its record."""
    return followed(match.seats, match.events)


def _persona(data: Mapping[str, Any]) -> str | None:
    note = data.get("note")
    return note.get("persona") if isinstance(note, Mapping) else None


def _amounts(written: Mapping[str, Any]) -> Hand:
    return {item: amount for item, n in written.items() if (amount := read_amount(n)) is not None}


def _add(hand: Hand, come: Hand) -> None:
    for item, amount in come.items():
        hand[item] = hand.get(item, Fraction(0)) + amount
