"""Live backends of one process: one connection each, bounded, retried with back-off."""

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.cache import Cache
from arena.errors import BackendError
from arena.executor import Desk
from arena.gate import Gate
from arena.patience import too_long, wait_s
from arena.quota import Quota
from arena.wire import identity

if TYPE_CHECKING:
    from arena.completions import Clock

_FAR_S = 1e9


@attrs.frozen(eq=False)
class _Lane:
    """What requests to equal backends pass one after another."""

    gate: Gate
    quota: Quota | None


class Connections:
    """All backends in use; equal ones share a connection, which is made when it is first needed.

    ``cache`` holds the answers that are shared with other runs; whoever asks looks there first.
    """

    def __init__(self, desk: Desk, cache: Cache | None = None) -> None:
        self._desk = desk
        self.cache = cache
        self._open: dict[str, asyncio.Task[Connection]] = {}
        self._lanes: dict[str, _Lane] = {}

    async def complete(self, backend: Backend, request: CompletionRequest, clock: "Clock | None" = None) -> Completion:
        """Ask until there is an answer; ``BackendError`` when the backend's attempts are spent.

        The request's sampling is complete. Waiting for admission, for a free slot, for the limits per minute or before
        a retry does not run on ``clock``.
        """
        lane = self._lane(backend)
        attempt = 0
        while True:
            answer = await self._ask(lane, backend, request, clock)
            if not isinstance(answer, BackendError):
                return answer
            error = without_secrets(backend, answer)
            attempt += 1
            if wish := too_long(backend, error):
                raise BackendError(f"{type(backend).__name__}: {error}; {wish}") from None
            if not error.is_transient or attempt >= backend.attempts:
                tries = f" ({attempt} tries)" if attempt > 1 else ""
                raise BackendError(f"{type(backend).__name__}: {error}{tries}") from None
            wait = wait_s(backend, error, attempt, request)
            if "completion_retried" in self._desk.heard:
                self._desk.hooks.completion_retried(backend=str(backend), reason=str(error), wait_s=wait)
            with _stopped(clock):
                await self._desk.unless_stopped(asyncio.sleep(wait))

    async def _ask(
        self, lane: _Lane, backend: Backend, request: CompletionRequest, clock: "Clock | None"
    ) -> Completion | BackendError:
        """Ask once, when it is this request's turn; what is raised is not the model's fault."""
        with _stopped(clock):
            ticket = await lane.gate.enter()
        is_overload: bool | None = None
        try:
            with _stopped(clock):
                if lane.quota:
                    await self._desk.unless_stopped(lane.quota.reserve(request))
                await self._desk.admit(backend)
                connection = await self._connection(backend)
            if "completion_requested" in self._desk.heard:
                self._desk.hooks.completion_requested(backend=str(backend), request=request)
            answer = await _answer(connection, backend.request_timeout_s, request)
            is_overload = isinstance(answer, BackendError) and answer.is_overload
            if lane.quota:
                lane.quota.settle(request, None if isinstance(answer, BackendError) else answer.usage)
            return answer
        finally:
            lane.gate.leave(ticket, is_overload=is_overload)

    def gate(self, backend: Backend) -> Gate:
        """What lets requests to a backend in."""
        return self._lane(backend).gate

    async def close(self) -> None:
        """Close every connection that was made."""
        for task in self._open.values():
            if task.done() and not task.cancelled() and task.exception() is None:
                await task.result().close()
            else:
                task.cancel()
        self._open.clear()

    async def _connection(self, backend: Backend) -> Connection:
        key = identity(backend)
        task = self._open.get(key)
        if task is None:
            task = self._open[key] = asyncio.ensure_future(backend.connect())
        if not task.done():
            await asyncio.wait([task])  # unlike awaiting it, being cancelled here leaves the others' connection alone
        if task.cancelled() or task.exception() is not None:
            self._open.pop(key, None)
        return task.result()

    def _lane(self, backend: Backend) -> _Lane:
        key = identity(backend)
        lane = self._lanes.get(key)
        if lane is None:
            limits = backend.requests_per_minute, backend.tokens_per_minute
            quota = None if limits == (None, None) else Quota(*limits)
            lane = self._lanes[key] = _Lane(Gate(backend.concurrency, adapts=backend.adapts), quota)
        return lane


async def _answer(connection: Connection, timeout_s: float, request: CompletionRequest) -> Completion | BackendError:
    try:
        async with asyncio.timeout(timeout_s):
            return await connection.complete(request)
    except TimeoutError:
        return BackendError(f"no answer within {timeout_s:g} s", is_transient=True, is_overload=True)
    except BackendError as failure:
        return failure


@contextmanager
def _stopped(clock: "Clock | None") -> Generator[None]:
    """Keep time spent here off the clock, which must not run out meanwhile either."""
    if clock is None:
        yield
        return
    time = asyncio.get_running_loop().time
    start = time()
    clock.extend(_FAR_S)
    try:
        yield
    finally:
        clock.extend(time() - start - _FAR_S)


def without_secrets(backend: Backend, error: BackendError) -> BackendError:
    """The same error with the values of the backend's secrets cut out."""
    text = str(error)
    for secret in backend.secrets():
        text = text.replace(secret.reveal(), str(secret))
    return BackendError(
        text, is_transient=error.is_transient, retry_after_s=error.retry_after_s, is_overload=error.is_overload
    )
