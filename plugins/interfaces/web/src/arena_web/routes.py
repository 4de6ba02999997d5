"""The table of routes, from which the server and ``docs/web-api.md`` are made."""

from typing import Final

from arena_web import listing
from arena_web.routing import ApiRoute, Query

AFTER: Final = Query("after", "the `next` of the page before; without it the first page")
LIMIT: Final = Query("limit", "how many at most", 50, int, 1, 500)

ROUTES: Final = (
    ApiRoute(
        path="/me",
        summary="Who asks, and what the server is.",
        answer=listing.me,
        gives="`right` (`host` or `reader`), `read_only`, `version`, `directories`",
    ),
    ApiRoute(
        path="/runs",
        summary="One page of the list of runs, the newest first.",
        answer=listing.runs,
        queries=(AFTER, Query("q", "only runs whose path holds this"), LIMIT),
        gives="`runs`, `next`, `total`, and `empty`: the sentence where there is none",
    ),
    ApiRoute(
        path="/run/{run}",
        summary="The head of one run: what it is, how far it is, who is better, and what is being played.",
        answer=listing.run,
        gives="`state` and its words, `games`, `agents`, `verdict`, `progress`, `refusals`, `endings`, `playing`; "
        "`computing` is empty once everything is known",
    ),
)
"""All routes of the API."""
