"""The position of a match as the player of a seat sees it, also while others play."""

import asyncio
from typing import Any, Final

from arena.record import MatchHistory
from arena.turns import turns
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiAnswer, ApiRequest
from arena_web.api.site import Site
from arena_web.held.positions import Problem
from arena_web.held.run_state import open_run
from arena_web.held.seat_matches import SeatLook
from arena_web.seats.seat_end import match_end, news_of, source_of
from arena_web.seats.seat_requests import not_running, seat_look, seat_there

LOOK_S: Final = 0.5
"""Seconds between two looks whether the journal was written to."""


async def position(site: Site, asked: ApiRequest) -> Any:
    """The newest position that the player of a seat may know, as soon as one is known after a number."""
    loop = asyncio.get_running_loop()
    end = loop.time() + asked.query["wait"]
    number: int = asked.query["after"]
    async with seat_there(site, asked) as look:
        stamp, looks = None, 0
        while True:
            if (written := look.run.stamp) != stamp:
                stamp, looks = written, 2  # what is written to a file may be read a moment later
            if looks:
                looks -= 1
                look = await seat_look(site, asked, is_begun=number >= 0)
                if look.record is not None:
                    return await match_end(site, look, look.record)
                is_meant = asked.query["match"] in ("", look.match.name)
                if (found := await _newest(site, look, number if is_meant else -1)) is not None:
                    return found
                if look.control is None:
                    raise not_running()
            left = end - loop.time()
            if left <= 0:
                return ApiAnswer(status=204)
            await asyncio.sleep(min(LOOK_S, left))
            site.tabs.check(asked.grant.id, asked.place)


async def _newest(site: Site, look: SeatLook, after: int) -> Any:
    """The newest position of the match at hand; ``None`` where none is known after a number, or it cannot be shown."""
    history, player = await run_in_threadpool(_known, look), look.match.player
    if history is None:
        return None
    source = source_of(look, history)
    timeline = await site.positions.timeline(source, str(player))
    if isinstance(timeline, Problem):
        return None
    # The journal may have been written to since: nothing is told of what the history here does not have.
    known = [each for each in timeline if each["step"] <= history.steps]
    last = len(known) - 1
    if last <= after:
        return None
    shown = await site.positions.frames(source, str(player), last, last)
    if isinstance(shown, Problem):
        return None
    own = (turn for turn in turns(history) if turn.player == player and turn.step < known[last]["step"])
    return {
        "match": look.match.name,
        "position": last,
        "after_turn": max((turn.turn for turn in own), default=-1),
        "scene": shown["frames"][0],
        "text": shown["words"][0],
        "news": news_of(known[after + 1 :]),
    }


def _known(look: SeatLook) -> MatchHistory | None:
    """What is known of a match that is not over; ``None`` as long as nothing is."""
    with open_run(look.run) as journal:
        id_ = look.match.plan.id
        return journal.history_of(id_) if id_ in journal.matches_with_progress() else None
