"""A worker's side of the run: sends what happens to the driver and waits until the driver has handled it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from arena.backend import Backend
from arena.hookspecs import Hooks
from arena.record import Event
from arena_engine import Call, JournalEntry, RunContext, RunLog, TokenEstimate, backend_key

from arena_executor_ray.messages import (
    Admit,
    HookCalled,
    Keep,
    Lease,
    LeaseGranted,
    Logged,
    Progressed,
    Released,
    Return,
    ToDriver,
    Trip,
    Warned,
)
from arena_executor_ray.remote_decision import RemoteDecision


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
        self._waiting: dict[int, asyncio.Future[None]] = {}
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

    def expect(self, match: str, known: Mapping[str, JournalEntry]) -> None:
        """Remember the recorded answers that the driver sent for a match that is about to be played."""
        self._known[match] = known

    def recorded(self, match: str) -> Mapping[str, JournalEntry]:
        """The answers of an earlier attempt at this match; they are handed out once."""
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

    def trip(self, backend: Backend, why: str) -> None:
        """Tell the driver that a backend has failed for good."""
        self._send(Trip(self._introduced(backend)[0], why))

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
            waiting.set_result(None)
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

    async def _granted(self, number: int, message: ToDriver) -> None:
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send(message)
        await waiting


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
