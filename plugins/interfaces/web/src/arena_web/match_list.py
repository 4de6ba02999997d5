"""The table of a run's matches, page by page, from their summaries alone."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from typing import Any, Final

from arena.errors import ConfigError
from arena.record import Ending
from arena_engine import Journal, MatchFilter, MatchSummary, count_matches, match_page, recorded_games

from arena_web.errors import ApiError, bad_input
from arena_web.listing import utc
from arena_web.names import match_name
from arena_web.routing import ApiRequest
from arena_web.run_state import open_run
from arena_web.site import Site

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

HAS: Final[Mapping[str, str]] = {
    "refusal": "has_refusals",
    "substitute": "has_substitutes",
    "forfeit": "is_forfeited",
}
"""What a match may have had, by the word for it."""

_FIRST: Final = 10_000


def matches(site: Site, asked: ApiRequest) -> Any:
    """One page of the matches that have ended."""
    query = asked.query
    by = query["sort"]
    if by not in COLUMNS:
        raise bad_input("sort", f"matches cannot be sorted by {by[:80]!r}", f"there is: {', '.join(COLUMNS)}")
    wanted = _filter(query)
    with open_run(site.runs.get(asked.path["run"])) as journal:
        if not journal.has_summaries:
            raise ApiError(409, "matches", "not counted yet", f"`arena migrate {journal.directory}`")
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
        described = describer(journal)
        return {
            "matches": [described(summary) for summary in page.matches],
            "next": None if page.last is None else _cursor(page.last),
            "total": total,
            "total_words": f"more than {_FIRST:,}" if total is None else f"{total:,}",
            "columns": list(COLUMNS),
        }


def describer(journal: Journal) -> Callable[[MatchSummary], Any]:
    """A function that writes a match as a row."""
    seats = {name: known.baseline.seats for name, known in recorded_games(journal).items()}

    def described(summary: MatchSummary) -> Any:
        return {
            "match": match_name(summary.match),
            "id": summary.match,
            "game": summary.game,
            "agents": list(summary.agents),
            "seats": list(seats.get(summary.game, ())),
            "winner": summary.winner,
            "result": result_of(summary),
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

    return described


def result_of(summary: MatchSummary) -> str:
    """Who won a match, in words: a win is the greatest return, alone."""
    if not summary.ending.is_result:
        return "no result"
    if summary.winner is None:
        return "drawn" if len(summary.agents) > 1 else ""
    return f"{summary.agents[summary.winner]} won" if len(summary.agents) > 1 else ""


def _filter(query: Mapping[str, Any]) -> MatchFilter:
    has = [word for word in query["has"].split(",") if word]
    for word in has:
        if word not in HAS:
            raise bad_input("has", f"no such thing as {word[:80]!r}", f"there is: {', '.join(HAS)}")
    endings = [_ending(word) for word in query["ending"].split(",") if word]
    flags: dict[str, Any] = {HAS[word]: True for word in has}
    return MatchFilter(
        games=(query["game"],) if query["game"] else (),
        agents=(query["agent"],) if query["agent"] else (),
        endings=tuple(endings),
        **flags,
    )


def _ending(word: str) -> Ending:
    try:
        return Ending(word)
    except ValueError:
        raise bad_input(
            "ending", f"no such ending as {word[:80]!r}", f"there is: {', '.join(map(str, Ending))}"
        ) from None


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
