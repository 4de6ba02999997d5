"""The list of runs and the head of each with its open seats: what its totals tell, without reading a match."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from arena.errors import ArenaError
from arena_engine import ControlState, Journal, WaitingSeat, match_page, outside_agents, recorded_games
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.keys import Grant
from arena_web.held.found_runs import FoundRun
from arena_web.held.match_names import match_name
from arena_web.held.reports import ReportSource
from arena_web.held.run_state import BUDGETS, UNREADABLE, RunState, open_run, state_of, state_of_open
from arena_web.held.seat_matches import SeatMatches
from arena_web.runs.exports import offered


def open_seats(
    journal: Journal, matches: SeatMatches, lent: Sequence[Grant], control: ControlState | None, titles: dict[str, str]
) -> list[Any]:
    """The open seats of a run as they are sent: ``player`` is null where the agent sits in its matches once."""
    waiting = () if control is None else control.waiting
    links = {grant.seat for grant in lent if grant.right == "seat"}
    return [
        {
            "agent": agent,
            "player": player,
            "title": titles.get(agent, agent),
            **_waits([seat for seat in waiting if seat.agent == agent and player in (None, seat.player)]),
            "link_made": (journal.header.id, agent, player) in links,
        }
        for agent in sorted(outside_agents(journal))
        for player in matches.places(journal, agent)
    ]


def _waits(seats: Sequence[WaitingSeat]) -> dict[str, Any]:
    if not seats:
        return {"match": None, "waiting_since": None}
    return {"match": match_name(seats[0].match), "waiting_since": seats[0].since}


SHORT: Final = 2_000
"""The most matches of a run that is reported because it stands in the list."""


def me(site: Site, asked: ApiRequest) -> Any:
    """Who asks, and what the server is."""
    return {
        "right": asked.right,
        "read_only": site.is_read_only,
        "version": site.version,
        "directories": [str(place) for place in site.runs.places],
    }


async def runs(site: Site, asked: ApiRequest) -> Any:
    """One page of the list of runs, the newest first; who is better in each, where that is known."""
    answer = await run_in_threadpool(_page, site, asked)
    return {**answer, "runs": [with_verdict(site, row) for row in answer["runs"]]}


def with_verdict(site: Site, row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the list with who is better and the cost, where that is known; belongs to the event loop."""
    source = row.get("source")
    known = {} if source is None or not source.ended else _known_of(site, source)
    return {name: value for name, value in row.items() if name != "source"} | known


def _known_of(site: Site, source: ReportSource) -> dict[str, Any]:
    """Who is better in a run and what it cost; a short run that was not reported yet is reported now."""
    data = site.reports.if_known(source)
    if data is None and source.ended <= SHORT:
        data = site.reports.known(source).data
    return {"better": next(iter(data["verdict"]["sentences"]), None), "cost": data["cost"]} if data else {}


def _page(site: Site, asked: ApiRequest) -> Any:
    wanted = asked.query["q"].casefold()
    found = [run for run in site.runs.newest_first() if wanted in str(run.directory).casefold()]
    names = [run.name for run in found]
    begin = names.index(asked.query["after"]) + 1 if asked.query["after"] in names else 0
    page = found[begin : begin + asked.query["limit"]]
    more = begin + len(page) < len(found)
    return {
        "runs": [listed(run) for run in page],
        "next": page[-1].name if page and more else None,
        "total": len(found),
        "empty": "" if found else _nothing(site, asked.query["q"]),
    }


async def run(site: Site, asked: ApiRequest) -> Any:
    """The head of one run: what it is, how far it is, who is better, and what is being played."""
    head, source = await run_in_threadpool(_of_run, site, asked)
    if not source.ended:
        return head
    await site.reports.recall(source)
    found = site.reports.known(source)
    known = ("verdict", "refusals", "cost", "tokens", "problems")
    head |= {name: found.data[name] for name in known} if found.data else {}
    head["problems"] = [*head["problems"], found.failure] if found.failure else head["problems"]
    return {**head, "computing": found.computing}


def _of_run(site: Site, asked: ApiRequest) -> tuple[dict[str, Any], ReportSource]:
    found = site.runs.get(asked.path["run"])
    with open_run(found) as journal:
        state = state_of_open(found, journal)
        head = {**_head(found, journal, state), **_parts(journal), **_progress(journal, state)}
        head["downloads"] = offered(game["plugin"] for game in head["games"])
        head["seats"] = open_seats(journal, site.seats, site.keys.lent(), state.control, agent_titles(journal))
        return head, _source(found, journal, state)


def _source(found: FoundRun, journal: Journal, state: RunState) -> ReportSource:
    runs = (str(found.directory),)
    final = sum(count for ending, count in state.ended.items() if ending.is_final)
    headers = (journal.header.id,)
    return ReportSource(runs=runs, headers=headers, ended=state.done, planned=state.planned, final=final)


def _nothing(site: Site, wanted: str) -> str:
    return f"no run's path holds {wanted!r}" if wanted else site.runs.empty


def listed(found: FoundRun) -> dict[str, Any]:
    """A run's row of the list as the totals of its journal tell it; without who is better, but with its ``source``."""
    state = state_of(found)
    row: dict[str, Any] = {
        "run": found.name,
        "name": found.directory.name,
        "path": str(found.directory),
        "state": state.word,
        "state_words": state.words,
        "done": state.done,
        "planned": state.planned,
        "games": [],
        "agents": [],
        "better": None,
        "cost": None,
        "started": None,
    }
    if state.word in UNREADABLE:
        return row
    try:
        with open_run(found) as journal:
            plain = _table(journal.header.benchmark)
            row["name"] = journal.header.name
            row["started"] = utc(journal.header.created)
            row["source"] = _source(found, journal, state)
            row["games"], row["agents"] = ([*_table(plain.get(part))] for part in ("games", "agents"))
    except ArenaError as error:
        row |= {"state": "damaged", "state_words": str(error)}
    return row


def _head(found: FoundRun, journal: Journal, state: RunState) -> dict[str, Any]:
    header = journal.header
    last = match_page(journal, by="ended", is_descending=True, limit=1).matches
    return {
        "run": found.name,
        "name": header.name,
        "path": str(found.directory),
        "state": state.word,
        "state_words": state.words,
        "done": state.done,
        "planned": state.planned,
        "started": utc(header.created),
        "ended": utc(last[0].ended) if last else None,
        "seed": header.seed,
        "no_holding": state.no_holding,
        "no_resume": state.no_resume,
        "no_extending": state.no_extending,
        **_settings(_table(header.benchmark)),
        "cost": None,
        "tokens": None,
        "verdict": {"sentences": [], "doubts": []},
        "refusals": [],
        "problems": [],
        "computing": "",
    }


def _settings(plain: Mapping[str, Any]) -> dict[str, Any]:
    """How often each seating is played, where the schedule says so, and the budgets of a run."""
    schedule, limits = plain.get("schedule"), _table(plain.get("limits"))
    kebab = {name.replace("_", "-"): value for name, value in limits.items()}
    budgets = {name: kebab[name] for name in BUDGETS if kebab.get(name) is not None}
    return {"repeats": _table(schedule).get("repeats"), "budgets": budgets}


def _parts(journal: Journal) -> dict[str, Any]:
    """The games and agents of a run, as its benchmark names them."""
    plain, known = _table(journal.header.benchmark), recorded_games(journal)
    games = [
        {
            "name": name,
            "title": known[name].title if name in known else name,
            "plugin": _plugin(entry),
            "players": len(known[name].baseline.seats) if name in known else None,
        }
        for name, entry in _table(plain.get("games")).items()
    ]
    agents = [
        {"name": name, "title": str(_table(entry).get("title") or name), "plugin": _plugin(entry)}
        for name, entry in _table(plain.get("agents")).items()
    ]
    return {"games": games, "agents": agents}


def agent_titles(journal: Journal) -> dict[str, str]:
    """The titles of a run's agents, by their names."""
    agents = _table(_table(journal.header.benchmark).get("agents"))
    return {name: str(_table(entry).get("title") or name) for name, entry in agents.items()}


def _progress(journal: Journal, state: RunState) -> dict[str, Any]:
    playing = state.control.playing if state.control else ()
    return {
        "progress": {"done": state.done, "planned": state.planned},
        "endings": [{"ending": str(ending), "count": count} for ending, count in state.ended.most_common()],
        "playing": [{"match": match_name(id_), "label": id_} for id_ in playing[:12]],
    }


def _plugin(entry: Any) -> str:
    return str(_table(entry).get("use", "") if isinstance(entry, Mapping) else entry)


def utc(time: str | None) -> str | None:
    """A time of a journal, all of which are in UTC, as the API writes it."""
    if not time:
        return None
    return f"{time.removesuffix('Z').removesuffix('+00:00')}Z"


def _table(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}
