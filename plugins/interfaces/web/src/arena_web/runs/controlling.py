"""Holds a run that another process plays: pauses it, goes on, stops it, cancels a match; or starts such a process."""

import math
from collections.abc import Callable, Iterator
from typing import Any, Final, cast

from arena.errors import ConfigError
from arena_engine import Journal, RemoteControl, is_played, outside_agents
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.foundation.hidden_matches import sittings
from arena_web.held.found_runs import FoundRun
from arena_web.held.match_names import match_name
from arena_web.held.run_state import BUDGETS, open_run, state_of
from arena_web.held.workers import WorkerFailed

REASON: Final = "stopped in the browser"

MOST_REPEATS: Final = 1_000_000


def pause(site: Site, asked: ApiRequest) -> Any:
    """Ask nothing new; what is in flight is kept."""
    return _done(site, asked, lambda control: control.pause())


def proceed(site: Site, asked: ApiRequest) -> Any:
    """Go on after a pause."""
    return _done(site, asked, lambda control: control.proceed())


def stop(site: Site, asked: ApiRequest) -> Any:
    """End the run cleanly; `arena resume` goes on."""
    return _done(site, asked, lambda control: control.stop(REASON))


async def resume(site: Site, asked: ApiRequest) -> Any:
    """Play the rest of a run in a process of its own."""
    found = site.runs.get(asked.path["run"])
    budgets = [word for change in _budgets(asked.body) for word in ("--set", change)]
    state = await run_in_threadpool(state_of, found)
    return await _play(site, found, state.no_resume, budgets)


async def extend(site: Site, asked: ApiRequest) -> Any:
    """Play each seating of a run more often, in a process of its own."""
    found = site.runs.get(asked.path["run"])
    repeats = asked.body.get("repeats")
    if type(repeats) is not int or not 1 <= repeats <= MOST_REPEATS:
        raise bad_input("repeats", f"expected a number from 1 to {MOST_REPEATS:,}, got {str(repeats)[:40]!r}")
    state = await run_in_threadpool(state_of, found)
    return await _play(site, found, state.no_extending, ["--repeats", str(repeats)])


def cancel(site: Site, asked: ApiRequest) -> Any:
    """End a match that is being played; it has no result and is not played again."""
    found = site.runs.get(asked.path["run"])
    with open_run(found) as journal:
        match = site.index.find(journal, asked.path["match"]).id
    return _done(site, asked, lambda control: control.cancel(match))


def show_all(site: Site, asked: ApiRequest) -> Any:
    """Let the host see all of a match that is covered, and of those with its deals, for one betrays the others.

    It is recorded of each of them in which somebody outside sits.
    """
    found = site.runs.get(asked.path["run"])
    with open_run(found) as journal:
        history = journal.history_of(site.index.find(journal, asked.path["match"]).id)
        assert history is not None  # it is in the plan
        matches = [plan.id for plan in sittings(journal) if plan.block == history.plan.block]
        fresh = [match for match in matches if match not in journal.watched()]
    if fresh and is_played(found.directory):
        _done(site, asked, lambda control: control.mark_watched(fresh))
    elif fresh:
        with Journal.open(found.directory, write=True, check=False) as journal:
            journal.mark_watched(fresh)
    return {"watched": [match_name(match) for match in matches]}


async def _play(site: Site, found: FoundRun, why_not: str, words: list[str]) -> Any:
    if why_not:
        raise ApiError(409, found.name, why_not)
    try:
        secrets: list[str] = await site.trials.ask({"do": "check", "run": str(found.directory)})
    except WorkerFailed as error:
        raise ApiError(409, found.name, str(error), f"`arena resume {found.directory}` says more") from error
    site.provider_keys.check(found.name, secrets)
    await run_in_threadpool(site.starter.play, ["resume", str(found.directory), *words], found.directory)
    await attended(site, found)
    state = await run_in_threadpool(state_of, found)
    return {"state": state.word, "state_words": state.words}


async def attended(site: Site, found: FoundRun) -> None:
    """Let a run that was begun here wait for its open seats as long as this server is there."""
    if await run_in_threadpool(_has_open_seats, found):
        await site.presence.stay(found.directory)


def _has_open_seats(found: FoundRun) -> bool:
    with open_run(found) as journal:
        return bool(outside_agents(journal))


def _budgets(body: Any) -> Iterator[str]:
    """The budgets of a request, as ``--set`` takes them."""
    limits: Any = body.get("limits") or {}
    if not isinstance(limits, dict):
        raise bad_input("limits", "expected an object")
    for name, value in cast("dict[str, Any]", limits).items():
        if name not in BUDGETS:
            raise bad_input(name[:40], "no such limit", f"there is: {', '.join(BUDGETS)}")
        if type(value) not in (int, float) or not math.isfinite(value) or value < 0:
            raise bad_input(name, f"expected a number that is not negative, got {str(value)[:40]!r}")
        yield f"limits.{name}={value}"


def _done(site: Site, asked: ApiRequest, do: Callable[[RemoteControl], None]) -> Any:
    found = site.runs.get(asked.path["run"])
    try:
        do(RemoteControl(found.directory))
    except ConfigError as error:
        raise ApiError(409, found.name, str(error), f"`arena resume {found.directory}` plays it on") from error
    state = state_of(found)
    return {"state": state.word, "state_words": state.words}
