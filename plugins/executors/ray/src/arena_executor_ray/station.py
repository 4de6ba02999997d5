"""One worker, as the driver sees it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import suppress
from typing import Any

import ray
from arena.lanes import Permit
from arena.record import MatchPlan
from ray.exceptions import RayError

from arena_executor_ray.messages import Orders, ToDriver, ToWorker, unpacked
from arena_executor_ray.papers import Papers


class Station:
    """Talks with a worker in batches, knows what it plays, and what is being done for it."""

    def __init__(self, handle: Any) -> None:
        self.playing: dict[str, MatchPlan] = {}
        self.leases: dict[int, asyncio.Task[None] | Permit] = {}
        self.is_ready = False
        self._handle = handle
        self._outbox: list[ToWorker] = []
        self._errands: set[asyncio.Task[None]] = set()

    async def set_up(self, orders: Orders) -> Papers | str:
        """Let the worker build everything, once it is placed."""
        return await self._handle.set_up.remote(orders)

    def tell(self, message: ToWorker) -> None:
        """Send a message, together with what else is to be sent in this turn of the loop."""
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.append(message)

    async def messages(self) -> AsyncIterator[ToDriver]:
        """What the worker has to say, in order; ends with Ray's error when the worker is lost."""
        while True:
            for parcel in await self._handle.hear.remote():
                yield unpacked(parcel)

    def run(self, errand: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something for the worker beside everything else."""
        task = asyncio.create_task(errand)
        self._errands.add(task)
        task.add_done_callback(self._errands.discard)
        return task

    async def errands_done(self) -> None:
        """Wait until all that was being done for the worker is done."""
        if self._errands:
            await asyncio.wait(set(self._errands))

    async def close(self) -> None:
        """Let the worker let go of its models."""
        if self.is_ready:
            with suppress(RayError):
                await self._handle.close.remote()

    def kill(self) -> None:
        """End the worker, whatever it does."""
        for errand in self._errands:
            errand.cancel()
        ray.kill(self._handle)

    def _flush(self) -> None:
        messages, self._outbox = self._outbox, []
        self._handle.tell.remote(messages)
