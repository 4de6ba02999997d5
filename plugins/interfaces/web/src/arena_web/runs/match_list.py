"""The table of a run's matches, page by page, from their summaries alone."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final

import attrs
from arena.errors import ConfigError
from arena_engine import (
    Journal,
    MatchSummary,
    count_matches,
    is_undecided,
    match_page,
    player_names,
    recorded_games,
    result_words,
)
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import bad_input
from arena_web.foundation.filtering import match_filter, sought_text
from arena_web.foundation.hidden_matches import covered_matches
from arena_web.held.found_runs import FoundRun
from arena_web.held.match_names import match_name
from arena_web.held.run_state import open_run
from arena_web.runs.listing import utc

COLUMNS: Final[Mapping[str, str]] = {
    "match": "match",
    "game": "game",
    "agents": "agents",
    "result": "winner",
    "ending": "ending",
    "turns": "turns",
    "refusals": "refusals",
    "substitutes": "substitutes",
    "tokens": "tokens",
    "cost": "cost_usd",
    "seconds": "seconds",
    "started": "started",
    "ended": "ended",
}
"""What the table can be sorted by, with what the journal calls it."""

_UNTOLD: Final = ("turns", "refusals", "substitutes", "tokens", "cost")
"""What a bystander does not know of a match; one that may only be seen as a bystander does has none of them."""

_FIRST: Final = 10_000

_FIELDS: Final = ("game", "agent", "ending", "result", "has")

_WAIT_S: Final = 1.0
"""Seconds that a search which finds nothing lets somebody wait."""


def matches(site: Site, asked: ApiRequest) -> Any:
    """One page of the matches that have ended."""
    query = asked.query
    by = query["sort"]
    if by not in COLUMNS:
        raise bad_input("sort", f"matches cannot be sorted by {by[:80]!r}", f"there is: {', '.join(COLUMNS)}")
    wanted = match_filter(query)
    with open_run(site.runs.get(asked.path["run"])) as journal:
        covered = covered_matches(journal, is_host=asked.right == "host")
        has_untold = wanted.has_refusals or wanted.has_substitutes or wanted.has_refused_winner
        if by in _UNTOLD or has_untold:  # its place would tell what is not told
            wanted = attrs.evolve(wanted, without=covered)
        try:
            page = match_page(
                journal,
                wanted,
                by=COLUMNS[by],
                is_descending=query["descending"] == 1,
                after=_place(query["after"]),
                limit=query["limit"],
            )
        except ConfigError as error:
            raise bad_input("matches", str(error)) from error
        total = count_matches(journal, wanted)
        described = describer(journal, covered)
        return {
            "matches": [described(summary) for summary in page.matches],
            "next": None if page.last is None else _cursor(page.last),
            "total": total,
            "total_words": f"more than {_FIRST:,}" if total is None else f"{total:,}",
            "columns": list(COLUMNS),
        }


async def search(site: Site, asked: ApiRequest) -> Any:
    """What a search for a text has found since so many matches, and how far it is."""
    query, known = asked.query, asked.query["after"]
    text = sought_text(query)
    if not text:
        raise bad_input("text", "nothing is sought", "say a part of a label or a reason")
    wanted = {name: query[name] for name in _FIELDS}
    match_filter(wanted)
    found = site.runs.get(asked.path["run"])
    is_host = asked.right == "host"
    total, header = await run_in_threadpool(_total, found, wanted, is_host)
    request = {"do": "search", "run": str(found.directory), "text": text, "filter": wanted, "is_host": is_host}
    going = site.searches.of((found.directory, header, text, is_host, *wanted.values()), request)
    await going.wait(known, _WAIT_S)
    hits = going.found[known:]
    return {
        "matches": await run_in_threadpool(_described, found, hits, is_host),
        "read": going.read,
        "total": total,
        "is_over": going.is_over,
        "is_cut": going.is_cut,
        "problem": going.failure,
    }


def _total(found: FoundRun, wanted: Mapping[str, Any], is_host: bool) -> tuple[int, str]:
    """How many matches are read, and the id of the run."""
    with open_run(found) as journal:
        sought = attrs.evolve(match_filter(wanted), without=covered_matches(journal, is_host=is_host))
        return count_matches(journal, sought, at_most=None) or 0, journal.header.id


def _described(found: FoundRun, hits: Sequence[Mapping[str, Any]], is_host: bool) -> list[Any]:
    """Matches that were found as rows, each with the places in it; none of those that are played again meanwhile."""
    with open_run(found) as journal:
        covered = covered_matches(journal, is_host=is_host)
        described = describer(journal, covered)
        shown = (hit for hit in hits if hit["match"] not in covered)
        pairs = ((hit, journal.summary_of(hit["match"])) for hit in shown)
        return [{**described(summary), "hits": hit["hits"]} for hit, summary in pairs if summary is not None]


def describer(journal: Journal, covered: Container[str]) -> Callable[[MatchSummary], Any]:
    """A function that writes a match as a row; of those that are covered nothing that a bystander does not know."""
    seats = {name: known.baseline.seats for name, known in recorded_games(journal).items()}

    def described(summary: MatchSummary) -> Any:
        row = {
            "match": match_name(summary.match),
            "id": summary.match,
            "game": summary.game,
            "agents": list(summary.agents),
            "seats": list(seats.get(summary.game, ())),
            "winner": None if is_undecided(summary) else summary.winner,
            "result": result_words(player_names(summary.agents, seats.get(summary.game, ())), summary),
            "ending": str(summary.ending),
            "turns": summary.turns,
            "refusals": summary.refusals,
            "substitutes": summary.substitutes,
            "tokens": summary.tokens,
            "cost": summary.cost_usd,
            "seconds": summary.seconds,
            "started": utc(summary.started),
            "ended": utc(summary.ended),
        }
        return row | dict.fromkeys(_UNTOLD) if summary.match in covered else row

    return described


def _cursor(place: tuple[Any, str]) -> str:
    return urlsafe_b64encode(json.dumps(place).encode()).decode().rstrip("=")


def _place(cursor: str) -> tuple[Any, str] | None:
    """The place that a cursor stands for; it is data and nothing else, whatever was sent."""
    if not cursor:
        return None
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        value, match = json.loads(urlsafe_b64decode(padded.encode("ascii")))
    except (ValueError, TypeError, RecursionError):
        raise bad_input("after", "not what a page gave as `next`", "begin with the first page") from None
    if not isinstance(match, str) or not isinstance(value, str | int | float | None):
        raise bad_input("after", "not what a page gave as `next`", "begin with the first page")
    return value, match
