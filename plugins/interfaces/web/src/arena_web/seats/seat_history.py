"""A match of a seat once it is over: as its player saw it, or all of it where the benchmark reveals that."""

from typing import Any, Final

import attrs
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.foundation.hidden_matches import is_covered
from arena_web.foundation.seeing import ALL
from arena_web.held.run_state import open_run
from arena_web.held.seat_matches import SeatLook
from arena_web.matches.match_page import frames_of, match_of
from arena_web.matches.open_match import OpenMatch, read_match
from arena_web.matches.turn_page import text_of, turn_of
from arena_web.matches.watching import match_as_told
from arena_web.seats.seat_requests import seat_there

OWN: Final = "own"
"""The view of the seat's player."""

_NO_OTHERS: Final[dict[str, Any]] = {"views": [], "downloads": [], "neighbours": {"previous": None, "next": None}}


async def match(site: Site, asked: ApiRequest) -> Any:
    """A match of the seat: its players, its ending, and its turns after some number."""
    found, after = await _open(site, asked, asked.query["as"]), asked.query["after"]
    if found.view == ALL:
        return {**await match_of(site, found, after), **_NO_OTHERS}
    return {**await match_as_told(site, found, after), "view": OWN}


async def frames(site: Site, asked: ApiRequest) -> Any:
    """Its positions, for the same eyes."""
    return await frames_of(site, await _open(site, asked, asked.query["as"]), asked)


async def turn(site: Site, asked: ApiRequest) -> Any:
    """One of its turns, with everything that was asked and answered."""
    return await turn_of(site, await _open(site, asked, ALL), asked.path["turn"])


async def text(site: Site, asked: ApiRequest) -> Any:
    """A part of one of its long texts."""
    return await text_of(site, await _open(site, asked, ALL), asked)


def reveals(look: SeatLook) -> bool:
    """Whether all of a seat's match that is over may be seen from the seat."""
    if look.agent_settings.get("reveal") != "after":
        return False
    with open_run(look.run) as journal:
        return not is_covered(journal, look.match.plan)


async def _open(site: Site, asked: ApiRequest, view: str) -> OpenMatch:
    if view not in (OWN, ALL):
        raise bad_input("as", f"a seat's match is not seen as {view[:40]!r}", f"there is: {OWN}, {ALL}")
    async with seat_there(site, asked):
        return await run_in_threadpool(_read, site, asked, view)


def _read(site: Site, asked: ApiRequest, view: str) -> OpenMatch:
    look = site.seats.look(site.runs, asked.grant, asked.path["match"])
    if view == ALL and look.agent_settings.get("reveal") != "after":
        raise ApiError(403, "match", "this seat is told nothing of the others", "the host may say `reveal: after`")
    if look.record is None:
        raise ApiError(409, "match", "the match is not over", "ask for its turn")
    with open_run(look.run) as journal:
        found = read_match(site, look.run, journal, look.match.name, ALL)
    if view == OWN:
        return attrs.evolve(found, view=str(look.match.player), is_told_why=False)
    if found.view != ALL:
        raise ApiError(403, "match", "somebody is still to play with its deals", "ask again once that is over")
    return found
