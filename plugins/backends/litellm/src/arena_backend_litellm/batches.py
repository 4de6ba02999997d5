"""Batches through LiteLLM: it writes the requests and reads the answers, and they are sent in its place.

What it would send says which endpoint takes batches, and with which headers.
"""

from collections.abc import Collection, Mapping
from datetime import datetime
from importlib import import_module
from typing import Any, Final

import attrs
from arena.backend import Completion, CompletionRequest, Message, Sampling
from arena.errors import BackendError, BackendOverloaded, BackendUnavailable, BackendUnreachable, TransientBackendError
from arena_openai_protocol import (
    AnthropicBatches,
    BatchEndpoint,
    BatchLine,
    Compat,
    Fetched,
    OpenAIBatches,
    answer_in,
    error_body,
    error_from_status,
    retry_after_s,
    without,
)

from arena_backend_litellm.answer_bounds import bounded
from arena_backend_litellm.backend import LiteLLM
from arena_backend_litellm.connection import Hosted, known_provider
from arena_backend_litellm.failure import RequestContext, failure
from arena_backend_litellm.library import library

ANSWERS_OF_A_BATCH: Final = 100
"""How many of the longest answers a batch's result may have; most answers are a thousand times shorter."""
_ENDPOINTS: Final[Mapping[str, type[BatchEndpoint]]] = {
    "/messages": AnthropicBatches,
    "/chat/completions": OpenAIBatches,
}
"""The endpoints of batches, by the end of the address to which LiteLLM would send a request."""
_OF_ONE_REQUEST: Final = frozenset({"host", "content-length", "content-type", "transfer-encoding", "connection"})
_HELLO: Final = CompletionRequest(messages=(Message.of("user", "hello"),), sampling=Sampling(max_tokens=1))


def connect(backend: LiteLLM) -> "BatchingHosted":
    """Import LiteLLM and find the model's provider; errors as in ``arena_backend_litellm.connection.connect``."""
    module = library()
    return BatchingHosted(backend, module, *known_provider(backend, module))


async def check_batches(backend: LiteLLM) -> None:
    """Raise a ``BackendError`` if the provider takes no batches, or not with this key."""
    connection = connect(backend)
    try:
        await (await connection.endpoint()).check()
    finally:
        await connection.close()


@attrs.frozen
class _Sent:
    """What LiteLLM would send."""

    address: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]


class _Held(Exception):
    """Ends a request of LiteLLM's that is not sent."""


class BatchingHosted(Hosted):
    """A model of a provider that is asked in batches; see ``BatchConnection`` in the engine."""

    most_lines = OpenAIBatches.most_lines
    most_bytes = OpenAIBatches.most_bytes

    def __init__(self, backend: LiteLLM, module: Any, provider: str, asked: RequestContext) -> None:
        super().__init__(backend, module, provider, asked)
        self._first = self._adaptation.compat
        self._sent_with: dict[str, Compat] = {}
        self._httpx: Any = import_module("httpx")
        self._client = self._httpx.AsyncClient(timeout=backend.request_timeout_s)
        self._base, self._query = "", ""
        self._headers: Mapping[str, str] = {}
        self._endpoint: BatchEndpoint | None = None

    async def send_batch(self, name: str, lines: Mapping[str, CompletionRequest]) -> str:
        """Send requests as the lines of one batch; returns the provider's id of it."""
        compat = self._sent_with[name] = self._adaptation.compat
        bodies = {line: (await self._written(request, compat)).body for line, request in lines.items()}
        return await (await self.endpoint()).send(name, bodies)

    async def find_batch(
        self, name: str, began: datetime, lines: Collection[str], known: Collection[str]
    ) -> str | None:
        """The id of the batch of this name, if it has arrived."""
        return await (await self.endpoint()).find(name, began, lines, known)

    async def batch_result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        """What came of the lines of a batch; ``None`` while it is computed."""
        return await (await self.endpoint()).result(batch)

    async def line_answer(self, name: str, line: bytes, request: CompletionRequest) -> Completion:
        """The completion in what came of a line; a ``BackendError`` if that is an error.

        ``BackendOverloaded`` where the model takes the request only otherwise, as it is sent from then on.
        """
        came = BatchLine.unpacked(line)
        compat = self._sent_with.get(name.rpartition("-")[0], self._first)
        plain, sent, changes = self._asked(request, compat)
        kind = {"content-type": "application/json"}
        answer = await self._answer(
            request,
            sent,
            compat,
            lambda asked: self._httpx.Response(came.status, headers=kind, content=came.body, request=asked),
        )
        if answer is None:
            raise BackendOverloaded(f"{self._where} takes the request only otherwise; the next batch has it so")
        return self._as_sent(request, answer, plain, changes, compat)

    async def close(self) -> None:
        """Close the clients."""
        await self._client.aclose()
        await super().close()

    async def endpoint(self) -> BatchEndpoint:
        """Where the provider takes batches; ``BackendUnavailable`` if LiteLLM asks it in a way that has none."""
        if self._endpoint is None:
            would = await self._written(_HELLO, self._first)
            ending = next((each for each in _ENDPOINTS if would.address.partition("?")[0].endswith(each)), None)
            if ending is None:
                said = "LiteLLM asks it neither as OpenAI nor as Anthropic"
                raise BackendUnavailable(f"{self._where} takes no batches: {said}; leave out batch: true")
            address, _, query = would.address.partition("?")
            self._base, self._query = address.removesuffix(ending), query
            self._headers = {name: value for name, value in would.headers.items() if name not in _OF_ONE_REQUEST}
            self._endpoint = _ENDPOINTS[ending](self._fetch, self._refused, self._where)
        return self._endpoint

    async def _written(self, request: CompletionRequest, compat: Compat) -> _Sent:
        """What LiteLLM would send for a request; a ``BackendError`` if it would send nothing."""
        seen: list[_Sent] = []

        def hold(asked: Any) -> Any:
            headers = {name.lower(): value for name, value in asked.headers.items()}
            seen.append(_Sent(str(asked.url), headers, answer_in(asked.read())))
            raise _Held

        _, sent, _ = self._asked(request, compat)
        try:
            with bounded(self._backend.max_answer_mb, self._where, self._keys, hold):
                await self._module.acompletion(**{**sent, **self._settings})
        except Exception as error:
            if not seen:
                raise failure(error, self._context, self._backend.secrets()) from None
        body = {name: value for name, value in seen[-1].body.items() if name not in ("stream", "stream_options")}
        return attrs.evolve(seen[-1], body=body)

    async def _fetch(self, method: str, path: str, body: bytes | None, kind: str) -> Fetched:
        """Send one request to the endpoint of batches."""
        address = f"{self._base}{path}"
        if self._query:
            address += f"{'&' if '?' in path else '?'}{self._query}"
        headers = {**self._headers, **({"content-type": kind} if kind else {})}
        most_mb = self._backend.max_answer_mb * ANSWERS_OF_A_BATCH
        try:
            with bounded(most_mb, self._where, self._keys):
                found = await self._client.request(method, address, content=body, headers=headers)
        except self._httpx.ConnectError as error:
            said = without(self._backend.secrets(), str(error))
            raise BackendUnreachable(f"{self._where} cannot be reached ({said}); look after the network") from None
        except self._httpx.HTTPError as error:
            said = without(self._backend.secrets(), f"{type(error).__name__} {error}".strip())
            raise TransientBackendError(f"{self._where} broke off ({said})") from None
        return Fetched(found.status_code, dict(found.headers), found.content)

    def _refused(self, fetched: Fetched) -> BackendError:
        said = error_body(without(self._backend.secrets(), fetched.body.decode("utf-8", "replace")))
        return error_from_status(
            fetched.status,
            said,
            model=self._context.model,
            where=self._where,
            retry_after_s=retry_after_s(fetched.headers),
            key=self._context.key,
        )
