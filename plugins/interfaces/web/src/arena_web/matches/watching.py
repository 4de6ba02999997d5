"""What a bystander of one match knows: names as players are told them, what is public, and how it ended."""

from typing import Any, Final

import attrs
from arena.record import MatchRecord
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError
from arena_web.foundation.keys import Grant
from arena_web.foundation.seeing import PUBLIC
from arena_web.held.match_names import match_name
from arena_web.held.positions import Problem
from arena_web.held.run_state import open_run
from arena_web.held.seat_matches import check_run, run_of
from arena_web.matches.match_page import ending_of, frames_of, page_of_turns, seat_of, state_of_match, title_of
from arena_web.matches.open_match import OpenMatch, read_match

WATCH: Final = "watch"
"""The topic of a bystander's match."""


async def watch(site: Site, asked: ApiRequest) -> Any:
    """The match of a link: its players, its ending, and what was told after some number."""
    return await match_as_told(site, await run_in_threadpool(open_watched, site, asked.grant), asked.query["after"])


async def match_as_told(site: Site, found: OpenMatch, after: str) -> Any:
    """An open match as its view has it, with no more of who plays than players are told."""
    game: Any = await site.positions.game(found.source)
    players = watched_players(found)
    return {
        "game": {
            "title": await run_in_threadpool(title_of, found),
            "rules": "" if isinstance(game, Problem) else game["rules"],
        },
        "players": players,
        "state": state_of_match(found),
        "ending": await ending_of(site, found, players),
        **await page_of_turns(site, found, after),
    }


async def frames(site: Site, asked: ApiRequest) -> Any:
    """Public positions of the match of a link; why a game cannot be shown is not for bystanders."""
    found = await run_in_threadpool(open_watched, site, asked.grant)
    return await frames_of(site, found, asked)


def open_watched(site: Site, grant: Grant) -> OpenMatch:
    """Read the match of a link as bystanders see it; what is wrong with its run is told without saying which it is."""
    try:
        run = run_of(site.runs, grant)
        with open_run(run) as journal:
            check_run(journal, grant)
            found = read_match(site, run, journal, match_name(grant.match), PUBLIC)
            return attrs.evolve(found, is_told_why=False)
    except ApiError as error:
        what = "the match of this link cannot be shown here at present"
        raise ApiError(error.status, "match", what, "ask the host") from error


def watched_players(found: OpenMatch) -> list[Any]:
    """The players by their seats, and who plays them where the benchmark tells that to players."""
    history = found.history
    returns = history.returns if isinstance(history, MatchRecord) else None
    return [
        {
            "player": player,
            "seat": seat_of(found, player),
            "agent": agent if found.reveals_agents else None,
            "result": "" if returns is None else f"{returns[player]:g}",
        }
        for player, agent in enumerate(history.agents)
    ]
