"""What if another agent had been asked in a turn, or plays on from it: `arena replay --ask` and `--branch`."""

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs
from arena.turns import turns
from arena_engine import JournalEntry
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input, not_found
from arena_web.foundation.seeing import ALL
from arena_web.held.match_names import match_name
from arena_web.held.run_state import open_run
from arena_web.held.workers import WorkerFailed
from arena_web.matches.match_page import action_words
from arena_web.matches.open_match import OpenMatch, open_match
from arena_web.matches.turn_page import call_of, look_up_of, try_of

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


async def agents(site: Site, asked: ApiRequest) -> Any:
    """Which agents can be asked about a match: those of its run, and installed ones with their defaults."""
    found = await run_in_threadpool(_open, site, asked)
    own = [{"name": name, "title": title} for name, title in found.titles.items()]
    fitting: list[str] = []
    request = {"do": "fitting", "game": found.source.game, "players": found.source.players}
    with suppress(ApiError):  # where the game cannot be built, asking says why
        fitting = await _worked(site, found, request)
    return {"of_run": own, "installed": [name for name in fitting if name not in found.titles]}


async def price(site: Site, asked: ApiRequest) -> Any:
    """What one try of an agent in a turn may cost at most, before it is asked."""
    found, request, _ = await _request(site, asked)
    return await _worked(site, found, {**request, "do": "price"})


async def ask(site: Site, asked: ApiRequest) -> Any:
    """What an agent plays in a turn in place of the one that took it, beside what was recorded."""
    found, request, recorded = await _request(site, asked)
    answer = await _worked(site, found, {**request, "do": "ask"})
    where = (found.source.header, found.source.match)
    entries = [JournalEntry(**entry) for entry in answer["entries"]]
    tries = [try_of(each["data"], is_refused=each["is_refused"]) for each in answer["tries"]]
    return {
        "agent": request["agent"],
        "calls": [call_of(site.texts, where, entry) for entry in entries],
        "tries": tries,
        "look_ups": [look_up_of(site.texts, where, data) for data in answer["queries"]],
        "action": tries[-1]["action"] if answer["is_played"] else None,
        "is_substitute": answer["is_substitute"],
        "recorded": recorded,
    }


async def branch(site: Site, asked: ApiRequest) -> Any:
    """Play on from a turn with another agent, as a new run of one match beside this one."""
    found, request, _ = await _request(site, asked)
    target = _free(found.run.directory, f"{found.run.directory.name}-turn-{request['turn']}-{request['agent']}")
    words = ["replay", request["run"], "--match", request["match"], "--turn", str(request["turn"])]
    words += ["--branch", request["agent"], "--output", str(target)]
    await run_in_threadpool(site.starter.play, words, target)
    return await run_in_threadpool(_begun, site, target)


def _begun(site: Site, target: Path) -> Any:
    run = site.runs.shown(target)
    with open_run(run) as journal:
        (match,) = journal.match_ids()
    return {"run": run.name, "match": match_name(match)}


def _open(site: Site, asked: ApiRequest) -> OpenMatch:
    found = open_match(site, attrs.evolve(asked, query={"as": ALL}))
    if found.view != ALL:
        raise ApiError(403, "match", "somebody plays in it, or in one with its deals", "wait until it is over")
    return found


async def _request(site: Site, asked: ApiRequest) -> tuple[OpenMatch, dict[str, Any], str]:
    """The match, what a worker is asked about it, and what was recorded in the turn."""
    found = await run_in_threadpool(_open, site, asked)
    number, name = asked.body.get("turn"), str(asked.body.get("agent") or "")
    all_turns = turns(found.history)
    if type(number) is not int or not 0 <= number < len(all_turns):
        raise not_found("turn", f"there is no turn {str(number)[:40]}", f"there are {len(all_turns):,} turns")
    if name not in found.titles and name not in site.catalog.names("agent"):
        there = ", ".join(found.titles)
        raise bad_input("agent", f"no agent called {name[:80]!r}", f"of the run there is: {there}; or an installed one")
    request = {"run": found.source.run, "match": found.source.match, "turn": number + 1, "agent": name}
    return found, request, action_words(all_turns[number])


async def _worked(site: Site, found: OpenMatch, request: Mapping[str, Any]) -> Any:
    try:
        return await site.trials.ask({"run": found.source.run, **request})
    except WorkerFailed as error:
        raise ApiError(409, "what if", str(error).replace("--agent ", "", 1)) from error


def _free(beside: Path, name: str) -> Path:
    """A directory beside a run that is not there yet."""
    base = _UNSAFE.sub("-", name).strip(".-")
    target, number = beside.with_name(base), 2
    while target.exists():
        target, number = beside.with_name(f"{base}-{number}"), number + 1
    return target
