"""A recorded match by turns: what was asked of whom, what was answered, and what came of it.

A turn is numbered from 1 in the order of the record. It has a try for each refusal and one for the action played.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import attrs

from arena.executor import Answer
from arena.record import JSON, Event, MatchRecord, Player


@attrs.frozen(kw_only=True)
class Try:
    """One answer of an agent. ``event`` is the referee's verdict; ``answers`` is what came from outside for it."""

    event: Event
    answers: tuple[Answer, ...] = ()

    @property
    def data(self) -> Mapping[str, Any]:
        """What the verdict says."""
        return table(self.event)

    @property
    def is_refused(self) -> bool:
        """Whether it could not be played."""
        return self.event.kind == "refused"


@attrs.frozen(kw_only=True)
class Turn:
    """One player's turn.

    ``played`` is the verdict with the action, ``None`` where the player was put out. ``is_applied`` is false for an
    action that was ready when the match ended through somebody else.
    """

    number: int
    wave: int
    player: Player
    turn: int
    tries: tuple[Try, ...]
    queries: tuple[Event, ...] = ()

    @property
    def played(self) -> Event | None:
        """The verdict with an action."""
        last = self.tries[-1].event
        return None if last.kind == "refused" else last

    @property
    def is_applied(self) -> bool:
        """Whether its action changed the match."""
        return self.tries[-1].event.kind == "played"

    @property
    def by(self) -> str:
        """Whose action it was: ``agent``, ``random`` or ``skip``; empty where there was none."""
        return str(table(self.played)["by"]) if self.played else ""

    @property
    def move(self) -> dict[str, JSON]:
        """The turn as an entry of an opening."""
        if self.played:
            return {"play": table(self.played)["action"]}
        return {"refuse": self.tries[-1].data["kind"]}


def table(event: Event) -> Mapping[str, Any]:
    """The data of one of the referee's events."""
    assert isinstance(event.data, Mapping)  # the referee writes tables
    return event.data


def turns(record: MatchRecord, answers: Iterable[Answer] = ()) -> tuple[Turn, ...]:
    """A match by turns. ``answers`` are those of the journal for this match."""
    by_try: dict[str, list[Answer]] = {}
    for answer in answers:
        by_try.setdefault("/".join(answer.scope.split("/")[:3]), []).append(answer)
    found: list[Turn] = []
    for player, turn, events in _grouped(record):
        verdicts = [e for e in events if e.kind != "queried"]
        if not verdicts:
            continue
        tries = tuple(
            Try(event=e, answers=tuple(by_try.get(f"{player}/{turn}/{table(e)['try']}", ()))) for e in verdicts
        )
        queries = tuple(e for e in events if e.kind == "queried")
        found.append(
            Turn(number=len(found) + 1, wave=events[0].wave, player=player, turn=turn, tries=tries, queries=queries)
        )
    return tuple(found)


def _grouped(record: MatchRecord) -> Iterator[tuple[Player, int, list[Event]]]:
    """Events of each player's turn; queries carry no turn of their own and belong to the one they stand in."""
    groups: dict[tuple[int, Player], list[Event]] = {}
    for event in record.events:
        if event.source == "referee" and event.player is not None and event.kind in _OF_TURNS:
            groups.setdefault((event.wave, event.player), []).append(event)
    for (_, player), events in groups.items():
        numbers = [table(e)["turn"] for e in events if "turn" in table(e)]
        yield player, numbers[0] if numbers else 0, events


_OF_TURNS = frozenset({"refused", "played", "withheld", "queried"})
