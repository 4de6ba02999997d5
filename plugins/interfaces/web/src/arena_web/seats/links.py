"""Links that a host makes for others: to a seat, to look at everything, or to watch one match."""

from datetime import UTC, datetime
from math import isfinite
from typing import Any, Final

from arena_engine import Journal, outside_agents
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input, not_found
from arena_web.foundation.keys import Grant
from arena_web.held.match_names import match_name
from arena_web.held.run_state import open_run
from arena_web.runs.listing import agent_titles, utc

OFFERED: Final = ("seat", "reader", "bystander")
"""The rights that links give."""

LONGEST_S: Final = 366 * 86_400
"""No link that is to expire lasts more seconds."""


def make(site: Site, asked: ApiRequest) -> Any:
    """A new link; one for a seat ends the one before."""
    right: Any = asked.body.get("right")
    if right not in OFFERED:
        raise bad_input("right", f"expected one of {', '.join(OFFERED)}, got {str(right)[:40]!r}")
    lasts_s = _lasting(asked.body.get("expires_s"))
    if right == "reader":
        key = site.keys.make("reader", lasts_s=lasts_s)
        return {"link": f"/#key={key}", "id": _id(site, key)}
    run = str(asked.body.get("run") or "")
    if right == "bystander":
        return _watch_link(site, run, str(asked.body.get("match") or ""), lasts_s)
    return seat_link(site, run, asked.body.get("agent"), asked.body.get("player"), lasts_s)


def _lasting(expires_s: Any) -> float | None:
    """The seconds that a link lasts; ``None``: for good."""
    if expires_s is None:
        return None
    is_number = type(expires_s) in (int, float) and isfinite(expires_s)
    if not is_number or not 1 <= expires_s <= LONGEST_S:
        got = str(expires_s)[:40]
        raise bad_input(
            "expires_s", f"expected seconds from 1 to {LONGEST_S:,}, got {got!r}", "without it a link lasts"
        )
    return float(expires_s)


def _watch_link(site: Site, run: str, match: str, lasts_s: float | None) -> dict[str, str]:
    """A new link to watch one match."""
    found = site.runs.get(run)
    with open_run(found) as journal:
        place = site.index.find(journal, match)
        opens = {"run": str(found.directory), "header": journal.header.id, "match": place.id}
    key = site.keys.make("bystander", lasts_s=lasts_s, **opens)
    return {"link": f"/watch#{key}", "id": _id(site, key)}


def seat_link(site: Site, run: str, agent: Any, player: Any, lasts_s: float | None = None) -> dict[str, str]:
    """A new link to a seat, which ends the one before."""
    found = site.runs.get(run)
    with open_run(found) as journal:
        agent, player = _seat(site, journal, agent, player)
        opens: dict[str, Any] = {
            "run": str(found.directory),
            "header": journal.header.id,
            "agent": agent,
            "player": player,
        }
    seat = Grant(right="seat", **opens).seat
    for grant in site.keys.lent():
        if grant.right == "seat" and grant.seat == seat:
            site.keys.end(grant.id)
    key = site.keys.make("seat", lasts_s=lasts_s, **opens)
    return {"link": f"/seat#{key}", "id": _id(site, key)}


def links_to_seats(site: Site, *, keeps: bool = False) -> dict[str, str | None]:
    """New links to all open seats of the runs that are shown, by titles that tell them apart.

    With ``keeps`` a seat that a link opens already has ``None``.
    """
    found: dict[str, str | None] = {}
    lent = [grant.seat for grant in site.keys.lent() if keeps and grant.right == "seat"]
    for run in site.runs.all():
        with open_run(run) as journal:
            titles, header = agent_titles(journal), journal.header.id
            seats = [
                (agent, player)
                for agent in sorted(outside_agents(journal))
                for player in site.seats.places(journal, agent)
            ]
        for agent, player in seats:
            title = titles.get(agent, agent) + ("" if player is None else f", player {player}")
            title = title if title not in found else f"{title} in {run.name}"
            is_open = (header, agent, player) in lent
            found[title] = None if is_open else seat_link(site, run.name, agent, player)["link"]
    return found


async def links(site: Site, asked: ApiRequest) -> Any:
    """The links that open something, without their keys."""
    if asked.right != "host":
        raise ApiError(403, "links", "a link to look does not let you see the links of others", "ask the host")
    lent = await run_in_threadpool(site.keys.lent)
    names = {str(run.directory): run.name for run in await run_in_threadpool(site.runs.all)}
    return {
        "links": [
            {
                "id": grant.id,
                "right": grant.right,
                "run": names.get(grant.run),
                "agent": grant.agent or None,
                "player": grant.player,
                "match": match_name(grant.match) if grant.match else None,
                "label": grant.match or None,
                "expires": _time(grant.expires),
            }
            for grant in lent
        ]
    }


def end(site: Site, asked: ApiRequest) -> Any:
    """End a link: it opens nothing any more."""
    if not site.keys.end(asked.path["link"]):
        raise not_found("link", f"there is no link {asked.path['link'][:40]!r}", "GET /api/1/links lists what there is")
    return {"ended": True}


def _seat(site: Site, journal: Journal, agent: Any, player: Any) -> tuple[str, int | None]:
    open_seats = outside_agents(journal)
    if not open_seats:
        raise ApiError(409, "agent", "this run has no open seat", "give it an agent {use: open-seat}")
    if agent is None and len(open_seats) == 1:
        (agent,) = open_seats
    if agent not in open_seats:
        raise bad_input("agent", f"{str(agent)[:40]!r} is no open seat", f"there is: {', '.join(sorted(open_seats))}")
    if player is not None and type(player) is not int:
        raise bad_input("player", f"expected a number, got {str(player)[:40]!r}")
    places = site.seats.places(journal, agent)
    if player not in places:
        there = "leave it out" if places == (None,) else f"there is: {', '.join(map(str, places))}"
        raise bad_input("player", f"{agent!r} has no seat as player {player}", there)
    return agent, player


def _time(seconds: float | None) -> str | None:
    return None if seconds is None else utc(datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds"))


def _id(site: Site, key: str) -> str:
    grant = site.keys.grant_of(key)
    assert grant is not None  # it was just made
    return grant.id
