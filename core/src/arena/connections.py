"""Live backends of one process: one connection each, bounded, retried with back-off."""

import asyncio
from typing import TYPE_CHECKING

from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.errors import BackendError
from arena.executor import Desk
from arena.record import digest
from arena.wire import identity

if TYPE_CHECKING:
    from arena.completions import Clock

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0


class Connections:
    """All backends in use; equal ones share a connection, which is made when it is first needed."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._open: dict[str, asyncio.Task[Connection]] = {}
        self._slots: dict[str, asyncio.Semaphore] = {}

    async def complete(self, backend: Backend, request: CompletionRequest, clock: "Clock | None" = None) -> Completion:
        """Ask until there is an answer; ``BackendError`` when the backend's attempts are spent.

        The request's sampling is complete. Waiting for admission, for a free slot or before a retry does not run on
        ``clock``.
        """
        loop = asyncio.get_running_loop()
        attempt = 0
        while True:
            asked = loop.time()
            async with self._slot(backend):
                await self._desk.admit(backend)
                connection = await self._connection(backend)
                if clock:
                    clock.extend(loop.time() - asked)
                if "completion_requested" in self._desk.heard:
                    self._desk.hooks.completion_requested(backend=str(backend), request=request)
                try:
                    async with asyncio.timeout(backend.request_timeout_s):
                        return await connection.complete(request)
                except TimeoutError:
                    error = BackendError(f"no answer within {backend.request_timeout_s:g} s", is_transient=True)
                except BackendError as failure:
                    error = without_secrets(backend, failure)
            attempt += 1
            if not error.is_transient or attempt >= backend.attempts:
                tries = f" ({attempt} tries)" if attempt > 1 else ""
                raise BackendError(f"{type(backend).__name__}: {error}{tries}") from None
            wait = self._wait(backend, error, attempt, request)
            if "completion_retried" in self._desk.heard:
                self._desk.hooks.completion_retried(backend=str(backend), reason=str(error), wait_s=wait)
            if clock:
                clock.extend(wait)
            await self._desk.unless_stopped(asyncio.sleep(wait))

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

    def _slot(self, backend: Backend) -> asyncio.Semaphore:
        key = identity(backend)
        slots = self._slots.get(key)
        if slots is None:
            slots = self._slots[key] = asyncio.Semaphore(backend.concurrency)
        return slots

    @staticmethod
    def _wait(backend: Backend, error: BackendError, attempt: int, request: CompletionRequest) -> float:
        """Seconds until the next try: what the provider asks for, else doubling, spread so that crowds disperse."""
        if error.retry_after_s is not None:
            return error.retry_after_s
        spread = digest("wait", attempt, str(request.sampling.seed), request.messages[-1].text) / 2**64
        return min(LONGEST_WAIT_S, FIRST_WAIT_S * 2.0 ** (attempt - 1)) * (0.5 + spread / 2)


def without_secrets(backend: Backend, error: BackendError) -> BackendError:
    """The same error with the values of the backend's secrets cut out."""
    text = str(error)
    for secret in backend.secrets():
        text = text.replace(secret.reveal(), str(secret))
    return BackendError(text, is_transient=error.is_transient, retry_after_s=error.retry_after_s)
