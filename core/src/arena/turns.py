"""Splits a recorded match into turns: which player acted, what was refused, and what was played.

A turn is numbered from 1 in the order of the record. It has a try for each refusal and one for the action played.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

import attrs

from arena.record import JSON, Event, MatchHistory, Player


@attrs.frozen(kw_only=True)
class Try:
    """One answer of an agent; ``event`` is the referee's event for it, ``refused``, ``played`` or ``withheld``."""

    event: Event

    @property
    def data(self) -> Mapping[str, Any]:
        """The data of the referee's event."""
        return data_of(self.event)

    @property
    def is_refused(self) -> bool:
        """Whether the answer was refused and not played."""
        return self.event.kind == "refused"


@attrs.frozen(kw_only=True)
class Turn:
    """One player's turn, with the tries and the queries it made in it."""

    number: int
    step: int
    player: Player
    turn: int
    tries: tuple[Try, ...]
    queries: tuple[Event, ...] = ()

    @property
    def played(self) -> Event | None:
        """The referee's event with the action; ``None`` if the player was eliminated in this turn."""
        last = self.tries[-1].event
        return None if last.kind == "refused" else last

    @property
    def is_applied(self) -> bool:
        """Whether its action was applied; false if another player's forfeit ended the match in the same step."""
        return self.tries[-1].event.kind == "played"

    @property
    def by(self) -> str:
        """The source of the action: ``agent``, or ``random`` or ``skip`` for a substitute; empty if there was none."""
        return str(data_of(self.played)["by"]) if self.played else ""

    @property
    def move(self) -> dict[str, JSON]:
        """The turn as an entry of an opening: ``{"play": ACTION}`` or ``{"refuse": KIND}``."""
        if self.played:
            return {"play": data_of(self.played)["action"]}
        return {"refuse": self.tries[-1].data["kind"]}


def data_of(event: Event) -> Mapping[str, Any]:
    """The data of a referee's event, which is always a mapping."""
    assert isinstance(event.data, Mapping)  # the referee writes tables
    return event.data


_FORM = re.compile(r"\[(?:prompt\.)?(?:style|form)=[^\]]*\]")


def name_without_form(agent: str) -> str:
    """An agent's name without the style or form of prompt that a sweep put behind it."""
    return _FORM.sub("", agent)


def form_shown(match: MatchHistory) -> str:
    """The form of observation that the agents of a match were shown, as their notes say.

    Several are joined by ``+``; empty if no agent says that it looked at one.
    """
    notes = (data_of(event).get("note") for event in match.played())
    shown = (cast("Mapping[str, Any]", note).get("form") for note in notes if isinstance(note, Mapping))
    return "+".join(sorted({form for form in shown if isinstance(form, str)}))


def turns(record: MatchHistory) -> tuple[Turn, ...]:
    """The turns of a match, over or not, in the order of its events."""
    found: list[Turn] = []
    for player, turn, events in _grouped(record):
        tries = tuple(Try(event=e) for e in events if e.kind != "queried")
        if not tries:
            continue
        queries = tuple(e for e in events if e.kind == "queried")
        number, step = len(found) + 1, events[0].step
        found.append(Turn(number=number, step=step, player=player, turn=turn, tries=tries, queries=queries))
    return tuple(found)


def _grouped(record: MatchHistory) -> Iterator[tuple[Player, int, list[Event]]]:
    """The events of each player's turn; a query has no turn number and belongs to the turn it was made in."""
    groups: dict[tuple[int, Player], list[Event]] = {}
    for event in record.events:
        if event.source == "referee" and event.player is not None and event.kind in _OF_TURNS:
            groups.setdefault((event.step, event.player), []).append(event)
    for (_, player), events in groups.items():
        numbers = [data_of(e)["turn"] for e in events if "turn" in data_of(e)]
        yield player, numbers[0] if numbers else 0, events


_OF_TURNS = frozenset({"refused", "played", "withheld", "queried"})
