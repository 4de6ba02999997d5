"""Holds the open connections of one process, one for each backend; retries, or believes that none can succeed."""

import asyncio
from collections.abc import Awaitable, Callable, Generator, Iterable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NoReturn

from arena.agent import Agent
from arena.backend import Backend, Completion, CompletionRequest, Connection
from arena.errors import (
    ArenaError,
    BackendError,
    BackendOverloaded,
    BackendTimedOut,
    BackendUnavailable,
    BackendUnreachable,
    QuotaExhausted,
    RequestRejected,
    TransientBackendError,
)
from arena.record import derive_seed

from arena_engine.foundation.redaction import Redactor
from arena_engine.foundation.run_log import SILENT, RunLog, backend_name
from arena_engine.foundation.shared_timer import SharedTimer, TimeLimit
from arena_engine.job.context import AgentStopped, RunContext
from arena_engine.journal.usage import Call, Counted, count, may_have_cost
from arena_engine.models.asking import CallConnection, closed, completed, connected
from arena_engine.models.batches import Batched, is_batched
from arena_engine.models.cache import CompletionCache
from arena_engine.models.request_text import backend_key
from arena_engine.models.throttle import Throttle, TokenEstimate

FIRST_WAIT_S = 1.0
LONGEST_WAIT_S = 60.0
SHORTEST_WAIT_S = 0.02


def backoff_s(backend: Backend, error: TransientBackendError, attempt: int, request: CompletionRequest) -> float:
    """Seconds until the next attempt: what the provider asks for, or else doubling from one attempt to the next."""
    # Jitter keeps requests that failed together from being retried together; it is derived, so replays agree.
    spread = derive_seed("wait", attempt, str(request.sampling.seed), request.messages[-1].text) / 2**64
    if error.retry_after_s is not None:
        return error.retry_after_s * (1 + spread / 10)
    longest = min(LONGEST_WAIT_S, backend.max_retry_wait_s)
    return min(longest, FIRST_WAIT_S * 2.0 ** (attempt - 1)) * (0.5 + spread / 2)


def refuse_long_wait(backend: Backend, error: BackendError) -> str | None:
    """Why a request is not retried because the provider asks for too long a wait, or ``None`` if it does not."""
    asked, most = error.retry_after_s if isinstance(error, TransientBackendError) else None, backend.max_retry_wait_s
    if asked is None or asked <= most:
        return None
    return f"it asks to wait {asked:g} s and max-retry-wait-s is {most:g}; raise that or resume the run later"


def asked_wait_s(error: BackendError) -> float | None:
    """The seconds that a provider asks to wait before a request that it has not computed is sent again, or ``None``."""
    if not isinstance(error, TransientBackendError) or isinstance(error, BackendTimedOut | BackendUnreachable):
        return None
    return error.retry_after_s or None


LONGEST_QUEUE = 10
"""How many times ``max_retry_wait_s`` a request waits, at most, while others of its backend are answered."""


class Attempts:
    """How often one request is sent again.

    Waiting that the provider asks for is no try until it adds up to ``max_retry_wait_s``: counted anew whenever the
    backend has answered another request meanwhile, since then it only waits for its turn. Every other failure is a try,
    of which there are ``max_attempts``.
    """

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._tries = 0
        self._waited_s = 0.0
        self._waited_in_all_s = 0.0
        self._answers: int | None = None
        self.failures = 0

    def wait_s(self, error: BackendError, request: CompletionRequest, answers: int) -> float | None:
        """The seconds until the request is sent again after an error, ``None`` if it is not.

        ``answers`` are those that the backend has given to others so far.
        """
        self.failures += 1
        if not isinstance(error, TransientBackendError):
            return None
        asked = asked_wait_s(error)
        if asked is not None and self._is_free(asked, answers):
            # A provider that says again and again that it takes no time at all is not believed.
            shortest = min(FIRST_WAIT_S, SHORTEST_WAIT_S * 2.0 ** (min(self.failures, 10) - 1))
            wait = max(shortest, backoff_s(self._backend, error, self.failures, request))
            self._waited_s += wait
            self._waited_in_all_s += wait
            return wait
        self._tries += 1
        spent = self._tries if asked is None else self.failures
        if spent >= self._backend.max_attempts:
            return None
        return backoff_s(self._backend, error, self._tries, request)

    def _is_free(self, asked: float, answers: int) -> bool:
        if answers != self._answers:
            self._answers, self._waited_s = answers, 0.0
        most = self._backend.max_retry_wait_s
        return self._waited_s + asked <= most and self._waited_in_all_s + asked <= LONGEST_QUEUE * most


IN_A_ROW = 3
"""How often a server that has answered before must say it, with no answer between."""


class StandingFailures:
    """What the servers of one process have answered, as far as it says whether a failure holds for every request."""

    def __init__(self) -> None:
        self._in_a_row: dict[str, int] = {}  # by backend, once it has answered
        self._answers: dict[str, int] = {}  # by backend

    def answered(self, backend: Backend) -> None:
        """Note that a backend has answered a request."""
        key = backend_key(backend)
        self._in_a_row[key] = 0
        self._answers[key] = self._answers.get(key, 0) + 1

    def answers(self, backend: Backend) -> int:
        """How many requests a backend has answered."""
        return self._answers.get(backend_key(backend), 0)

    def judged(self, backend: Backend, error: BackendError) -> BackendError:
        """The error as it is, or as one that may pass if the backend is said to be unavailable and has just answered.

        It is believed if it is the first thing the backend says, or the third time in a row.
        """
        key = backend_key(backend)
        if not isinstance(error, BackendUnavailable) or key not in self._in_a_row:
            return error
        self._in_a_row[key] += 1
        return error if self._in_a_row[key] >= IN_A_ROW else TransientBackendError(str(error))


class Deadline:
    """A time-out that can be moved while an agent waits for something that it cannot influence."""

    def __init__(self, timeout: asyncio.Timeout) -> None:
        self._timeout = timeout

    def extend(self, seconds: float) -> None:
        """Move the deadline by ``seconds``, which may be negative, unless it has passed."""
        when = self._timeout.when()
        if when is not None and not self._timeout.expired():
            self._timeout.reschedule(when + seconds)

    def is_over(self, now: float) -> bool:
        """Whether the deadline lay before ``now``, by the clock of the event loop."""
        when = self._timeout.when()
        return when is not None and now > when


_PAUSE_S = 1e9  # longer than any wait: a deadline put off by it cannot pass meanwhile


class BackendPool:
    """The backends in use; equal ones share a connection, which is opened when it is first needed.

    ``cache`` holds the completions shared with other runs; ``RecordedCompletions`` looks there first. Every request
    passes the ``throttle``, which workers of one cluster share. ``connect`` opens connections.
    """

    def __init__(
        self,
        context: RunContext,
        cache: CompletionCache | None = None,
        throttle: Throttle | None = None,
        connect: Callable[[Backend], Awaitable[Connection]] = connected,
    ) -> None:
        self._context = context
        self.cache = cache
        self.throttle = throttle or Throttle(context)
        self._connect = connect
        self._open: dict[str, asyncio.Task[Connection]] = {}
        self._failures = StandingFailures()
        self._timers: dict[float, SharedTimer] = {}  # by the seconds that a try may take

    async def complete(
        self,
        backend: Backend,
        request: CompletionRequest,
        call: Call,
        deadline: Deadline | None = None,
        log: RunLog = SILENT,
    ) -> Counted:
        """Send a request until it is answered; ``BackendError`` if the last attempt failed or a retry cannot help.

        A quota that is used up ends all matches that ask this backend, with ``AgentStopped``.

        The request's sampling is complete; each try counts as ``call`` for the budget. Waiting for the throttle, for a
        connection or before a retry does not count towards ``deadline``. ``log`` is the one of whoever asks.
        """
        weight = TokenEstimate.of(request)
        attempts = Attempts(backend)
        while True:
            answer = await self._ask(backend, request, weight, call, deadline, log, attempts.failures)
            if not isinstance(answer, BackendError):
                self._failures.answered(backend)
                return answer
            error = Redactor.of((backend,)).error(answer)
            if isinstance(error, QuotaExhausted):
                self._stop(backend, error, log)
            error = self._failures.judged(backend, error)
            wish = refuse_long_wait(backend, error)
            wait = None if wish else attempts.wait_s(error, request, self._failures.answers(backend))
            attempt = attempts.failures
            if wait is None:
                more = f"; {wish}" if wish else f" ({attempt} tries)" if attempt > 1 else ""
                log.call_failed(error=error, attempts=attempt)
                raise self._final(backend, error, more, is_given_up=wish is not None) from None
            if asked_wait_s(error):
                self.throttle.pause(backend, wait)
            log.call_retried(error=error, attempt=attempt, wait_s=wait)
            if "completion_retried" in self._context.active_hooks:
                self._context.hooks.completion_retried(backend=str(backend), reason=str(error), wait_s=wait)
            with _stopped(deadline):
                await self._context.unless_stopped(asyncio.sleep(wait))

    async def _ask(
        self,
        backend: Backend,
        request: CompletionRequest,
        weight: TokenEstimate,
        call: Call,
        deadline: Deadline | None,
        log: RunLog,
        failures: int,
    ) -> Counted | BackendError:
        """Send a request once the throttle permits it; errors of the model are returned, all others are raised.

        ``failures`` is how often the request failed before.
        """
        time = asyncio.get_running_loop().time
        began = time()
        with _stopped(deadline):
            self.throttle.check(backend)
            connection = await self._connection(backend)  # first: loading a model would hold a permit for long
            permit = await self.throttle.acquire(backend, weight, call, is_retry=failures > 0)
        log.call_sent(attempt=failures + 1, waited_s=time() - began)
        is_batch = is_batched(backend)
        # Whatever breaks it off from here on, it was sent; of what is in a batch the run itself knows.
        was_overloaded, tokens, is_paid = None, None, not is_batch
        try:
            if "completion_requested" in self._context.active_hooks:
                self._context.hooks.completion_requested(backend=str(backend), request=request)
            try:
                with self._within(backend.request_timeout_s) if not is_batch else _stopped(deadline):
                    answer = await completed(backend, connection, request, call)
            except TimeoutError:
                answer = BackendTimedOut(f"no answer within {backend.request_timeout_s:g} s")
            except BackendError as failure:
                answer = failure
            was_overloaded = isinstance(answer, BackendOverloaded)
            if not isinstance(answer, Completion):
                is_paid = may_have_cost(answer)
                return answer
            counted, is_paid = count(answer, call), None
            tokens = counted.tokens
            return counted
        finally:
            self.throttle.release(permit, was_overloaded=was_overloaded, tokens=tokens, is_paid=is_paid)

    def _within(self, seconds: float) -> TimeLimit:
        """The limit of one try, by a timer that all tries with the same limit share."""
        if (timer := self._timers.get(seconds)) is None:
            timer = self._timers[seconds] = SharedTimer(seconds)
        return TimeLimit(timer)

    def _final(self, backend: Backend, error: BackendError, more: str, *, is_given_up: bool) -> BackendError:
        """The error of a request that is not retried; some of them trip the throttle for the whole backend."""
        why = f"{type(backend).__name__}: {error}{more}"
        if is_given_up or isinstance(error, BackendUnreachable | BackendUnavailable):
            self._give_up(backend, why, error)
            return BackendUnavailable(why)
        return RequestRejected(why) if type(error) is BackendError else error.reworded(why)

    def _stop(self, backend: Backend, error: QuotaExhausted, log: RunLog) -> NoReturn:
        """Leave the matches that ask this backend as a cap does: nothing that was not answered counts as failed."""
        log.call_failed(error=error, attempts=1)
        why = f"{type(backend).__name__}: {error}"
        self.throttle.trip_spent(backend, why)
        raise AgentStopped(why) from None

    def _give_up(self, backend: Backend, why: str, error: ArenaError) -> None:
        self.throttle.trip(backend, why)
        self._context.log.bind(backend=backend_name(backend)).backend_given_up(error=error)

    def check(self, agents: Iterable[Agent]) -> None:
        """Raise the error of a backend of these agents that has already failed for good, as ``Throttle.check`` does."""
        if self.throttle.is_any_tripped:
            for backend in (backend for agent in agents for backend in agent.backends().values()):
                self.throttle.check(backend)

    async def close(self) -> None:
        """Close every connection that was opened, and cancel those being opened."""
        for task in self._open.values():
            if task.done() and not task.cancelled() and task.exception() is None:
                await closed(task.result())
            else:
                task.cancel()
        self._open.clear()

    async def _connection(self, backend: Backend) -> Connection:
        key = backend_key(backend)
        task = self._open.get(key)
        if task is None:
            task = self._open[key] = asyncio.ensure_future(self._opened(backend))
        if not task.done():
            await asyncio.wait([task])  # unlike awaiting it, being cancelled here leaves the others' connection alone
        if task.cancelled() or task.exception() is not None:
            self._open.pop(key, None)
        try:
            return task.result()
        except ArenaError as error:
            shown = Redactor.of((backend,)).error(error)
            self._give_up(backend, str(shown), error)  # another match could not connect either
            raise shown from None

    async def _opened(self, backend: Backend) -> Connection:
        log = self._context.log.bind(backend=backend_name(backend))
        began = asyncio.get_running_loop().time()
        try:
            connection = await self._connect(backend)
            if is_batched(backend) and not isinstance(connection, CallConnection):
                connection = Batched(self._context, backend, connection)
        except ArenaError as error:
            log.connection_failed(error=error)
            raise
        log.connection_opened(seconds=asyncio.get_running_loop().time() - began)
        return connection


def _stopped(deadline: Deadline | None) -> AbstractContextManager[None]:
    """Move the deadline by the time spent inside this context; it cannot pass meanwhile."""
    return nullcontext() if deadline is None else _moved(deadline)


@contextmanager
def _moved(deadline: Deadline) -> Generator[None]:
    time = asyncio.get_running_loop().time
    start = time()
    deadline.extend(_PAUSE_S)
    try:
        yield
    finally:
        deadline.extend(time() - start - _PAUSE_S)
