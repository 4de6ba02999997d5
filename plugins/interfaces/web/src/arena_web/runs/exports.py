"""Exports of runs to download, made outside the server and kept no longer than they are offered."""

import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import IO, Any, Final

from arena.plugin import group_of
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.download_words import Download
from arena_web.foundation.errors import ApiError
from arena_web.held.found_runs import FoundRun
from arena_web.held.run_state import open_run
from arena_web.held.workers import WorkerFailed
from arena_web.workers.exporting import GRID

EXPORT: Final = "export:"
"""What stands before the name of an export format."""

SUBMISSION: Final = "submission"
"""The form of the files that are handed in to the leaderboard of grid games."""

_ALWAYS: Final = ({"form": "jsonl", "title": "all matches, as JSON Lines"}, {"form": "csv", "title": "all, as CSV"})
"""What can be taken home of every run."""

_OF_GRID: Final = (
    {"form": f"{EXPORT}{GRID}", "title": "files as LLM-Game-Benchmark writes them, with pictures (ZIP)"},
    {"form": SUBMISSION, "title": "submission files (ZIP)"},
)

_REQUIRED: Final = re.compile(r"[A-Za-z0-9._-]+")

_CHUNK: Final = 1_000_000


def is_export(form: str) -> bool:
    """Whether a form is made by an export format."""
    return form.startswith(EXPORT) or form == SUBMISSION


def offered(games: Iterable[str]) -> list[dict[str, str]]:
    """What can be taken home of a run of these game plugins; told from what is installed, without importing it.

    A format is for the games of those distributions that its own is built on.
    """
    is_grid = any(game in _games_of(GRID) for game in games)
    return [*_ALWAYS, *(_OF_GRID if is_grid else ())]


@cache
def _games_of(form: str) -> frozenset[str]:
    """The names of the games whose distributions are required by that of an export format."""
    found = entry_points(group=group_of("export"), name=form)
    required = {
        match[0].lower()
        for each in found
        if each.dist
        for line in each.dist.requires or ()
        if (match := _REQUIRED.match(line))
    }
    games = entry_points(group=group_of("game"))
    return frozenset(each.name for each in games if each.dist and each.dist.name.lower() in required)


async def exported(site: Site, asked: ApiRequest, form: str) -> Download:
    """A run in an export format, as a file; an answer of 409 says in the format's sentence why there is none."""
    found = site.runs.get(str(asked.body.get("run") or ""))
    await run_in_threadpool(_check, found)
    name = GRID if form == SUBMISSION else form.removeprefix(EXPORT)
    directory = Path(await run_in_threadpool(tempfile.mkdtemp, prefix="arena-export-"))
    try:
        request = {"do": "export", "run": str(found.directory), "format": name, "to": str(directory)}
        request |= {"submission": form == SUBMISSION, "is_host": asked.right == "host"}
        file = Path(await site.exports.ask(request))
        opened = await run_in_threadpool(file.open, "rb")
    except WorkerFailed as error:
        raise ApiError(409, form[:80], str(error)) from error
    finally:
        await run_in_threadpool(shutil.rmtree, directory, ignore_errors=True)  # what is open stays until it is closed
    ending = file.suffix.lstrip(".") or name
    media = "application/zip" if ending == "zip" else "application/octet-stream"
    return Download(f"{found.name}-{form.removeprefix(EXPORT)}.{ending}", media, lambda: _parts(opened))


def _check(found: FoundRun) -> None:
    with open_run(found):
        pass


def _parts(opened: IO[bytes]) -> Iterator[Any]:
    with opened:
        while part := opened.read(_CHUNK):
            yield part
