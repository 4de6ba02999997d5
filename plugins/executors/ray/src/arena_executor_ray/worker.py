"""A worker: builds the benchmark from plain data and plays the matches it is sent, many at a time."""

import asyncio
import os
import platform
from collections.abc import Sequence
from contextlib import suppress

from arena.errors import ArenaError
from arena_engine import MatchRunner, build_benchmark, job_for

from arena_executor_ray.fingerprint import EnvironmentFingerprint
from arena_executor_ray.leases import LeasedThrottle
from arena_executor_ray.messages import (
    Finished,
    LeaseGranted,
    MatchAbandoned,
    PlayMatches,
    Stop,
    ToDriver,
    ToWorker,
    WorkerSetup,
    packed,
)
from arena_executor_ray.remote_run import RemoteRun


class Worker:
    """The class of the Ray actors; its coroutines run concurrently in one event loop."""

    def __init__(self) -> None:
        self._outbox: list[bytes] = []
        self._has_news = asyncio.Event()
        self._playing: set[asyncio.Task[None]] = set()
        self._runner: MatchRunner | None = None

    async def set_up(self, orders: WorkerSetup) -> EnvironmentFingerprint | str:
        """Build the benchmark without playing; returns the fingerprint of this process, or why it cannot be built."""
        os.environ.update(orders.secrets)
        with suppress(OSError):  # if the directory is not shared, relative paths are resolved against the worker's own
            os.chdir(orders.directory)
        try:
            # The driver has built the same data, with whatever consent it needed.
            benchmark = build_benchmark(orders.plain, trust_code=True, trust_pickle=True)
            fingerprint = EnvironmentFingerprint.of(benchmark.plugins())
        except ArenaError as error:
            reason = str(error).splitlines()[0]
            return f"the worker on {platform.node()!r} cannot build the benchmark: {reason}"
        self._context = RemoteRun(orders.active_hooks, self._send, orders.log_level)
        work = job_for(benchmark, (), answer_rule=orders.answer_rule)
        self._runner = MatchRunner(work, self._context, LeasedThrottle(self._context))
        self._runner.watch()
        return fingerprint

    async def tell(self, messages: Sequence[ToWorker]) -> None:
        """Handle messages from the driver."""
        for message in messages:
            match message:
                case PlayMatches(plan, known):
                    self._context.expect(plan.id, known)
                    task = asyncio.create_task(self._play(message))
                    self._playing.add(task)
                    task.add_done_callback(self._playing.discard)
                case LeaseGranted():
                    self._context.settle(message)
                case Stop(reason):
                    self._context.stop(reason)

    async def next_messages(self) -> list[bytes]:
        """Wait until there are messages for the driver, then return all of them."""
        await self._has_news.wait()
        await asyncio.sleep(0)  # messages that become ready in this turn of the loop join the batch
        self._has_news.clear()
        messages, self._outbox = self._outbox, []
        return messages

    async def close(self) -> None:
        """Close the backends that this worker opened."""
        if self._runner:
            await self._runner.close()

    async def _play(self, order: PlayMatches) -> None:
        assert self._runner is not None  # the driver sends plans only after set_up
        try:
            self._context.check_stopped()
            self._send(Finished(await self._runner.play(order.plan)))
        except ArenaError as error:
            self._send(MatchAbandoned(order.plan.id, error))

    def _send(self, message: ToDriver) -> None:
        if (parcel := packed(message)) is not None:
            self._outbox.append(parcel)
            self._has_news.set()
