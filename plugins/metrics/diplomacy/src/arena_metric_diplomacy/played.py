"""Reads a match of Diplomacy from its events: phase by phase, what was said, ordered and came of it."""

from collections.abc import Iterable, Iterator, Mapping
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
    ``adjudicated``, and ``messages`` are those that players wrote in it themselves, in their order. The actions of
    ``put_in`` were chosen by the policy for illegal actions.
    """

    phase: str
    position: Data
    messages: tuple[Data, ...]
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

    ``position`` and ``influence`` are those of the start. ``rounds`` is the number of rounds of talk that began.
    """

    hands: tuple[tuple[str, ...], ...]
    position: Data
    influence: Data
    phases: tuple[PlayedPhase, ...]
    rounds: int
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
    events = tuple(events)
    start = next((data for kind, data in _of_game(events) if kind == "start" and "hands" in data), None)
    if start is None:
        return None
    return PlayedDiplomacy(
        hands=tuple(tuple(hand) for hand in start["hands"]),
        position=start["position"],
        influence=start["influence"],
        phases=tuple(_phases(events, start)),
        rounds=sum(kind == "round" for kind, _ in _of_game(events)),
        end=next((data for kind, data in _of_game(events) if kind == "ended"), None),
    )


def _of_game(events: Iterable[Event]) -> Iterator[tuple[str, Data]]:
    return ((e.kind, e.data) for e in events if e.source == "game" and isinstance(e.data, Mapping))


def _phases(events: Iterable[Event], start: Data) -> Iterator[PlayedPhase]:
    position: Data = start["position"]
    chosen: dict[Player, str] = {}
    messages: list[Data] = []
    owners = {power: Player(number) for number, hand in enumerate(start["hands"]) for power in hand}
    for event in events:
        data = cast("Any", event.data)
        if event.source == "referee":
            if event.kind == "played" and event.player is not None:
                chosen[event.player] = data["by"]
        elif event.kind == "message" and chosen.get(owners[data["from"]], "agent") == "agent":
            messages.append(data)
        elif event.kind == "adjudicated":
            put_in = frozenset(player for player, by in chosen.items() if by != "agent")
            yield PlayedPhase(
                phase=data["phase"], position=position, messages=tuple(messages), result=data, put_in=put_in
            )
            position, messages = data["next"] or {}, []
