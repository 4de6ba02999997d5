"""A worker: builds the benchmark from plain data and plays the matches it is sent, many at a time."""

import asyncio
import os
import platform
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from typing import Any

from arena.errors import ArenaError, ConfigError
from arena_engine import MatchRunner, build_benchmark, job_for

from arena_executor_ray.fingerprint import EnvironmentFingerprint
from arena_executor_ray.leases import LeasedThrottle
from arena_executor_ray.messages import (
    Answered,
    Ask,
    Cancel,
    Finished,
    LeaseGranted,
    MatchAbandoned,
    Pause,
    PlayMatches,
    Proceed,
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
        self._tasks: set[asyncio.Task[None]] = set()
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
                    self._begin(self._play(message))
                case LeaseGranted():
                    self._context.settle(message)
                case Stop(reason, within_s):
                    self._context.stop(reason, within_s)
                case Pause():
                    self._context.pause()
                case Proceed():
                    self._context.proceed()
                case Cancel(match):
                    self._context.cancelled.add(match)
                    if (playing := self._context.playing.get(match)) is not None:
                        playing.cancel()
                case Ask():
                    self._begin(self._answer(message))

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

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, asked: Ask) -> None:
        try:
            playing = self._context.playing.get(asked.match)
            if playing is None:
                raise ConfigError(f"match {asked.match!r} is not being played")
            value = await getattr(playing, asked.method)(*asked.arguments)
        except ArenaError as error:
            self._send(Answered(asked.number, error=error))
        except Exception as error:  # an agent that is sent a message is a plugin
            self._send(Answered(asked.number, error=ConfigError(f"{type(error).__name__}: {error}")))
        else:
            self._send(Answered(asked.number, value))

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
