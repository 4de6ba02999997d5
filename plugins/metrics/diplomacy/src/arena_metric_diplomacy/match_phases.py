"""Reads a match of Diplomacy from its events: phase by phase, what was said, ordered and came of it."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

import attrs
from arena.record import Event, MatchRecord, Player

GLOBAL: Final = "GLOBAL"
"""The recipient of a message to everybody."""

Data: TypeAlias = Mapping[str, Any]
"""The data of an event, as the game writes it."""


@attrs.frozen(kw_only=True)
class PlayedPhase:
    """One phase of a match.

    ``position`` is the JSON of the position in which its orders were given, ``result`` the data of the event
    ``adjudicated``. The orders of the players of ``put_in`` were chosen by the policy for illegal actions.
    """

    phase: str
    position: Data
    result: Data
    put_in: frozenset[Player]

    @property
    def year(self) -> int:
        """The year of the phase."""
        return year_of(self.phase)

    @property
    def is_movement(self) -> bool:
        """Whether units moved in it, and none only retreated or were built."""
        return self.phase.endswith("M")


@attrs.frozen(kw_only=True)
class PlayedDiplomacy:
    """A match of Diplomacy: ``hands`` are the powers of each player, ``end`` is the data of ``ended`` if it came.

    ``position`` and ``influence`` are those of the start. ``messages`` are the data of those that players wrote
    themselves, in their order. ``asked`` is by player in how many rounds of talk it answered
    itself, with messages or with none.
    """

    hands: tuple[tuple[str, ...], ...]
    position: Data
    influence: Data
    phases: tuple[PlayedPhase, ...]
    messages: tuple[Data, ...]
    asked: tuple[int, ...]
    end: Data | None

    def owner(self, power: str) -> Player | None:
        """The player who holds a power; ``None`` if nobody does."""
        return next((Player(number) for number, hand in enumerate(self.hands) if power in hand), None)

    @property
    def powers(self) -> tuple[str, ...]:
        """The powers that players hold, in the order of the players."""
        return tuple(power for hand in self.hands for power in hand)


def year_of(phase: str) -> int:
    """The year in a phase's name, such as 1901 in S1901M."""
    return int(phase[1:-1])


def played(record: MatchRecord) -> PlayedDiplomacy | None:
    """The match of a record; ``None`` if it is not of Diplomacy or never began."""
    return followed(record.events)


def followed(events: Iterable[Event]) -> PlayedDiplomacy | None:
    """The match that events tell, in their order; ``None`` if they do not begin as Diplomacy does."""
    reader: _Reader | None = None
    for event in events:
        if reader is not None:
            reader.read(event)
        elif event.source == "game" and event.kind == "start" and isinstance(event.data, Mapping):
            reader = _Reader.of(event.data)
    return reader and reader.match()


@attrs.define
class _Reader:
    """A match as far as its events were read."""

    start: Data
    position: Data
    hands: tuple[tuple[str, ...], ...]
    asked: list[int]
    chosen_by: dict[Player, str] = attrs.field(factory=dict[Player, str])
    phases: list[PlayedPhase] = attrs.field(factory=list[PlayedPhase])
    messages: list[Data] = attrs.field(factory=list[Data])
    end: Data | None = None

    @classmethod
    def of(cls, start: Data) -> "_Reader | None":
        if "hands" not in start:
            return None
        hands = tuple(tuple(hand) for hand in start["hands"])
        return cls(start, start["position"], hands, [0] * len(hands))

    def read(self, event: Event) -> None:
        data = cast("Any", event.data)
        if event.source == "referee":
            if event.kind == "played" and event.player is not None:
                self._played(event.player, data)
        elif event.kind == "message":
            if self.chosen_by.get(self._owner(data["from"])) == "agent":
                self.messages.append(data)
        elif event.kind == "adjudicated":
            put_in = frozenset(player for player, by in self.chosen_by.items() if by != "agent")
            self.phases.append(PlayedPhase(phase=data["phase"], position=self.position, result=data, put_in=put_in))
            self.position = data["next"] or {}
        elif event.kind == "ended":
            self.end = data

    def _played(self, player: Player, data: Data) -> None:
        self.chosen_by[player] = data["by"]
        is_talk = isinstance(data["action"], Mapping) and "messages" in data["action"]
        self.asked[player] += is_talk and data["by"] == "agent"

    def _owner(self, power: str) -> Player:
        return next(Player(number) for number, hand in enumerate(self.hands) if power in hand)

    def match(self) -> PlayedDiplomacy:
        return PlayedDiplomacy(
            hands=self.hands,
            position=self.start["position"],
            influence=self.start["influence"],
            phases=tuple(self.phases),
            messages=tuple(self.messages),
            asked=tuple(self.asked),
            end=self.end,
        )
