"""What the positions of a match that is over were worth, as far as that is computed."""

from typing import Any

from arena.record import MatchRecord
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError
from arena_web.foundation.seeing import ALL
from arena_web.matches.open_match import open_match


async def evaluation(site: Site, asked: ApiRequest) -> Any:
    """The turns that were valued since so many, for whoever may see all of the match."""
    found = await run_in_threadpool(open_match, site, asked)
    if not isinstance(found.history, MatchRecord):
        raise ApiError(409, "match", "the match is not over", "ask again once it is")
    if found.view != ALL:
        raise ApiError(403, "match", "somebody is still to play with its deals", "ask again once that is over")
    asked_of = {"do": "evaluate", "run": found.source.run, "match": found.source.match}
    told = await site.computations.of(found.source, asked_of, asked.query["after"])
    return {"turns": told["found"], "read": told["read"], "is_over": told["is_over"], "problem": told["problem"]}
