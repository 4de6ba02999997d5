"""A connection to a server: one pool of sockets, from which each request is sent once."""

import json
import time
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, Final, cast

import aiohttp
import attrs
import msgspec
from arena.backend import Completion, CompletionRequest, Connection
from arena.errors import BackendError, BackendOverloaded, TransientBackendError
from arena.record import JSON
from arena_openai_protocol import (
    Adaptation,
    BatchLine,
    Compat,
    ErrorBody,
    Fetched,
    OpenAIBatches,
    adapted,
    answer_in,
    chat_completion,
    check_supported,
    cut_at_stop,
    error_body,
    error_from_status,
    error_in,
    holds_choice,
    is_context_length,
    joined,
    refused_text,
    retry_after_s,
    without,
)
from yarl import URL

from arena_backend_openai_compatible.backend import GRAMMARS, OpenAICompatible, SchemaWay
from arena_backend_openai_compatible.failure import dropped
from arena_backend_openai_compatible.request import request_body
from arena_backend_openai_compatible.servers import host
from arena_backend_openai_compatible.streaming import AnswerStream
from arena_backend_openai_compatible.transport import Transport, transport

ANSWERS_OF_A_BATCH: Final = 100
"""How many of the longest answers a batch's result may have; most answers are a thousand times shorter."""
_OTHER_WAYS: Final = "; if the server takes no schemas this way, write schema: json-object or schema: none"
_NO_GRAMMAR: Final = "; if the server takes no grammar in this field, write schema: {} or schema: json-object"


def connect(backend: OpenAICompatible) -> "ServerConnection":
    """Open a pool of sockets in the running event loop; errors as in ``transport``."""
    return (BatchingConnection if backend.batch else ServerConnection)(backend, transport(backend))


async def check_batches(backend: OpenAICompatible) -> None:
    """Raise a ``BackendError`` if the server takes no batches, or not with this key."""
    connection = BatchingConnection(backend, transport(backend))
    try:
        await connection.endpoint.check()
    finally:
        await connection.close()


@attrs.frozen
class Answer:
    """What a server sent: a body that is not read yet, or what a stream was put together to."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    streamed: Any = None
    first_token_s: float | None = None

    @property
    def is_success(self) -> bool:
        """Whether its status is one of success; gateways have their own ones."""
        return 200 <= self.status < 300

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
            if (completion := self._read(request, asked, compat, answer)) is not None:
                break
        return self._as_sent(request, completion, plain, changes, compat)

    def _read(
        self, request: CompletionRequest, asked: Mapping[str, Any], compat: Compat, answer: Answer
    ) -> Completion | None:
        """The completion in an answer; ``None`` if the request is to be sent otherwise, as its refusal has taught."""
        found = self._found(answer)
        refusal = self._refusal(answer, found)
        if refusal is None:
            return chat_completion(
                found,
                wants_logprobs=request.sampling.logprobs is not None,
                cost_of=self._backend.cost_usd,
                first_token_s=answer.first_token_s,
            )
        if (written := refused_text(refusal.said)) is not None:
            return written
        if is_context_length(refusal.status, refusal.said.said, refusal.said.codes):
            return Completion(text="", finish_reason="context-length")
        is_said = not refusal.said.is_flagged  # words about a prompt are no words about a parameter
        if is_said and self._adaptation.learns(refusal.status, refusal.text, asked, compat):
            return None
        raise self._error(refusal, answer.headers, is_forced=request.schema is not None)

    def _as_sent(
        self,
        request: CompletionRequest,
        completion: Completion,
        plain: dict[str, Any],
        changes: tuple[str, ...],
        compat: Compat,
    ) -> Completion:
        """The completion with what was sent otherwise than it was asked, which is told once."""
        if not changes or completion.finish_reason == "context-length":
            return completion
        self._adaptation.tell(changes, plain)
        stop = request.sampling.stop if "stop" in compat.leave_out else ()
        return attrs.evolve(completion, sent_as=changes, text=cut_at_stop(completion.text, stop))

    def learned(self) -> Mapping[str, JSON]:
        """What ``compat`` would say: what is set, known of the model, and learned from refusals."""
        return self._adaptation.learned()

    async def _answer(self, body: bytes) -> Answer:
        """Send a request, and read what comes, whatever it is."""
        to, most_mb = self._to, self._backend.max_answer_mb
        began = time.perf_counter()
        try:
            async with to.session.post(to.url, data=body, proxy=to.proxy, allow_redirects=False) as response:
                if not self._backend.stream or not 200 <= response.status < 300:
                    said = await joined(response.content.iter_any(), most_mb, to.where)
                    return Answer(response.status, response.headers, said)
                stream = AnswerStream(response.content, most_mb, to.where)
                found = await stream.read(lambda each: decoded(each, to.where))
        except (aiohttp.ClientError, OSError) as error:
            # Not chained: the original's text may hold what the address holds.
            raise dropped(error, to.where) from None
        first_token_s = None if stream.began_at is None else round(stream.began_at - began, 4)
        return Answer(response.status, response.headers, b"", found, first_token_s)

    async def close(self) -> None:
        """Close the pool with all its sockets; nothing can be asked afterwards."""
        await self._to.session.close()

    def _found(self, answer: Answer) -> Any:
        """What an answer with a status of success holds."""
        if not answer.is_success or answer.streamed is not None:
            return answer.streamed
        return decoded(answer.body, self._to.where)

    def _refusal(self, answer: Answer, found: Any) -> _Refusal | None:
        """What the server says in place of an answer, also with a status of success; ``None`` if it answers."""
        about = cast("Mapping[str, Any]", found) if isinstance(found, Mapping) else {}
        # One that has just accepted a request (202) does not answer it.
        if not answer.is_success or (answer.status != 200 and not holds_choice(found) and error_in(about) is None):
            text = self._cleaned(answer.body)
            return _Refusal(answer.status, error_body(text), text)
        if (said := error_in(about)) is None:
            return None
        cleaned = attrs.evolve(said, message=self._cleaned(said.message.encode()))
        return _Refusal(answer.broken_off(said), cleaned, self._cleaned(encoded(about)))

    def _error(self, refusal: _Refusal, headers: Mapping[str, str], *, is_forced: bool = False) -> BackendError:
        """The error that a refusal is; ``is_forced`` says that the answer was to be forced into a schema."""
        status, said = refusal.status, refusal.said
        is_about_schema = is_forced and _is_about_schema(status, said)
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


class BatchingConnection(ServerConnection):
    """A model on a server that is asked in batches; see ``BatchConnection`` in the engine."""

    most_lines = OpenAIBatches.most_lines
    most_bytes = OpenAIBatches.most_bytes

    def __init__(self, backend: OpenAICompatible, to: Transport) -> None:
        super().__init__(backend, to)
        self.endpoint = OpenAIBatches(self._fetch, self._refused, to.where)
        self._first = self._adaptation.compat
        self._sent_with: dict[str, Compat] = {}

    async def send_batch(self, name: str, lines: Mapping[str, CompletionRequest]) -> str:
        """Send requests as the lines of one batch; returns the server's id of it."""
        compat = self._sent_with[name] = self._adaptation.compat
        return await self.endpoint.send(name, {line: self._asked(each, compat)[1] for line, each in lines.items()})

    async def find_batch(
        self, name: str, began: datetime, lines: Collection[str], known: Collection[str]
    ) -> str | None:
        """The id of the batch of this name, if it has arrived."""
        return await self.endpoint.find(name, began, lines, known)

    async def batch_result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        """What came of the lines of a batch; ``None`` while it is computed."""
        return await self.endpoint.result(batch)

    async def line_answer(self, name: str, line: bytes, request: CompletionRequest) -> Completion:
        """The completion in what came of a line; a ``BackendError`` if that is an error.

        ``BackendOverloaded`` where the model takes the request only otherwise, as it is sent from then on.
        """
        came = BatchLine.unpacked(line)
        compat = self._sent_with.get(name.rpartition("-")[0], self._first)
        plain, asked, changes = self._asked(request, compat)
        completion = self._read(request, asked, compat, Answer(came.status, {}, came.body))
        if completion is None:
            raise BackendOverloaded(f"{self._to.where} takes the request only otherwise; the next batch has it so")
        return self._as_sent(request, completion, plain, changes, compat)

    def _asked(
        self, request: CompletionRequest, compat: Compat
    ) -> tuple[dict[str, Any], dict[str, Any], tuple[str, ...]]:
        """The body of a request as it is asked, as it is sent, and what differs."""
        check_supported(request, self._able, self._backend.model)
        plain = request_body(self._backend, request)
        for name in ("stream", "stream_options"):
            plain.pop(name, None)
        return plain, *adapted(plain, compat)

    async def _fetch(self, method: str, path: str, body: bytes | None, kind: str) -> Fetched:
        """Send one request to an endpoint beside that of chats."""
        to, base = self._to, self._to.url.parent.parent
        found = URL(path)
        url = base.joinpath(*found.parts[1:]).with_query({**to.url.query, **found.query})
        headers = {"Content-Type": kind} if kind else {}
        try:
            async with to.session.request(
                method, url, data=body, headers=headers, proxy=to.proxy, allow_redirects=False
            ) as response:
                most_mb = self._backend.max_answer_mb * ANSWERS_OF_A_BATCH
                said = await joined(response.content.iter_any(), most_mb, to.where)
                return Fetched(response.status, response.headers, said)
        except (aiohttp.ClientError, OSError) as error:
            raise dropped(error, to.where) from None

    def _refused(self, fetched: Fetched) -> BackendError:
        text = self._cleaned(fetched.body)
        return self._error(_Refusal(fetched.status, error_body(text), text), fetched.headers)


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
