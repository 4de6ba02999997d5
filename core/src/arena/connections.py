"""Live backends of one process: one connection each, asked again with back-off where that may help."""

import asyncio
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import TYPE_CHECKING

from arena.agent import Agent
from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.cache import Cache
from arena.errors import ArenaError, BackendError
from arena.executor import Desk
from arena.lanes import Lanes
from arena.patience import too_long, wait_s
from arena.quota import Weight
from arena.wire import identity

if TYPE_CHECKING:
    from arena.completions import Clock

_FAR_S = 1e9


class Connections:
    """All backends in use; equal ones share a connection, which is made when it is first needed.

    ``cache`` holds the answers that are shared with other runs; whoever asks looks there first. ``lanes`` are passed by
    every request; where other processes ask the same backends, they are shared with them.
    """

    def __init__(self, desk: Desk, cache: Cache | None = None, lanes: Lanes | None = None) -> None:
        self._desk = desk
        self.cache = cache
        self.lanes = lanes or Lanes(desk)
        self._open: dict[str, asyncio.Task[Connection]] = {}

    async def complete(self, backend: Backend, request: CompletionRequest, clock: "Clock | None" = None) -> Completion:
        """Ask until there is an answer; ``BackendError`` when the backend's attempts are spent.

        The request's sampling is complete. Waiting for admission, for a free slot, for the limits per minute or before
        a retry does not run on ``clock``.
        """
        weight = Weight.of(request)
        attempt = 0
        while True:
            answer = await self._ask(backend, request, weight, clock, is_again=attempt > 0)
            if not isinstance(answer, BackendError):
                return answer
            error = without_secrets(backend, answer)
            attempt += 1
            wish = too_long(backend, error)
            if wish or not error.is_transient or attempt >= backend.attempts:
                more = f"; {wish}" if wish else f" ({attempt} tries)" if attempt > 1 else ""
                why = f"{type(backend).__name__}: {error}{more}"
                if wish or error.is_lasting:
                    self.lanes.shut(backend, why)
                raise BackendError(why) from None
            wait = wait_s(backend, error, attempt, request)
            if "completion_retried" in self._desk.heard:
                self._desk.hooks.completion_retried(backend=str(backend), reason=str(error), wait_s=wait)
            with _stopped(clock):
                await self._desk.unless_stopped(asyncio.sleep(wait))

    async def _ask(
        self, backend: Backend, request: CompletionRequest, weight: Weight, clock: "Clock | None", *, is_again: bool
    ) -> Completion | BackendError:
        """Ask once, when it is this request's turn; what is raised is not the model's fault."""
        with _stopped(clock):
            self.lanes.check(backend)
            connection = await self._connection(backend)  # before there is leave, which is not to be held for seconds
            permit = await self.lanes.enter(backend, weight, is_again=is_again)
        is_overload, tokens = None, None
        try:
            if "completion_requested" in self._desk.heard:
                self._desk.hooks.completion_requested(backend=str(backend), request=request)
            answer = await _answer(connection, backend.request_timeout_s, request)
            is_overload = isinstance(answer, BackendError) and answer.is_overload
            if isinstance(answer, Completion):
                tokens = answer.usage.prompt_tokens + answer.usage.completion_tokens
            return answer
        finally:
            self.lanes.leave(permit, is_overload=is_overload, tokens=tokens)

    def check(self, agents: Iterable[Agent]) -> None:
        """Raise ``BackendError`` where it is known already that a backend of these agents will not answer."""
        if self.lanes.is_any_shut:
            for backend in (backend for agent in agents for backend in agent.backends().values()):
                self.lanes.check(backend)

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
        try:
            return task.result()
        except ArenaError as error:  # what cannot be started for one cannot be started for the next
            self.lanes.shut(backend, str(error))
            raise


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
        text,
        is_transient=error.is_transient,
        retry_after_s=error.retry_after_s,
        is_overload=error.is_overload,
        is_lasting=error.is_lasting,
    )
