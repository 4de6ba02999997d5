"""A worker's side of the run: tells the driver what happens, waits until it is handled, keeps to its limits."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from arena.backend import OFFLINE, Backend, Completion, CompletionRequest, Connection
from arena.errors import BackendUnavailable
from arena.hookspecs import Hooks
from arena.record import Event

from arena_engine.foundation.run_log import RunLog
from arena_engine.job.context import RunContext
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.journal.usage import Call
from arena_engine.models.asking import CallConnection
from arena_engine.models.request_text import backend_key
from arena_engine.models.throttle import Permit, Throttle, TokenEstimate
from arena_engine.workers.messages import (
    Admit,
    Complete,
    Connect,
    HookCalled,
    Keep,
    Lease,
    LeaseGranted,
    Logged,
    Progressed,
    Released,
    RemoteDecision,
    Return,
    ToDriver,
    Trip,
    Warned,
    Withdraw,
)


class RemoteRun(RunContext):
    """The ``RunContext`` of a worker; ``send`` hands a message to the driver, events of ``log_level`` and above too."""

    def __init__(
        self, active_hooks: frozenset[str], send: Callable[[ToDriver], None], log_level: int = RunLog().level
    ) -> None:
        super().__init__(RunLog(lambda level, event, fields: send(Logged(level, event, fields)), log_level))
        # the driver calls this hook itself when it receives the record
        self._active_hooks = active_hooks - {"match_finished"}
        self._hooks = cast("Hooks", _Forwarding(send))
        self._send = send
        self._known: dict[str, Mapping[str, JournalEntry]] = {}
        self._waiting: dict[int, asyncio.Future[Completion | None]] = {}
        self._number = 0
        self._backends: set[str] = set()

    @property
    def hooks(self) -> Hooks:
        """Hooks whose calls are sent to the driver; its observers receive them a little later."""
        return self._hooks

    @property
    def active_hooks(self) -> frozenset[str]:
        """The hooks that some observer on the driver listens to."""
        return self._active_hooks

    def expect(self, known: Mapping[str, Mapping[str, JournalEntry]]) -> None:
        """Remember the recorded answers that the driver sent for matches that are about to be played."""
        self._known.update(known)

    def recorded(self, match: str) -> Mapping[str, JournalEntry]:
        """The answers of an earlier attempt at this match; they are handed out once."""
        self.started[match] = datetime.now(UTC)  # asked for once, when a match begins
        return self._known.pop(match, {})

    async def record(self, answer: JournalEntry) -> None:
        """Send an answer to the driver; returns when it is in the journal."""
        number = self._take_number()
        await self._granted(number, Keep(number, answer))

    async def admit(self, backend: Backend, call: Call) -> None:
        """Ask the driver to allow one more completion."""
        self.check_stopped()
        key, first = self._introduced(backend)
        number = self._take_number()
        try:
            await self._granted(number, Admit(number, key, first, call))
        except asyncio.CancelledError:
            self._send(Withdraw(number))
            self.release(call, is_paid=False)
            raise

    def release(self, call: Call, *, is_paid: bool) -> None:
        """Tell the driver that a completion it allowed has no answer."""
        self._send(Released(call, is_paid))

    async def lease(self, backend: Backend, weight: TokenEstimate, call: Call, *, is_retry: bool) -> int:
        """Wait until the driver allows one more request within the run's limits; returns a number for ``give_back``."""
        self.check_stopped()
        key, first = self._introduced(backend)
        number = self._take_number()
        try:
            await self._granted(number, Lease(number, key, first, weight, call, is_retry))
        except asyncio.CancelledError:
            # The driver may have granted the lease meanwhile; giving it back also withdraws one that still waits.
            self.give_back(number, was_overloaded=None, tokens=None, is_paid=False)
            raise
        return number

    def give_back(self, number: int, *, was_overloaded: bool | None, tokens: int | None, is_paid: bool | None) -> None:
        """Tell the driver that a leased request is over; the values are those of ``Throttle.release``."""
        self._send(Return(number, was_overloaded, tokens, is_paid))

    def trip(self, key: str, why: str) -> None:
        """Tell the driver that a backend has failed for good; it may not have got it yet."""
        self._send(Trip(key, why))

    async def connect(self, backend: Backend) -> Connection:
        """Let the driver load a model that would otherwise be loaded in every worker."""
        key, first = self._introduced(backend)
        number = self._take_number()
        await self._granted(number, Connect(number, key, first))
        return _DriversModel(self, key)

    async def complete(self, key: str, request: CompletionRequest, call: Call) -> Completion:
        """Ask a model that the driver holds."""
        number = self._take_number()
        try:
            completion = await self._granted(number, Complete(number, key, request, call))
        except asyncio.CancelledError:
            self._send(Withdraw(number))
            raise
        assert completion is not None  # it is refused with an error otherwise
        return completion

    def warn(self, text: str) -> None:
        """Pass a warning on to the driver, which shows it."""
        self._send(Warned(text))

    def progress(self, match: str, step: int, events: Sequence[Event], *, is_first: bool) -> None:
        """Pass on what has happened in a match; the driver writes it."""
        self._send(Progressed(match, step, tuple(events), is_first))

    def settle(self, granted: LeaseGranted) -> None:
        """Wake whoever waits for this answer of the driver."""
        waiting = self._waiting.pop(granted.number, None)
        if waiting is None or waiting.done():  # its task was cancelled
            return
        if granted.error is None:
            waiting.set_result(granted.completion)
        else:
            waiting.set_exception(granted.error)

    def _introduced(self, backend: Backend) -> tuple[str, Backend | None]:
        """The key of a backend, and the backend itself if the driver has not got it yet."""
        key = backend_key(backend)
        first = None if key in self._backends else backend
        self._backends.add(key)
        return key, first

    def _take_number(self) -> int:
        self._number += 1
        return self._number

    async def _granted(self, number: int, message: ToDriver) -> Completion | None:
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send(message)
        return await waiting


class _DriversModel(CallConnection):
    """A model that the driver holds; it closes it too."""

    def __init__(self, run: RemoteRun, key: str) -> None:
        self._run = run
        self._key = key

    async def complete(self, request: CompletionRequest) -> Completion:
        raise NotImplementedError("the driver has to know for which call it is asked")

    async def complete_call(self, call: Call, request: CompletionRequest) -> Completion:
        return await self._run.complete(self._key, request, call)


class _Forwarding:
    """Hooks that send every call to the driver as a message."""

    def __init__(self, send: Callable[[ToDriver], None]) -> None:
        self._send = send

    def __getattr__(self, hook: str) -> Callable[..., None]:
        def forward(**arguments: Any) -> None:
            if (decision := arguments.get("decision")) is not None:
                arguments["decision"] = RemoteDecision.of(decision)
            self._send(HookCalled(hook, arguments))

        return forward


class LeasedThrottle(Throttle):
    """Asks the driver for a lease before each request, because its limits hold for all workers together.

    A model that runs in the worker itself (``OFFLINE``) exists once per worker and is limited here, unless the driver
    holds it for all of them (``asks_driver``).
    """

    def __init__(self, context: RemoteRun, *, asks_driver: bool = False) -> None:
        super().__init__(context)
        self._lender = context
        self._asks_driver = asks_driver
        self._paused_until: dict[str, float] = {}  # of backends whose limits the driver has

    async def acquire(self, backend: Backend, weight: TokenEstimate, call: Call, *, is_retry: bool = False) -> Permit:
        """Wait for a lease; raises ``BackendUnavailable`` if the backend has failed for good."""
        if self._is_own(backend):
            return await super().acquire(backend, weight, call, is_retry=is_retry)
        self.check(backend)
        until, time = self._paused_until.get(backend_key(backend), 0.0), asyncio.get_running_loop().time
        if (pause := until - time()) > 0:
            await self._lender.unless_stopped(asyncio.sleep(pause))
        try:
            number = await self._lender.lease(backend, weight, call, is_retry=is_retry)
        except BackendUnavailable as error:  # another worker has seen it fail
            super().trip(backend, str(error))
            raise
        return Permit(backend_key(backend), number, weight, call)

    def release(
        self, permit: Permit, *, was_overloaded: bool | None, tokens: int | None, is_paid: bool | None = True
    ) -> None:
        """Return the lease, with what the response said about load and tokens."""
        if permit.backend_key in self._limits:
            super().release(permit, was_overloaded=was_overloaded, tokens=tokens, is_paid=is_paid)
        else:
            self._lender.give_back(permit.epoch, was_overloaded=was_overloaded, tokens=tokens, is_paid=is_paid)

    def pause(self, backend: Backend, seconds: float) -> None:
        """Hold back the requests of this worker; others learn it from their own answers."""
        if self._is_own(backend):
            super().pause(backend, seconds)
        else:
            self._paused_until[backend_key(backend)] = asyncio.get_running_loop().time() + seconds

    def trip(self, backend: Backend, why: str) -> None:
        """Refuse all further requests to this backend, on every worker."""
        super().trip(backend, why)
        if not self._is_own(backend):
            self._lender.trip(backend_key(backend), why)

    def _is_own(self, backend: Backend) -> bool:
        """Whether the model runs in this process."""
        return OFFLINE in backend.supports() and not self._asks_driver
