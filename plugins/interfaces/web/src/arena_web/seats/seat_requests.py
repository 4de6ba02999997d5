"""How it stands with the seat of a request, and what is said where nobody plays its run."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.held.seat_matches import STATES, SeatLook

AGAIN_S: Final = 3
"""Seconds after which to ask again where nobody plays the run."""


@asynccontextmanager
async def seat_there(site: Site, asked: ApiRequest) -> AsyncGenerator[SeatLook]:
    """How it stands with the seat of a request; meanwhile the run waits for it."""
    site.tabs.check(asked.grant.id, asked.place)
    look = await seat_look(site, asked)
    async with site.presence.here(look.run.directory):
        yield look


async def seat_look(site: Site, asked: ApiRequest, *, is_begun: bool = True) -> SeatLook:
    """How it stands with the match that a request means, or with the one at hand; see ``SeatMatches.look``."""
    name = str(asked.query.get("match") or "")
    look = await run_in_threadpool(lambda: site.seats.look(site.runs, asked.grant, name, is_begun=is_begun))
    must_say = "turn" in asked.path or asked.body is not None  # what was meant for one match counts in no other
    if not name and must_say and "match" in asked.query and len(look.matches) > 1:
        raise bad_input("match", "this seat has several matches", "say which is meant: ?match= with the turn's match")
    return look


def not_running() -> ApiError:
    """What is said where nobody plays the run of a seat."""
    state = "not running"
    return ApiError(503, "run", STATES[state], "ask the host to resume it", retry_s=AGAIN_S, state=state)
