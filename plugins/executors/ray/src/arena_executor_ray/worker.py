"""A worker: builds the benchmark from plain data and plays the matches it is sent, many at a time."""

import asyncio
import os
import platform
from collections.abc import Sequence
from contextlib import suppress

from arena.benchmark import from_plain
from arena.cache import Cache
from arena.connections import Connections
from arena.errors import ArenaError
from arena.referee import Referee
from arena.runner import work_of

from arena_executor_ray.desk import RemoteDesk
from arena_executor_ray.leases import Leases
from arena_executor_ray.messages import Finished, Granted, Left, Orders, Play, Stop, ToDriver, ToWorker, packed
from arena_executor_ray.papers import Papers


class Worker:
    """The class of the Ray actors; its coroutines run side by side in one event loop."""

    def __init__(self) -> None:
        self._outbox: list[bytes] = []
        self._has_news = asyncio.Event()
        self._playing: set[asyncio.Task[None]] = set()
        self._connections: Connections | None = None

    async def set_up(self, orders: Orders) -> Papers | str:
        """Build everything, play nothing; the papers say what it was built from, a text why it cannot be."""
        os.environ.update(orders.secrets)
        with suppress(OSError):  # where the directory is not shared, relative paths belong to the worker's own
            os.chdir(orders.directory)
        try:
            benchmark = from_plain(orders.plain)
            papers = Papers.of(benchmark)
        except ArenaError as error:
            reason = str(error).splitlines()[0]
            return f"the worker on {platform.node()!r} cannot build the benchmark: {reason}"
        self._desk = RemoteDesk(orders.heard, self._send)
        work = work_of(benchmark, ())
        self._connections = Connections(self._desk, Cache.at(work.cache, work.seed), Leases(self._desk))
        self._referee = Referee(work, self._desk, self._connections)
        return papers

    async def tell(self, messages: Sequence[ToWorker]) -> None:
        """Take messages from the driver."""
        for message in messages:
            match message:
                case Play(plan, known):
                    self._desk.expect(plan.id, known)
                    task = asyncio.create_task(self._play(message))
                    self._playing.add(task)
                    task.add_done_callback(self._playing.discard)
                case Granted():
                    self._desk.settle(message)
                case Stop(reason):
                    self._desk.stop(reason)

    async def hear(self) -> list[bytes]:
        """Wait until there is something to tell the driver, and tell all of it."""
        await self._has_news.wait()
        await asyncio.sleep(0)  # what else became ready in this turn of the loop goes along
        self._has_news.clear()
        messages, self._outbox = self._outbox, []
        return messages

    async def close(self) -> None:
        """Let go of the models."""
        if self._connections:
            await self._connections.close()

    async def _play(self, order: Play) -> None:
        try:
            self._desk.check()
            self._send(Finished(await self._referee.play(order.plan)))
        except ArenaError as error:
            self._send(Left(order.plan.id, error))

    def _send(self, message: ToDriver) -> None:
        if (parcel := packed(message)) is not None:
            self._outbox.append(parcel)
            self._has_news.set()
