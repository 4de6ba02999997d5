"""A model behind vLLM's HTTP interface, wherever that is spoken: on the network, on a socket, or in this process."""

import contextlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import attrs
import httpx
from arena.backend import Completion, CompletionRequest, Connection
from arena.errors import BackendError
from arena.game import Picture

from arena_backend_vllm.failure import died, dropped, is_too_long, refused
from arena_backend_vllm.options import VLLM
from arena_backend_vllm.protocol import CHAT, TEXT, Protocol

CONNECT_S = 10.0
"""Seconds until a server counts as unreachable."""


@attrs.frozen(eq=False)
class Server:
    """Something that speaks vLLM's interface; ``where`` is its name in errors, ``stop`` ends what was started."""

    http: httpx.AsyncClient
    where: str
    stop: Callable[[], Awaitable[None]] | None = None

    async def close(self) -> None:
        """Let go of its sockets, and end it where it was started for this run."""
        await self.http.aclose()
        if self.stop is not None:
            await self.stop()


class Client(Connection):
    """A model on a server that answers."""

    def __init__(self, backend: VLLM, server: Server, protocol: Protocol, version: str) -> None:
        self._backend = backend
        self._model = backend.name
        self._server = server
        self._protocol = protocol
        self._fingerprint = f"vllm-{version}" if version else None
        self._death: BackendError | None = None

    async def complete(self, request: CompletionRequest) -> Completion:
        """Ask once; being cancelled stops the model."""
        self._check(request)
        body = {"model": self._model, **request.sampling.extra, **self._protocol.body(request)}
        response = await self._asked(body)
        if is_too_long(response.status_code, response.text):
            return Completion(text="", finish_reason="context-length")
        found = _read(response, self._server, self._model)
        answer = self._protocol.completion(found, wants_logprobs=request.sampling.logprobs is not None)
        return attrs.evolve(answer, cost_usd=0.0, fingerprint=answer.fingerprint or self._fingerprint)

    async def close(self) -> None:
        """Let go of the server."""
        await self._server.close()

    async def _asked(self, body: Mapping[str, Any]) -> httpx.Response:
        """The response; a server that is gone because its engine ended is said to be."""
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
        has_pictures = any(isinstance(part, Picture) for message in request.messages for part in message.parts)
        if self._protocol is TEXT and (request.tools or has_pictures):
            wanted = "tools" if request.tools else "pictures"
            raise BackendError(f"{self._model} takes raw text, which holds no {wanted}; ask for an answer by a schema")
        if has_pictures and not self._backend.images:
            raise BackendError(f"{self._model} is not said to see pictures; set the backend's images if it does")
        if request.tools and self._backend.tool_call_parser is None:
            raise BackendError(f"{self._model} has no parser for tool calls; name it as the backend's tool-call-parser")


async def reach(backend: VLLM, address: str, key: str | None) -> Client:
    """Ask a running server for the model; ``BackendError`` where there is no server or no such model."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
    http = httpx.AsyncClient(
        base_url=f"{address.rstrip('/').removesuffix('/v1')}/",
        headers=headers,
        limits=limits,
        timeout=httpx.Timeout(None, connect=CONNECT_S),
    )
    return await connected(backend, Server(http, address))


async def connected(backend: VLLM, server: Server) -> Client:
    """A connection to a server that runs, if it serves the model; the server is closed otherwise."""
    try:
        await _find(backend, server)
        return Client(backend, server, await _protocol(backend, server), await _version(server))
    except BaseException:
        await server.close()
        raise


async def _find(backend: VLLM, server: Server) -> None:
    listed = _read(await _sent(server, "v1/models"), server, backend.name)
    try:
        served = [model["id"] for model in listed["data"]]
    except (KeyError, TypeError):
        text = f"{server.where} lists no models: it is not a vLLM server; correct base-url"
        raise BackendError(text, is_lasting=True) from None
    if backend.name not in served:
        names = " and ".join(map(repr, served)) or "nothing"
        text = f"{server.where} serves {names}, not {backend.name!r}; correct model or base-url"
        raise BackendError(text, is_lasting=True)


async def _protocol(backend: VLLM, server: Server) -> Protocol:
    """What the benchmark says, or text where the server says that the model has no chat template."""
    if backend.prompts is not None:
        return {"chat": CHAT, "text": TEXT}[backend.prompts]
    body = {"model": backend.name, "messages": [{"role": "user", "content": "?"}]}
    response = await _sent(server, "tokenize", body)
    return TEXT if response.status_code == 400 and "chat template" in response.text.lower() else CHAT


async def _version(server: Server) -> str:
    with contextlib.suppress(httpx.HTTPError, ValueError, AttributeError):
        return str((await server.http.get("version")).json().get("version", ""))
    return ""


async def _sent(server: Server, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
    try:
        return await (server.http.get(path) if body is None else server.http.post(path, json=body))
    except httpx.HTTPError as error:
        raise dropped(error, server.where) from None


def _read(response: httpx.Response, server: Server, model: str) -> Mapping[str, Any]:
    if not response.is_success:
        raise refused(response.status_code, response.text, response.headers, model=model, where=server.where)
    try:
        found = response.json()
    except ValueError:
        found = None
    if not isinstance(found, Mapping):
        raise BackendError(f"{server.where} answered with what is not JSON", is_transient=True)
    return found
