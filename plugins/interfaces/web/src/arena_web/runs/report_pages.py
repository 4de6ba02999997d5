"""Who is better in a run, and the sections of its report, as far as they are computed."""

from collections import Counter
from typing import Any, Final

from arena.record import Ending
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input, not_found
from arena_web.held.reports import THEMES, KnownReport, ReportSource
from arena_web.held.run_state import open_run

MOST_RUNS: Final = 20
"""So many runs are compared at once."""

MOST_ROWS: Final = 500
"""Of a table so many rows are sent at once."""


def source_of(site: Site, *names: str) -> ReportSource:
    """How far some runs are."""
    runs, headers, ended, planned = list[str](), list[str](), Counter[Ending](), 0
    for name in names:
        found = site.runs.get(name)
        with open_run(found) as journal:
            runs.append(str(found.directory))
            headers.append(journal.header.id)
            ended += journal.ended()
            planned += journal.planned()
    final = sum(count for ending, count in ended.items() if ending.is_final)
    return ReportSource(runs=tuple(runs), headers=tuple(headers), ended=ended.total(), planned=planned, final=final)


async def known(site: Site, *names: str) -> KnownReport:
    """What is known of the report of some runs, which is begun if need be."""
    source = await run_in_threadpool(source_of, site, *names)
    if not source.ended:
        return KnownReport({}, "")
    await site.reports.recall(source)
    return site.reports.known(source)


async def leaderboard(site: Site, asked: ApiRequest) -> Any:
    """The ranking of a run's agents as one table and one chart."""
    return leaderboard_of(await known(site, asked.path["run"]))


def leaderboard_of(found: KnownReport) -> Any:
    """A leaderboard as it is sent; empty where nothing is known yet."""
    empty: dict[str, Any] = {"title": "Ranking", "columns": [], "rows": [], "head_to_head": None, "scores": None}
    own = (found.data or {}).get("leaderboard", {**empty, "chart": None, "notes": []})
    notes = [found.failure] if found.failure else own["notes"]
    return {**own, "notes": notes, "computing": found.computing}


async def grouped(site: Site, asked: ApiRequest) -> Any:
    """The ranking of what agents have in common, as far as it is computed."""
    source = await run_in_threadpool(source_of, site, asked.path["run"])
    request = {"do": "group", "run": source.runs[0], "by": asked.query["by"]}
    return await site.computations.of((source, asked.query["by"]), request)


async def compare(site: Site, asked: ApiRequest) -> Any:
    """The ranking over several runs as one report has it, and what stands against putting them together."""
    names = tuple(dict.fromkeys(asked.query["run"]))
    if not 1 <= len(names) <= MOST_RUNS:
        raise bad_input("run", f"expected 1 to {MOST_RUNS} runs, got {len(names)}", "name each with `run=`")
    found = await known(site, *names)
    own = leaderboard_of(found)
    differences, by_game = own["head_to_head"], own["scores"]
    return {**own, "problems": (found.data or {}).get("problems", []), "by_game": by_game, "differences": differences}


async def sections(site: Site, asked: ApiRequest) -> Any:
    """The titles of the sections of a run's report."""
    found = await known(site, asked.path["run"])
    listed = (found.data or {}).get("sections", [])
    return {
        "sections": [
            {"number": number, "title": each["title"], "is_empty": each["is_empty"], "computing": found.computing}
            for number, each in enumerate(listed)
        ],
        "computing": found.computing,
    }


async def section(site: Site, asked: ApiRequest) -> Any:
    """One section of a run's report: texts, tables and figures."""
    found = await known(site, asked.path["run"])
    listed = (found.data or {}).get("sections", [])
    word = asked.path["number"]
    if not word.isdecimal() or not word.isascii() or len(word) > 6 or int(word) >= len(listed):
        if found.computing:
            raise ApiError(503, "section", f"being computed: {found.computing}", "ask again", retry_s=1)
        raise not_found("section", f"there is no section {word[:20]!r}", f"there are {len(listed):,}")
    own = listed[int(word)]
    begin = asked.query["after"]
    theme = asked.query["theme"]
    if theme not in THEMES:
        raise bad_input("theme", f"expected {' or '.join(THEMES)}, got {theme[:20]!r}", "leave it out for light")
    figures = [{**each, "svg": each["svg"] and each["svg"][theme]} for each in own["figures"]]
    tables = [{**table, "rows": table["rows"][begin : begin + MOST_ROWS], "from": begin} for table in own["tables"]]
    return {"number": int(word), **own, "tables": tables, "figures": figures}
