"""Files to download: a path that works once, since a download can send no key."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
from arena.record import MatchRecord
from arena_engine import Journal, MatchFilter
from arena_report import csv_table, finished_matches, jsonl, moves_csv
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.download_words import Download
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.foundation.filtering import filtered_records, match_filter, sought_text
from arena_web.foundation.hidden_matches import covered_matches
from arena_web.foundation.seeing import ALL
from arena_web.held.run_state import open_run
from arena_web.matches.match_page import DOWNLOADS
from arena_web.matches.open_match import OpenMatch, open_match
from arena_web.runs.exports import EXPORT, SUBMISSION, exported, is_export

OF_RUNS: Final = {"jsonl": "application/jsonl", "csv": "text/csv; charset=utf-8"}
"""The forms in which all matches of a run can be downloaded, with their media types."""

_TYPES: Final = {"json": "application/json", "txt": "text/plain; charset=utf-8"}


async def make(site: Site, asked: ApiRequest) -> Any:
    """Offer one match, or all matches of a run, as a file."""
    body = asked.body
    run, match, form = (str(body.get(name) or "") for name in ("run", "match", "form"))
    if not match and is_export(form):
        return {"path": f"/download/{site.downloads.offer(await exported(site, asked, form))}"}
    if not match:
        return {"path": f"/download/{site.downloads.offer(await run_in_threadpool(_of_run, site, asked))}"}
    if form not in DOWNLOADS:
        raise bad_input("form", f"no such form as {form[:40]!r}", f"there is: {', '.join(DOWNLOADS)}")
    request = attrs.evolve(asked, path={"run": run, "match": match}, query={"as": ALL})
    found = await run_in_threadpool(open_match, site, request)
    if found.view != ALL:
        raise ApiError(403, "match", "somebody plays in it, or in one with its deals", "wait until it is over")
    content = await _content(site, found, form)
    file = Download(f"{run}-{match}.{form.rpartition('-')[2]}", _TYPES.get(form, OF_RUNS["csv"]), lambda: content)
    return {"path": f"/download/{site.downloads.offer(file)}"}


def _of_run(site: Site, asked: ApiRequest) -> Download:
    body, is_host = asked.body, asked.right == "host"
    name, form = (str(body.get(field) or "") for field in ("run", "form"))
    if form not in OF_RUNS:
        there = ", ".join((*OF_RUNS, f"{EXPORT}NAME", SUBMISSION))
        raise bad_input("form", f"no such form as {form[:40]!r}", f"there is: {there}")
    found, wanted, sought = site.runs.get(name), match_filter(body), sought_text(body)
    with open_run(found):
        pass  # a run that cannot be read says so before anything is sent
    content = partial(_matches, found.directory, form, wanted, sought, is_host)
    return Download(f"{found.name}.{form}", OF_RUNS[form], content)


def _matches(directory: Path, form: str, wanted: MatchFilter, sought: str, is_host: bool) -> Iterator[bytes]:
    with Journal.open(directory, check=False) as journal:
        wanted = attrs.evolve(wanted, without=covered_matches(journal, is_host=is_host))
        records = finished_matches(filtered_records(journal, wanted, sought))
        yield from jsonl(records, events=True) if form == "jsonl" else csv_table(records)


async def _content(site: Site, found: OpenMatch, form: str) -> list[bytes]:
    record = found.history
    if not isinstance(record, MatchRecord):
        raise ApiError(409, "match", "it is not over", "download it when it is")
    if form == "txt":
        return [(await site.positions.text(found.source)).encode("utf-8", "backslashreplace")]
    if form == "json":
        return list(jsonl([record], events=True))
    return list(csv_table([record]) if form == "csv" else moves_csv(record))
