"""A worker's desk: what passes it goes to the driver's desk, and comes back when it is done there."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar, cast

from arena.backend import Backend
from arena.errors import StopRun
from arena.executor import Answer, Desk
from arena.hookspecs import Hooks
from arena.wire import identity

from arena_executor_ray.messages import Admit, Granted, Happened, Keep, ToDriver
from arena_executor_ray.seen import Seen

T = TypeVar("T")


class RemoteDesk(Desk):
    """The ``Desk`` of a worker. Made inside the event loop that plays; ``send`` hands a message to the driver."""

    def __init__(self, heard: frozenset[str], send: Callable[[ToDriver], None]) -> None:
        # the driver tells its observers itself when a record comes in
        self._heard = heard - {"match_finished"}
        self._hooks = cast("Hooks", _Forwarding(send))
        self._send = send
        self._known: dict[str, Mapping[str, Answer]] = {}
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._number = 0
        self._backends: set[str] = set()
        self._stopped = asyncio.Event()
        self._reason: str | None = None

    @property
    def hooks(self) -> Hooks:
        """Moments are sent to the driver, whose observers hear them a little later."""
        return self._hooks

    @property
    def heard(self) -> frozenset[str]:
        """The hooks that somebody on the driver hears."""
        return self._heard

    def stop(self, reason: str) -> None:
        """Let the matches end: answers in flight are kept, nothing more is asked."""
        if self._reason is None:
            self._reason = reason
            self._stopped.set()

    def check(self) -> None:
        """Raise ``StopRun`` when the driver has said that the run is to end."""
        if self._reason is not None:
            raise StopRun(self._reason)

    async def unless_stopped(self, waiting: Coroutine[Any, Any, T]) -> T:
        """Wait for something that costs nothing to ask again."""
        task = asyncio.ensure_future(waiting)
        stop = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                self.check()
            return await task
        finally:
            task.cancel()
            stop.cancel()

    def expect(self, match: str, known: Mapping[str, Answer]) -> None:
        """Take over what the driver knows of a match that is to be played."""
        self._known[match] = known

    def known(self, match: str) -> Mapping[str, Answer]:
        """Answers of an earlier attempt at a match, as the driver sent them along."""
        return self._known.pop(match, {})

    async def keep(self, answer: Answer) -> None:
        """Return once the driver has made the answer durable."""
        await self._granted(lambda number: Keep(number, answer))

    async def admit(self, backend: Backend) -> None:
        """Ask the driver for one more completion."""
        self.check()
        key = identity(backend)
        first = None if key in self._backends else backend
        self._backends.add(key)
        await self._granted(lambda number: Admit(number, key, first))

    def settle(self, granted: Granted) -> None:
        """Let go on who waits for this."""
        waiting = self._waiting.pop(granted.number, None)
        if waiting is None or waiting.done():
            return
        if granted.error is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(granted.error)

    async def _granted(self, message: Callable[[int], ToDriver]) -> None:
        self._number += 1
        waiting = self._waiting[self._number] = asyncio.get_running_loop().create_future()
        self._send(message(self._number))
        await waiting


class _Forwarding:
    """Hooks whose every call becomes a message."""

    def __init__(self, send: Callable[[ToDriver], None]) -> None:
        self._send = send

    def __getattr__(self, hook: str) -> Callable[..., None]:
        def forward(**arguments: Any) -> None:
            if (decision := arguments.get("decision")) is not None:
                arguments["decision"] = Seen.of(decision)
            self._send(Happened(hook, arguments))

        return forward
