"""The application: pages, files and the API behind one guard."""

import asyncio
import inspect
import json
import re
from collections.abc import Awaitable, Callable
from hashlib import sha256
from math import isfinite
from typing import Any, Final, cast

from arena.errors import ArenaError
from starlette.applications import Starlette
from starlette.concurrency import iterate_in_threadpool, run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from arena_web.api.routing import ApiAnswer, ApiRequest, ApiRoute
from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError, bad_input, not_found
from arena_web.foundation.keys import Grant, Rates
from arena_web.live.live import LiveSocket
from arena_web.serving.guard import Guard
from arena_web.serving.routes import ROUTES
from arena_web.serving.static import INDEX, OWN_PAGES, StaticFile, static_files

API: Final = "/api/1"

LONGEST_BODY: Final = 1_000_000
"""No request may have a body of more bytes."""

BODY_S: Final = 10.0
"""Seconds within which a body must have come."""

DEEPEST: Final = 64
"""No body may have values that lie deeper in each other."""

_PAGES: Final = re.compile(
    r"/(?:run/[\w.-]+(?:/(?:matches|report|match/[\w.-]+))?|annotate/[\w.-]+|compare"
    r"|plugins(?:/[\w.-]+/[\w.:-]+)?|seat|watch|study|new/(?:match|benchmark))?"
)
"""The paths at which there is a page; at every other the page says that there is none."""

_STRING: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_BRACKET: Final = re.compile(r"[\[\]{}]")

Handler = Callable[[Request], Awaitable[Response]]


def application(site: Site) -> Starlette:
    """The server of a site, as an ASGI application."""
    rates = Rates()
    files = static_files()
    routes = [
        Route(f"{API}{route.path}", _handler(site, route, rates), methods=[route.method])
        for route in ROUTES
        if not (route.is_control and site.is_read_only)
    ]
    routes += [
        Route(f"{API}/{{rest:path}}", _no_route, methods=["GET", "POST", "DELETE", "PUT", "PATCH"]),
        WebSocketRoute(f"{API}/live", _live(site)),
        Route("/download/{word}", _download(site), methods=["GET"]),
        Route("/static/{name:path}", _static(files), methods=["GET"]),
        Route("/{rest:path}", _page(files), methods=["GET"]),
    ]
    handlers: dict[Any, Any] = {ApiError: _failed, ArenaError: _failed, HTTPException: _refused, 500: _broken}
    return Starlette(routes=routes, middleware=[Middleware(Guard, site=site)], exception_handlers=handlers)


def _handler(site: Site, route: ApiRoute, rates: Rates) -> Handler:
    async def handle(request: Request) -> Response:
        grant = grant_of(site, request.headers.get("authorization", ""), rates)
        if grant.right == "participant" and "seat" in route.rights and site.study is not None:
            grant = await run_in_threadpool(site.study.seat, grant)
        route.check(grant.right)
        asked = ApiRequest(
            path=request.path_params,
            query=route.read(request.query_params.multi_items()),
            body=await _body(request) if route.method == "POST" else None,
            grant=grant,
            place=request.headers.get("arena-place", ""),
        )
        if inspect.iscoroutinefunction(route.answer):
            answer = await route.answer(site, asked)
        else:
            answer = await run_in_threadpool(route.answer, site, asked)
        return _given(answer)

    return handle


def _given(answer: Any) -> Response:
    """What the function of a route returned, as it is sent."""
    if not isinstance(answer, ApiAnswer):
        return plain_answer(answer)
    if answer.media_type:
        return Response(answer.content, answer.status, {"cache-control": "no-store"}, answer.media_type)
    return Response(status_code=204) if answer.status == 204 else plain_answer(answer.plain, answer.status)


def grant_of(site: Site, authorization: str, rates: Rates) -> Grant:
    """What the key of a request opens; an answer of 401 where that is nothing, of 429 where it asks too often."""
    scheme, _, key = authorization.partition(" ")
    grant = site.keys.grant_of(key.strip()) if scheme.lower() == "bearer" and key.strip() else None
    if grant is not None:
        rates.count(key)
        return grant
    if key and site.keys.has_failed_often:
        raise ApiError(429, "key", "too many wrong keys", "wait a minute", retry_s=60)
    raise ApiError(401, "key", "this link is not valid any more", "open the one that `arena view` printed")


def plain_answer(answer: Any, status: int = 200) -> Response:
    """An answer as JSON."""
    text = json.dumps(answer, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    content = text.encode("utf-8", "backslashreplace")
    return Response(content, status, {"cache-control": "no-store"}, "application/json")


async def _body(request: Request) -> Any:
    """The body of a request as plain data, within the bounds."""
    found = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                found += chunk
                if len(found) > LONGEST_BODY:
                    raise ApiError(413, "body", f"more than {LONGEST_BODY:,} bytes", "send less")
    except TimeoutError:
        raise ApiError(408, "body", f"did not come within {BODY_S:g} s", "send it again") from None
    text = found.decode("utf-8", "replace")
    if _depth(text) > DEEPEST:
        raise bad_input("body", f"values lie more than {DEEPEST} deep in each other")
    try:
        plain: Any = json.loads(text or "{}", parse_constant=_refused_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise bad_input("body", f"no JSON: {error}") from error
    if not isinstance(plain, dict):
        raise bad_input("body", "expected an object")
    return cast("Any", plain)


def _refused_number(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    return number if isfinite(number) else _refused_number(text[:40])


def _depth(text: str) -> int:
    """How deep brackets lie in each other, told without parsing the text."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


def _static(files: dict[str, StaticFile]) -> Handler:
    async def handle(request: Request) -> Response:
        file = files.get(request.path_params["name"])
        if file is None or file.media_type.startswith("text/html"):
            raise not_found("static", "there is no such file")
        return _sent(request, file, 200)

    return handle


def _download(site: Site) -> Handler:
    async def handle(request: Request) -> Response:
        file = site.downloads.take(request.path_params["word"])
        headers = {"content-disposition": f'attachment; filename="{file.name}"', "cache-control": "no-store"}
        return StreamingResponse(iterate_in_threadpool(file.content()), 200, headers, file.media_type)

    return handle


def _live(site: Site) -> Callable[[WebSocket], Awaitable[None]]:
    async def handle(socket: WebSocket) -> None:
        await LiveSocket(site, socket).serve()

    return handle


def _page(files: dict[str, StaticFile]) -> Handler:
    async def handle(request: Request) -> Response:
        is_known = _PAGES.fullmatch(request.url.path) is not None
        file = files.get(OWN_PAGES.get(request.url.path, INDEX))
        if file is None:
            raise not_found("page", "the pages are not installed", "install playarena-web again")
        return _sent(request, file, 200 if is_known else 404)

    return handle


def _sent(request: Request, file: StaticFile, status: int) -> Response:
    content = file.content()
    tag = f'"{sha256(content).hexdigest()[:16]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag and status == 200:
        return Response(status_code=304, headers=headers)
    return Response(content, status, headers, file.media_type)


async def _no_route(request: Request) -> Response:
    raise not_found(request.url.path[:200], "there is no such route", "docs/web-api.md lists what there is")


async def _failed(_: Request, error: Exception) -> Response:
    if not isinstance(error, ApiError):
        error = ApiError(409, "", str(error))
    answer = plain_answer(error.to_json(), error.status)
    if error.retry_s is not None:
        answer.headers["retry-after"] = str(error.retry_s)
    return answer


async def _refused(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else "failed"
    return plain_answer(ApiError(status, request.url.path[:200], detail.lower()).to_json(), status)


async def _broken(request: Request, _: Exception) -> Response:
    wrong = ApiError(500, request.url.path[:200], "the server failed at this request", "its terminal says more")
    return plain_answer(wrong.to_json(), 500)
