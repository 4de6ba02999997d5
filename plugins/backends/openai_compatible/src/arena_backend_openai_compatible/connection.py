"""A connection to a server: one pool of sockets, from which each request is sent once."""

import json
import time
from collections.abc import Mapping
from typing import Any, Final, cast

import aiohttp
import attrs
import msgspec
from arena.backend import Completion, CompletionRequest, Connection
from arena.errors import BackendError, TransientBackendError
from arena.record import JSON
from arena_openai_protocol import (
    Adaptation,
    ErrorBody,
    adapted,
    answer_in,
    chat_completion,
    check_supported,
    cut_at_stop,
    error_body,
    error_from_status,
    error_in,
    is_context_length,
    joined,
    retry_after_s,
    without,
)

from arena_backend_openai_compatible.backend import GRAMMARS, OpenAICompatible, SchemaWay
from arena_backend_openai_compatible.failure import dropped
from arena_backend_openai_compatible.request import request_body
from arena_backend_openai_compatible.servers import host
from arena_backend_openai_compatible.streaming import AnswerStream
from arena_backend_openai_compatible.transport import Transport, transport

_OTHER_WAYS: Final = "; if the server takes no schemas this way, write schema: json-object or schema: none"
_NO_GRAMMAR: Final = "; if the server takes no grammar in this field, write schema: {} or schema: json-object"


def connect(backend: OpenAICompatible) -> "ServerConnection":
    """Open a pool of sockets in the running event loop; errors as in ``transport``."""
    return ServerConnection(backend, transport(backend))


@attrs.frozen
class _Answer:
    """What a server sent: a body that is not read yet, or what a stream was put together to."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    streamed: Any = None
    first_token_s: float | None = None

    def broken_off(self, said: ErrorBody) -> int:
        """The status of an error in an answer: once the model has written, nobody refuses the request any more."""
        has_begun = self.first_token_s is not None and not said.is_flagged and said.status not in (402, 429)
        return 500 if has_begun else said.status or 500


@attrs.frozen
class _Refusal:
    """What a server said in place of an answer: the status, what is read of it, and all of it."""

    status: int
    said: ErrorBody
    text: str


class ServerConnection(Connection):
    """A model on a server."""

    def __init__(self, backend: OpenAICompatible, to: Transport) -> None:
        self._backend = backend
        self._to = to
        self._able = backend.supports()
        self._key = backend.key()
        self._adaptation = Adaptation(
            backend.model, host(backend.address), backend.compat, keeps_schema=backend.schema != "auto"
        )

    async def complete(self, request: CompletionRequest) -> Completion:
        """Send one request; every failure is a ``BackendError`` whose text holds no key and no password.

        Where the server takes it only otherwise, it is sent again as the refusal says: nothing was computed for it.
        """
        check_supported(request, self._able, self._backend.model)
        plain = request_body(self._backend, request)
        while True:
            compat = self._adaptation.compat
            asked, changes = adapted(plain, compat)
            answer = await self._answer(encoded(asked))
            found = self._found(answer)
            refusal = self._refusal(answer, found)
            if refusal is None:
                break
            if is_context_length(refusal.status, refusal.said.said, refusal.said.codes):
                return Completion(text="", finish_reason="context-length")
            is_said = not refusal.said.is_flagged  # words about a prompt are no words about a parameter
            if not (is_said and self._adaptation.learns(refusal.status, refusal.text, asked, compat)):
                raise self._error(request, refusal, answer.headers)
        if changes:
            self._adaptation.tell(changes, plain)
        completion = chat_completion(
            found,
            wants_logprobs=request.sampling.logprobs is not None,
            cost_of=self._backend.cost_usd,
            first_token_s=answer.first_token_s,
        )
        if not changes:
            return completion
        stop = request.sampling.stop if "stop" in compat.leave_out else ()
        return attrs.evolve(completion, sent_as=changes, text=cut_at_stop(completion.text, stop))

    def learned(self) -> Mapping[str, JSON]:
        """What ``compat`` would say: what is set, known of the model, and learned from refusals."""
        return self._adaptation.learned()

    async def _answer(self, body: bytes) -> _Answer:
        """Send a request, and read what comes, whatever it is."""
        to, most_mb = self._to, self._backend.max_answer_mb
        began = time.perf_counter()
        try:
            async with to.session.post(to.url, data=body, proxy=to.proxy, allow_redirects=False) as response:
                if not self._backend.stream or response.status != 200:
                    said = await joined(response.content.iter_any(), most_mb, to.where)
                    return _Answer(response.status, response.headers, said)
                stream = AnswerStream(response.content, most_mb, to.where)
                found = await stream.read(lambda each: decoded(each, to.where))
        except (aiohttp.ClientError, OSError) as error:
            # Not chained: the original's text may hold what the address holds.
            raise dropped(error, to.where) from None
        first_token_s = None if stream.began_at is None else round(stream.began_at - began, 4)
        return _Answer(response.status, response.headers, b"", found, first_token_s)

    async def close(self) -> None:
        """Close the pool with all its sockets; nothing can be asked afterwards."""
        await self._to.session.close()

    def _found(self, answer: _Answer) -> Any:
        """What an answer with a status of success holds."""
        if answer.status != 200 or answer.streamed is not None:
            return answer.streamed
        return decoded(answer.body, self._to.where)

    def _refusal(self, answer: _Answer, found: Any) -> _Refusal | None:
        """What the server says in place of an answer, also with a status of success; ``None`` if it answers."""
        if answer.status != 200:
            text = self._cleaned(answer.body)
            return _Refusal(answer.status, error_body(text), text)
        about = cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}
        if (said := error_in(about)) is None:
            return None
        cleaned = attrs.evolve(said, message=self._cleaned(said.message.encode()))
        return _Refusal(answer.broken_off(said), cleaned, self._cleaned(encoded(about)))

    def _error(self, request: CompletionRequest, refusal: _Refusal, headers: Mapping[str, str]) -> BackendError:
        """The error that a refusal is."""
        status, said = refusal.status, refusal.said
        is_about_schema = request.schema is not None and _is_about_schema(status, said)
        error = error_from_status(
            400 if is_about_schema else status,
            said if said.message else attrs.evolve(said, message=said.code or f"status {status}"),
            model=self._backend.model,
            where=self._to.where,
            retry_after_s=retry_after_s(headers),
            key=None if self._key is None else str(self._key),
        )
        return error.reworded(f"{error}{_instead(self._backend.schema)}") if is_about_schema else error

    def _cleaned(self, text: bytes) -> str:
        shown = text.decode("utf-8", "replace")
        return without((self._key,), shown) if self._key is not None else shown


def encoded(body: Mapping[str, Any]) -> bytes:
    """The body as JSON; what ``msgspec`` does not write (halves of characters, very large numbers) is escaped."""
    try:
        return msgspec.json.encode(body)
    except (UnicodeEncodeError, OverflowError):
        return json.dumps(body).encode()


def decoded(answer: bytes, where: str) -> Any:
    """What a server sent, for ``chat_completion``; ``TransientBackendError`` if it is no JSON in any form."""
    try:
        found: Any = msgspec.json.decode(answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        found = None
    if isinstance(found, dict):
        return cast("dict[str, Any]", found)
    # Servers say -Infinity of a token, or half a character; they stream unasked, or send objects in a row.
    try:
        return answer_in(answer)
    except ValueError:
        raise TransientBackendError(f"{where} answered with what is not JSON") from None


def _is_about_schema(status: int, said: ErrorBody) -> bool:
    """Whether a server refuses the way in which an answer is to be forced; some call that a fault of their own."""
    words = ("response_format", "json_schema") + (("guided", "grammar", "schema") if status != 500 else ())
    return status in (400, 422, 500) and any(word in said.message.lower() for word in words)


def _instead(way: SchemaWay) -> str:
    """What to write where a server refuses a way to force answers, as the end of a sentence."""
    others = [other for other in GRAMMARS if other != way]
    return _NO_GRAMMAR.format(*others) if way in GRAMMARS else _OTHER_WAYS
