"""Stands before everything else: who may call the server by which name, and what browsers may do with its answers."""

import json
from collections.abc import Mapping
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from arena_web.api.site import Site
from arena_web.foundation.errors import ApiError

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"
)
"""The content security policy of every answer."""

HEADERS: Final[Mapping[str, str]] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "x-frame-options": "DENY",
}
"""What every answer carries."""


class Guard:
    """Refuses requests for other hosts and from other origins, and puts the headers of security on every answer."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        if refused is None:
            await self._app(scope, receive, _guarded(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": refused.what})
        else:
            await _guarded(send)({"type": "http.response.start", "status": 403, "headers": [_JSON]})
            await send({"type": "http.response.body", "body": json.dumps(refused.to_json()).encode()})

    def _refused(self, scope: Scope) -> ApiError | None:
        headers: list[tuple[bytes, bytes]] = scope["headers"]
        hosts = [value.decode("latin-1").lower() for name, value in headers if name == b"host"]
        origins = [value.decode("latin-1").lower() for name, value in headers if name == b"origin"]
        if len(hosts) != 1 or hosts[0] not in self._site.hosts:
            called = hosts[0] if hosts else "nothing"
            return ApiError(
                403, "Host", f"this server is not called {called!r}", "open the link that `arena view` printed"
            )
        must_say = scope["type"] == "websocket"
        if any(origin not in self._site.origins for origin in origins) or (must_say and not origins):
            return ApiError(403, "Origin", "the request comes from another page", "open the link of this server itself")
        return None


_JSON: Final = (b"content-type", b"application/json")


def _guarded(send: Send) -> Send:
    extra = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own: list[tuple[Any, Any]] = list(message.get("headers", ()))
            has = {name for name, _ in own}
            message["headers"] = [*own, *(pair for pair in extra if pair[0] not in has)]
        await send(message)

    return sent
