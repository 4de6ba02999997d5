"""Starts runs from the browser: what can be chosen, what a plan or a benchmark amounts to, and the run itself."""

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

from arena_engine import default_directory, secret_names
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input
from arena_web.held.found_runs import JOURNAL, FoundRun
from arena_web.held.workers import WorkerFailed
from arena_web.runs.controlling import attended

LONGEST: Final = 256_000
"""No benchmark that is sent has more bytes."""

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")
_NO_CHECK: Final = " (--no-check begins all the same)"
"""What the command adds, and nobody can do here."""


async def choices(site: Site, asked: ApiRequest) -> Any:
    """What a match can be made of."""
    return await _known(site, "choices")


async def schema(site: Site, asked: ApiRequest) -> Any:
    """The JSON schema of benchmark files."""
    return await _known(site, "schema")


async def suites(site: Site, asked: ApiRequest) -> Any:
    """The suites that a benchmark can begin with."""
    return await _known(site, "suites")


async def suite(site: Site, asked: ApiRequest) -> Any:
    """The text with which a benchmark like a suite begins."""
    name = asked.body.get("name")
    if not isinstance(name, str) or not name:
        raise bad_input("name", "expected the name of a suite", "`/new/suites` lists them")
    return await worked(site, "suite", {"do": "suite", "name": name})


async def position(site: Site, asked: ApiRequest) -> Any:
    """How a game begins."""
    game = asked.body.get("game")
    if not isinstance(game, dict) or not isinstance(cast("dict[str, Any]", game).get("use"), str):
        raise bad_input("game", "expected {use: NAME, …}")
    return await worked(site, "game", {"do": "position", "game": game})


async def match(site: Site, asked: ApiRequest) -> Any:
    """What a plan amounts to as a benchmark."""
    return _with_secrets(site, await worked(site, "match", {"do": "match", "plan": asked.body}))


async def check(site: Site, asked: ApiRequest) -> Any:
    """The mistakes of a benchmark, its text and its data, and which of its secrets are set."""
    return _with_secrets(site, await worked(site, "benchmark", {"do": "draft", **draft_of(asked.body)}))


async def estimate(site: Site, asked: ApiRequest) -> Any:
    """What a benchmark will take: nothing is sent to a model."""
    return await _tried(site, "estimate", {"do": "estimate", **draft_of(asked.body)})


async def test(site: Site, asked: ApiRequest) -> Any:
    """Ask a model for one short answer, with the keys that are set."""
    agent = asked.body.get("agent")
    if not isinstance(agent, dict):
        raise bad_input("agent", "expected {use: llm, backend: {…}}")
    named = cast("Mapping[str, Any]", agent)
    site.provider_keys.check("model", sorted(secret_names(named.get("backend"))))
    return await _tried(site, "model", {"do": "test", "agent": named})


async def start(site: Site, asked: ApiRequest) -> Any:
    """Play a benchmark in a process of its own, which outlives this server."""
    found = await checked(site, asked.body)
    wanted = str(asked.body.get("name") or found["name"])[:100]
    name = _UNSAFE.sub("-", wanted).strip(".-") or "run"
    run = await run_in_threadpool(_start, site, name, found["text"])
    await attended(site, run)
    return {"run": run.name}


async def checked(site: Site, body: Any) -> Any:
    """A benchmark without mistakes whose secrets are set, as ``check`` tells it; else an answer of 409."""
    found = await worked(site, "benchmark", {"do": "draft", **draft_of(body)})
    if problems := found["problems"]:
        told = [f"{each['where']}: {each['what']}" if each["where"] else each["what"] for each in problems]
        raise ApiError(409, "benchmark", "; ".join(told[:3]), "correct it", problems=problems)
    site.provider_keys.check("benchmark", found["secrets"])
    return found


def draft_of(body: Any) -> Mapping[str, Any]:
    """The benchmark of a body, as its text or as its data."""
    text, benchmark = body.get("text"), body.get("benchmark")
    if text is None and isinstance(benchmark, dict):
        return {"benchmark": benchmark}
    if not isinstance(text, str):
        raise bad_input("benchmark", "expected a benchmark as an object, or its text")
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST:
        raise ApiError(413, "text", f"more than {LONGEST:,} bytes", "a suite may be extended instead")
    return {"text": text}


async def worked(site: Site, where: str, request: Mapping[str, Any]) -> Any:
    """What a worker answers; where it cannot, an answer of 409 in its sentence."""
    try:
        return await site.forms.ask(request)
    except WorkerFailed as error:
        raise ApiError(409, where, str(error)) from error


async def _known(site: Site, what: str) -> Any:
    try:
        return await site.forms.known(what)
    except WorkerFailed as error:
        raise ApiError(409, what, str(error)) from error


async def _tried(site: Site, where: str, request: Mapping[str, Any]) -> Any:
    """The answer of a worker that has the keys."""
    try:
        return await site.trials.ask(request)
    except WorkerFailed as error:
        raise ApiError(409, where, str(error)) from error


def _with_secrets(site: Site, found: Mapping[str, Any]) -> Any:
    return {**found, "secrets": site.provider_keys.told(found["secrets"])}


def _start(site: Site, name: str, text: str) -> FoundRun:
    """Write the benchmark beside the directory of its run, and start it there."""
    place, number = _place(site), 1
    try:
        place.mkdir(parents=True, exist_ok=True)
        while True:
            target = default_directory(name if number == 1 else f"{name}-{number}", place)
            file = target.with_name(f"{target.name}.yaml")
            with suppress(FileExistsError):  # another start of the same second and name
                opened = os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "w", encoding="utf-8")
                break
            number += 1
        with opened:
            opened.write(text)
    except OSError as error:
        raise ApiError(
            409, str(place), f"cannot be written to ({error.strerror})", "free it, or start elsewhere"
        ) from error
    try:
        site.starter.play(["run", str(file), "--output", str(target)], target)
    except ApiError as error:
        file.unlink(missing_ok=True)
        what = error.what.replace(f"{file}: ", "").replace(_NO_CHECK, "")
        raise ApiError(error.status, "benchmark", what, error.remedy) from error
    if not (target / JOURNAL).is_file():
        raise ApiError(503, target.name, "it is still being prepared", "it comes into the list of runs", retry_s=30)
    return site.runs.shown(target)


def _place(site: Site) -> Path:
    """The directory in which runs are begun: the first that is looked through, or that of the run that is shown."""
    for place in site.runs.places:
        if not (place / JOURNAL).is_file():
            return place
    return site.runs.places[0].parent
