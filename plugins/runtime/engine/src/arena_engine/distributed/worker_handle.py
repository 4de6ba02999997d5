"""The driver's side of one worker."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from typing import Any

from arena.errors import ConfigError
from arena.record import MatchPlan

from arena_engine.distributed.fingerprint import EnvironmentFingerprint
from arena_engine.distributed.link import WorkerGone, WorkerLink
from arena_engine.distributed.messages import Answered, Ask, Method, ToDriver, ToWorker, WorkerSetup, unpacked
from arena_engine.models.throttle import Permit


class WorkerHandle:
    """Sends and receives batches of messages, and tracks the worker's matches, leases and open requests.

    ``asking`` are its requests for models that the driver holds, to them, and for room in the budget. ``number`` counts
    the workers of a run from 1, ``per_second`` is how many matches it ended lately, and ``plays_suspect`` says that it
    plays a match alone.
    """

    def __init__(self, link: WorkerLink, number: int) -> None:
        self.number = number
        self.playing: dict[str, MatchPlan] = {}
        self.leases: dict[int, asyncio.Task[None] | Permit] = {}
        self.asking: dict[int, asyncio.Task[None]] = {}
        self.is_ready = False
        self.plays_suspect = False
        self.per_second = 0.0
        self._link = link
        self._since = 0.0
        self._outbox: list[ToWorker] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._number = 0

    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        """Wait until the worker is placed and has built the benchmark; see ``Worker.set_up``."""
        return await self._link.set_up(setup)

    def begins(self) -> None:
        """Note that a worker that had nothing to do begins to play."""
        self._since = asyncio.get_running_loop().time()

    def ended(self, matches: int) -> None:
        """Note that so many matches have ended since the last time."""
        now = asyncio.get_running_loop().time()
        lately = matches / max(now - self._since, 1e-4)
        self.per_second = (self.per_second + lately) / 2 if self.per_second else lately
        self._since = now

    def tell(self, message: ToWorker) -> None:
        """Send a message, in one batch with all others of this turn of the event loop."""
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.append(message)

    async def ask(self, match: str, method: Method, *arguments: Any) -> Any:
        """Call a method of a match that the worker plays; ``ConfigError`` if the match ends meanwhile."""
        self._number += 1
        number, asked = self._number, asyncio.get_running_loop().create_future()
        self._asked[number] = asked
        self.tell(Ask(number, match, method, arguments))
        try:
            return await asked
        finally:
            self._asked.pop(number, None)

    def answered(self, answer: Answered) -> None:
        """Wake whoever has asked."""
        asked = self._asked.pop(answer.number, None)
        if asked is None or asked.done():
            return
        if answer.error is None:
            asked.set_result(answer.value)
        else:
            asked.set_exception(answer.error)

    async def messages(self) -> AsyncIterator[ToDriver]:
        """Yield the worker's messages in order; raises ``WorkerGone`` when the worker is lost."""
        while True:
            for parcel in await self._link.next_messages():
                yield unpacked(parcel)

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start ``work`` on behalf of the worker, concurrently with its other requests."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def tasks_done(self) -> None:
        """Wait until everything started with ``run`` has ended."""
        if self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        """Let the worker close its backends."""
        if self.is_ready:
            with suppress(WorkerGone):
                await self._link.close()

    def kill(self) -> None:
        """Kill the worker's process, even while it plays."""
        for task in self._tasks:
            task.cancel()
        for number in list(self._asked):
            self.answered(Answered(number, error=ConfigError(f"worker {self.number} is gone; ask again")))
        self._link.kill()

    def _flush(self) -> None:
        messages, self._outbox = self._outbox, []
        self._link.tell(messages)
