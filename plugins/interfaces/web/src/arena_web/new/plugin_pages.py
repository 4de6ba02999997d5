"""What is installed, as ``arena list-plugins`` and ``arena describe`` say it."""

from typing import Any

from arena.plugin import KINDS
from starlette.concurrency import run_in_threadpool

from arena_web.api.routing import ApiRequest
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, not_found
from arena_web.held.workers import WorkerFailed


def plugins(site: Site, asked: ApiRequest) -> Any:
    """Every plugin with its status; of none is more imported than its descriptor."""
    return {"plugins": [entry.to_json() for entry in site.catalog.entries()]}


async def plugin(site: Site, asked: ApiRequest) -> Any:
    """One plugin with its parameters, for which it is imported in a worker process."""
    kind, name = asked.path["kind"], asked.path["name"]
    if kind not in KINDS:
        raise not_found("kind", f"no kind of plugin called {kind[:40]!r}", f"there is: {', '.join(KINDS)}")
    entries = await run_in_threadpool(lambda: list(site.catalog.entries(kind)))
    own = [each for each in entries if name in (each.name, f"{each.dist}:{each.name}")]
    if not own:
        raise not_found("name", f"no {kind} called {name[:80]!r}", "`/plugins` lists all")
    listed = own[0].to_json()
    if listed["status"] != "ok":
        return {**listed, "parameters": [], "facts": None, "text": ""}
    try:
        page: dict[str, Any] = await site.positions.plugin(kind, f"{own[0].dist}:{own[0].name}")
    except WorkerFailed as error:
        raise ApiError(409, name[:80], f"cannot be described: {error}") from error
    game: Any = page.get("game") or {}
    return {**listed, "facts": game.get("facts"), **page}
