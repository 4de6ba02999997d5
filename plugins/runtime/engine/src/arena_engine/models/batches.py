"""Collects what many matches ask of one backend into batches, which providers answer within hours at half the price.

A batch is written to the journal before it is sent, and with the provider's id before it is waited for: a run that is
killed and resumed waits for it again, and asks only what no batch holds. Where nobody knows whether a batch arrived,
the provider is asked by its name.
"""

import asyncio
from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from secrets import token_hex
from typing import Final, Protocol, TypeVar, cast, runtime_checkable

import attrs
from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.errors import BackendError, BackendOverloaded, PluginError, QuotaExhausted, TransientBackendError

from arena_engine.foundation.run_log import backend_name
from arena_engine.job.context import RunContext
from arena_engine.journal.sent_batches import SentBatch, begun_now
from arena_engine.journal.usage import Call, may_have_cost
from arena_engine.models.asking import CallConnection
from arena_engine.models.request_text import hashed_request_text

T = TypeVar("T")

PROMISED: Final = timedelta(days=1)
"""The time within which providers promise to answer a batch."""
POLLS_OF_A_QUEUE: Final = 10
"""After how many looks a batch is sent again that a provider does not take because too many are waiting."""
MOST_LINES: Final = 1_000_000
"""How many requests of a backend that asks in batches may wait at once."""


@runtime_checkable
class AsksInBatches(Protocol):
    """A backend that may be told to ask in batches; while ``batch`` is true its connection is a ``BatchConnection``.

    Requests are collected for ``batch_collect_s`` seconds from the first one on, and a batch that was sent is looked at
    every ``batch_poll_s`` seconds.
    """

    @property
    def batch(self) -> bool:
        """Whether it asks in batches."""
        ...

    @property
    def batch_collect_s(self) -> float:
        """Seconds from the first request of a batch until it is sent."""
        ...

    @property
    def batch_poll_s(self) -> float:
        """Seconds between two looks at a batch."""
        ...


@runtime_checkable
class BatchConnection(Protocol):
    """A connection that also takes batches, of at most ``most_lines`` requests and about ``most_bytes`` of text.

    ``line_answer`` sends nothing, the others ask the provider; a failure is a ``BackendError``.
    """

    most_lines: int
    most_bytes: int

    async def send_batch(self, name: str, lines: Mapping[str, CompletionRequest]) -> str:
        """Send requests, by the names of their lines, under the name of their batch; returns the provider's id.

        The names have up to 64 letters, digits, ``_`` and ``-``, those of lines begin with the batch's.
        """
        ...

    async def find_batch(
        self, name: str, began: datetime, lines: Collection[str], known: Collection[str]
    ) -> str | None:
        """The id of a batch that was perhaps sent after ``began``; ``None`` if the provider does not have it.

        It is none of the ``known`` ones. A provider that keeps no names may be guessed at: a batch whose result has
        none of the lines is not taken for this one.
        """
        ...

    async def batch_result(self, batch: str) -> Mapping[str, bytes] | BackendError | None:
        """What came of each line, by its name, as ``line_answer`` reads it; ``None`` while it is being computed.

        A line that was not computed is left out. An error if the batch as a whole was refused: ``BackendOverloaded`` if
        there is no room for it yet, ``QuotaExhausted`` if the account has no credit.
        """
        ...

    async def line_answer(self, name: str, line: bytes, request: CompletionRequest) -> Completion:
        """Read what came of the line of this name; a ``BackendError`` if that is an error."""
        ...


def is_batched(backend: Backend) -> bool:
    """Whether a backend asks in batches."""
    return getattr(backend, "batch", False) is True


@attrs.define(eq=False)
class _Line:
    """A request that waits to be sent, and the batch in which it is, once that is known to have been sent."""

    call: Call
    request: CompletionRequest
    request_hash: str
    batch: asyncio.Future[None]

    @property
    def size(self) -> int:
        """About how many bytes it has."""
        parts = [part for message in self.request.messages for part in message.parts]
        pictures = sum(len(part.data) * 4 // 3 for part in parts if not isinstance(part, str))
        return self.call.prompt_tokens + pictures


class Batched(CallConnection):
    """A backend that is asked in batches; ``connection`` sends them."""

    def __init__(self, context: RunContext, backend: Backend, connection: Connection) -> None:
        if not isinstance(backend, AsksInBatches) or not isinstance(connection, BatchConnection):
            raise PluginError(
                f"backend {type(backend).__name__!r} is to ask in batches, and its connection takes none; leave out "
                "batch: true"
            )
        self._context = context
        self._backend = cast("Backend", backend)
        self._collect_s, self._poll_s = backend.batch_collect_s, backend.batch_poll_s
        self._connection: BatchConnection = connection
        self._plain = cast("Connection", connection)
        self._log = context.log.bind(backend=backend_name(self._backend))
        self._collected: list[_Line] = []
        self._sending: asyncio.Task[None] | None = None
        self._is_waiting = False
        self._waiting: dict[str, SentBatch] = {}
        self._full_since: float | None = None
        self._spent: QuotaExhausted | None = None
        self._results: dict[str, asyncio.Task[Mapping[str, bytes] | BackendError | None]] = {}

    async def complete(self, request: CompletionRequest) -> Completion:
        return await self._plain.complete(request)

    async def complete_call(self, call: Call, request: CompletionRequest) -> Completion:
        """Wait for the batch that holds the request, or put it into the next one; ``StopRun`` once the run ends."""
        batches = self._context.batches
        _, request_hash = hashed_request_text(self._backend, request)
        while True:
            held = batches.holding(call.match, call.scope, request_hash)
            if held is None:
                line = _Line(call, request, request_hash, asyncio.get_running_loop().create_future())
                self._collect(line)
                try:
                    await self._context.unless_stopped(_ended(line.batch))
                finally:
                    line.batch.cancel()
                continue
            batch, name = held
            result = await self._context.unless_stopped(_ended(self._result(batch)))
            if result is None:
                continue  # it never arrived, or there was no room for it
            try:
                if isinstance(result, BackendError):
                    raise result.reworded(str(result))
                if name not in result:
                    raise BackendOverloaded("its batch ended without an answer to this request; it is asked again")
                return await self._connection.line_answer(name, result[name], request)
            except BackendError:
                batches.end(call.match, call.scope)
                raise

    async def close(self) -> None:
        """Wait until what is being sent is sent, and leave everything else to a resumed run."""
        if self._sending is not None:
            if self._is_waiting:
                self._sending.cancel()
            await asyncio.wait([self._sending])
        for task in self._results.values():
            task.cancel()
        await self._plain.close()

    def _collect(self, line: _Line) -> None:
        if self._spent is not None:
            raise self._spent.reworded(str(self._spent))
        self._collected.append(line)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send_collected())

    async def _send_collected(self) -> None:
        """Collect for a while, then send; what is asked meanwhile is sent behind it."""
        while self._collected:
            self._is_waiting = True
            await asyncio.sleep(self._collect_s)
            self._is_waiting = False
            lines, self._collected = self._collected, []
            for part in self._parts([line for line in lines if not line.batch.done()]):
                await self._send(part)
        self._sending = None

    def _parts(self, lines: list[_Line]) -> Iterator[list[_Line]]:
        """The lines in as many batches as the provider's limits ask for."""
        part: list[_Line] = []
        size = 0
        for line in lines:
            if part and (len(part) >= self._connection.most_lines or size + line.size > self._connection.most_bytes):
                yield part
                part, size = [], 0
            part.append(line)
            size += line.size
        if part:
            yield part

    async def _send(self, lines: list[_Line]) -> None:
        try:
            if self._spent is not None:
                raise self._spent
            await self._send_lines(lines)
        except Exception as error:  # nobody may wait for it for ever; a plugin's own error ends the match
            for line in lines:
                if not line.batch.done():
                    line.batch.set_exception(_own(error))
            self._note(error)
        else:
            for line in lines:
                if not line.batch.done():
                    line.batch.set_result(None)

    async def _send_lines(self, lines: list[_Line]) -> None:
        """Send one batch, which is in the journal before and with its id afterwards."""
        batches, name = self._context.batches, token_hex(12)
        batch = begun_now(name, ((line.call.match, line.call.scope, line.request_hash) for line in lines))
        asked = {each: line.request for each, line in zip(batch.lines, lines, strict=True)}
        await batches.begin(batch)
        for over in [each for each, task in self._results.items() if task.done() and not batches.is_open(each)]:
            del self._results[over]
        try:
            async with asyncio.timeout(self._backend.request_timeout_s):
                id_ = await self._connection.send_batch(name, asked)
        except TimeoutError:
            return  # whoever waits for it finds out whether it has arrived
        except BackendError as error:
            if may_have_cost(error):
                return
            batches.withdraw(batch)
            if not isinstance(error, BackendOverloaded):
                raise
            self._is_waiting = True
            try:
                await self._wait_for_room(error)
            finally:
                self._is_waiting = False
            return
        await batches.sent(batch, id_)
        self._log.batch_sent(batch=id_, requests=len(lines))

    def _result(self, batch: SentBatch) -> "asyncio.Task[Mapping[str, bytes] | BackendError | None]":
        """What comes of a batch, for which all its lines wait together."""
        task = self._results.get(batch.name)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._results[batch.name] = asyncio.get_running_loop().create_task(self._watched(batch))
        return task

    async def _watched(self, batch: SentBatch) -> Mapping[str, bytes] | BackendError | None:
        """The result of a batch; ``None`` if it never arrived, or once there may be room for it.

        The last error if the provider cannot be asked.
        """
        self._waiting[batch.name] = batch
        self._tell()
        try:
            result = await self._looked_at(batch)
        finally:
            del self._waiting[batch.name]
            self._tell()
        if isinstance(result, BackendOverloaded):  # nothing of it was computed
            self._context.batches.withdraw(batch)
            await self._wait_for_room(result)
            return None
        self._note(result)
        return result

    def _note(self, result: object) -> None:
        """Note what a batch has come to, as far as it concerns the others."""
        if isinstance(result, QuotaExhausted):
            self._spent = result
        elif isinstance(result, Mapping):
            self._full_since = None

    def _tell(self) -> None:
        """Tell observers how many requests wait in batches, since when, and until when at most."""
        if "batches_changed" in self._context.active_hooks:
            began = [batch.began for batch in self._waiting.values()]
            self._context.hooks.batches_changed(
                backend=str(self._backend),
                requests=sum(len(batch.lines) for batch in self._waiting.values()),
                since=min(began).timestamp() if began else None,
                until=(max(began) + PROMISED).timestamp() if began else None,
            )

    async def _wait_for_room(self, error: BackendOverloaded) -> None:
        """Wait before a batch that the provider has no room for is sent again.

        While batches of this run are computed, it waits for them. Without any, others fill the queue:
        ``QuotaExhausted`` once they have for ``max_retry_wait_s``, counted anew whenever a batch was computed.
        """
        self._context.warn(f"a batch waits until the provider takes it ({error})")
        wait = max(error.retry_after_s or 0.0, self._poll_s * POLLS_OF_A_QUEUE)
        if not self._waiting:
            now, most = asyncio.get_running_loop().time(), self._backend.max_retry_wait_s
            self._full_since = now if self._full_since is None else self._full_since
            left = self._full_since + most - now
            if left <= 0 or (error.retry_after_s or 0.0) > left:
                advice = "resume once it has, raise max-retry-wait-s, or lower limits.concurrency"
                self._spent = QuotaExhausted(f"{error}; max-retry-wait-s is {most:g} and it has no room yet: {advice}")
                raise self._spent
            wait = min(wait, left)
        await asyncio.sleep(wait)

    async def _looked_at(self, batch: SentBatch) -> Mapping[str, bytes] | BackendError | None:
        batches = self._context.batches
        failures = 0
        if not batch.id:  # what was on its way when it broke off may still be arriving
            await asyncio.sleep(self._poll_s)
        while True:
            try:
                async with asyncio.timeout(self._backend.request_timeout_s):
                    if not batch.id:
                        found = await self._connection.find_batch(batch.name, batch.began, batch.lines, batches.ids())
                        if found is None:
                            batches.withdraw(batch)
                            return None
                        batch = await batches.sent(batch, found)
                    result = await self._connection.batch_result(batch.id)
                if result is not None:
                    answered = 0 if isinstance(result, BackendError) else len(result)
                    self._log.batch_ended(batch=batch.id, requests=len(batch.lines), answered=answered)
                    return result
                failures = 0
            except (TransientBackendError, TimeoutError) as error:
                failures += 1
                if failures >= self._backend.max_attempts:
                    raise _own(error) from None
            await asyncio.sleep(self._poll_s)


def _own(error: Exception) -> Exception:
    """The error, or one of the same meaning whose class says that asking again may help."""
    return TransientBackendError("no answer in time") if isinstance(error, TimeoutError) else error


async def _ended(task: "asyncio.Future[T]") -> T:
    """What a shared task returns; to be cancelled here leaves it to the others."""
    await asyncio.wait([task])
    return task.result()
