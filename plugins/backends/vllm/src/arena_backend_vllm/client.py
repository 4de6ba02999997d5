"""A connection to a model through vLLM's HTTP API: over the network, over a socket, or inside this process."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs
import httpx
from arena.backend import Completion, CompletionRequest, Connection, revealed
from arena.errors import (
    BackendError,
    BackendUnavailable,
    BackendUnreachable,
    RequestRejected,
    TransientBackendError,
)
from arena.game import Image
from arena_openai_protocol import ANSWER_MB, error_message, is_context_length, read_bounded

from arena_backend_vllm.failure import died, dropped, refused
from arena_backend_vllm.options import VLLM
from arena_backend_vllm.protocol import CHAT, TEXT, Protocol

CONNECT_S = 10.0
"""Seconds after which a server that does not accept a connection counts as unreachable."""


@attrs.frozen(eq=False)
class ServerClient:
    """A server with vLLM's API; ``where`` names it in errors, ``stop`` ends it if it was started for this run.

    ``most_mb`` bounds what is read of one answer, in megabytes.
    """

    http: httpx.AsyncClient
    where: str
    stop: Callable[[], Awaitable[None]] | None = None
    most_mb: float = ANSWER_MB

    async def close(self) -> None:
        """Close the HTTP client, and stop the server if it was started for this run."""
        await self.http.aclose()
        if self.stop is not None:
            await self.stop()


class Client(Connection):
    """A connection to a model on a running server."""

    def __init__(self, backend: VLLM, server: ServerClient, protocol: Protocol, version: str) -> None:
        self._backend = backend
        self._model = backend.name
        self._server = server
        self._protocol = protocol
        self._fingerprint = f"vllm-{version}" if version else None
        self._death: BackendError | None = None

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send one request; cancelling it stops the model."""
        self._check(request)
        body = {"model": self._model, **revealed(request.sampling.extra), **self._protocol.body(request)}
        response = await self._asked(body)
        if is_context_length(response.status_code, response.text):
            return Completion(text="", finish_reason="context-length")
        found = _read(response, self._server, self._model)
        answer = self._protocol.completion(found, wants_logprobs=request.sampling.logprobs is not None)
        return attrs.evolve(answer, cost_usd=0.0, fingerprint=answer.fingerprint or self._fingerprint)

    async def close(self) -> None:
        """Close the server's HTTP client, and the server if it was started for this run."""
        await self._server.close()

    async def _asked(self, body: Mapping[str, Any]) -> httpx.Response:
        """Send the request; if the engine has died, the error says so."""
        try:
            response = await _sent(self._server, self._protocol.path, body)
        except BackendError:
            if self._death is not None:
                raise self._death from None
            raise
        self._death = died(response.status_code, response.text, self._server.where)
        if self._death is not None:
            raise self._death
        return response

    def _check(self, request: CompletionRequest) -> None:
        has_pictures = any(isinstance(part, Image) for message in request.messages for part in message.parts)
        if self._protocol is TEXT and (request.tools or has_pictures):
            wanted = "tools" if request.tools else "pictures"
            raise RequestRejected(
                f"{self._model} takes raw text, which holds no {wanted}; ask for an answer by a schema"
            )
        if has_pictures and not self._backend.images:
            raise RequestRejected(f"{self._model} is not said to see pictures; set the backend's images if it does")
        if request.tools and self._backend.tool_call_parser is None:
            raise RequestRejected(
                f"{self._model} has no parser for tool calls; name it as the backend's tool-call-parser"
            )


async def reach(backend: VLLM, address: str, key: str | None) -> Client:
    """Connect to a running server; raises ``BackendError`` if there is no server or it lacks the model."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    http = httpx.AsyncClient(
        base_url=f"{address.rstrip('/').removesuffix('/v1')}/",
        headers=headers,
        limits=limits,
        timeout=httpx.Timeout(None, connect=CONNECT_S),
    )
    return await connected(backend, ServerClient(http, address, most_mb=backend.max_answer_mb))


async def connected(backend: VLLM, server: ServerClient) -> Client:
    """A connection to a running server if it serves the model; otherwise the server is closed."""
    try:
        async with asyncio.timeout(backend.request_timeout_s):
            await _find(backend, server)
            return Client(backend, server, await _protocol(backend, server), await _version(server))
    except TimeoutError:
        await server.close()
        advice = "look after the server, or raise request-timeout-s"
        raise BackendUnreachable(
            f"{server.where} did not say within {backend.request_timeout_s:g} s what it serves; {advice}"
        ) from None
    except BaseException:
        await server.close()
        raise


async def _find(backend: VLLM, server: ServerClient) -> None:
    listed = _read(await _sent(server, "v1/models"), server, backend.name)
    try:
        served = [model["id"] for model in listed["data"]]
    except (KeyError, TypeError):
        text = f"{server.where} lists no models: it is not a vLLM server; correct base-url"
        raise BackendUnavailable(text) from None
    if backend.name not in served:
        names = error_message(" and ".join(map(repr, served))) or "nothing"
        text = f"{server.where} serves {names}, not {backend.name!r}; correct model or base-url"
        raise BackendUnavailable(text)


async def _protocol(backend: VLLM, server: ServerClient) -> Protocol:
    """The protocol set in the benchmark; else raw text if the server has no chat template for the model."""
    if backend.prompts is not None:
        return {"chat": CHAT, "text": TEXT}[backend.prompts]
    body = {"model": backend.name, "messages": [{"role": "user", "content": "?"}]}
    response = await _sent(server, "tokenize", body)
    return TEXT if response.status_code == 400 and "chat template" in response.text.lower() else CHAT


async def _version(server: ServerClient) -> str:
    with contextlib.suppress(BackendError, ValueError, AttributeError, RecursionError):
        return str((await _sent(server, "version")).json().get("version", ""))[:100]
    return ""


async def _sent(server: ServerClient, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
    try:
        request = server.http.build_request("GET" if body is None else "POST", path, json=body)
        response = await server.http.send(request, stream=True)
        await read_bounded(response, server.most_mb, server.where)
        return response
    except httpx.HTTPError as error:
        raise dropped(error, server.where) from None


def _read(response: httpx.Response, server: ServerClient, model: str) -> Mapping[str, Any]:
    if not response.is_success:
        raise refused(response.status_code, response.text, response.headers, model=model, where=server.where)
    try:
        found = response.json()
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, Mapping):
        raise TransientBackendError(f"{server.where} answered with what is not JSON")
    return found
