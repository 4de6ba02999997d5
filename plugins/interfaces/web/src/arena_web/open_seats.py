"""The open seats of a run, for its host: which there are, who waits, and whether somebody has a link."""

from collections.abc import Sequence
from typing import Any

from arena_engine import ControlState, Journal, WaitingSeat, outside_agents

from arena_web.keys import Grant
from arena_web.names import match_name
from arena_web.seat_matches import SeatMatches


def open_seats(
    journal: Journal, matches: SeatMatches, lent: Sequence[Grant], control: ControlState | None, titles: dict[str, str]
) -> list[Any]:
    """The open seats of a run as they are sent: ``player`` is null where the agent sits in its matches once."""
    waiting = () if control is None else control.waiting
    links = {grant.seat for grant in lent if grant.right == "seat"}
    return [
        {
            "agent": agent,
            "player": player,
            "title": titles.get(agent, agent),
            **_waits([seat for seat in waiting if seat.agent == agent and player in (None, seat.player)]),
            "link_made": (journal.header.id, agent, player) in links,
        }
        for agent in sorted(outside_agents(journal))
        for player in matches.places(journal, agent)
    ]


def _waits(seats: Sequence[WaitingSeat]) -> dict[str, Any]:
    if not seats:
        return {"match": None, "waiting_since": None}
    return {"match": match_name(seats[0].match), "waiting_since": seats[0].since}
