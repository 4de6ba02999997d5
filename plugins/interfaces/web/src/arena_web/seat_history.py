"""A match of a seat once it is over, step by step as its player saw it."""

from typing import Any

import attrs
from starlette.concurrency import run_in_threadpool

from arena_web.errors import ApiError
from arena_web.match_page import frames_of
from arena_web.open_match import OpenMatch, read_match
from arena_web.routing import ApiRequest
from arena_web.run_state import open_run
from arena_web.seat_requests import seat_there
from arena_web.site import Site
from arena_web.watching import match_as_told


async def match(site: Site, asked: ApiRequest) -> Any:
    """A match of the seat: its players, its ending, and what its player did and was told after some number."""
    return await match_as_told(site, await _open(site, asked), asked.query["after"])


async def frames(site: Site, asked: ApiRequest) -> Any:
    """Its positions as its player saw them."""
    return await frames_of(site, await _open(site, asked), asked)


async def _open(site: Site, asked: ApiRequest) -> OpenMatch:
    async with seat_there(site, asked):
        return await run_in_threadpool(_read, site, asked)


def _read(site: Site, asked: ApiRequest) -> OpenMatch:
    look = site.seats.look(site.runs, asked.grant, asked.path["match"])
    if look.record is None:
        raise ApiError(409, "match", "the match is not over", "ask for its turn")
    own = str(look.match.player)
    with open_run(look.run) as journal:
        found = read_match(site, look.run, journal, look.match.name, own)
    return attrs.evolve(found, view=own, is_told_why=False)
