"""A worker: builds the benchmark from plain data and plays the matches it is sent, many at a time."""

import asyncio
import os
import platform
from collections import deque
from collections.abc import Coroutine, Sequence
from contextlib import ExitStack, suppress
from typing import Any

from arena.backend import OFFLINE, Backend, Connection, Secret
from arena.errors import ArenaError, ConfigError
from arena.record import MatchPlan

from arena_engine.benchmark.benchmark import build_benchmark
from arena_engine.execution.match_runner import MatchRunner, collecting_less
from arena_engine.execution.runner import job_for
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.models.asking import connected
from arena_engine.models.batches import is_batched
from arena_engine.models.keys import agreed
from arena_engine.workers.messages import (
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
    WorkerSetup,
    packed,
)
from arena_engine.workers.remote_run import LeasedThrottle, RemoteRun
from arena_engine.workers.worker_handle import EnvironmentFingerprint


class Worker:
    """Plays for a driver that calls it through a ``WorkerLink``; its coroutines run concurrently in one event loop.

    Matches whose agents answer at once hold the loop for as long as ``RunContext.turn`` allows; what has ended by then
    goes to the driver in one message.
    """

    def __init__(self) -> None:
        self._outbox: list[bytes] = []
        self._finished: list[EncodedMatch] = []
        self._plans: deque[MatchPlan] = deque()
        self._free = 1
        self._has_news = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._runner: MatchRunner | None = None
        self._open = ExitStack()

    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        """Build the benchmark without playing; returns the fingerprint of this process, or why it cannot be built."""
        os.environ.update(setup.secrets)
        with suppress(OSError):  # if the directory is not shared, relative paths are resolved against the worker's own
            os.chdir(setup.directory)
        try:
            # The driver has built the same data, with whatever consent it needed.
            benchmark = build_benchmark(setup.plain, trust_code=True, trust_pickle=True)
            Secret.kept.update(setup.kept)
            self._open.enter_context(agreed(setup.keys))
            fingerprint = EnvironmentFingerprint.of(benchmark.plugins())
        except ArenaError as error:
            reason = str(error).splitlines()[0]
            return f"the worker on {platform.node()!r} cannot build the benchmark: {reason}"
        self._free = setup.at_once
        self._context = RemoteRun(setup.active_hooks, self._send, setup.log_level)
        job = job_for(benchmark, ())
        throttle = LeasedThrottle(self._context, asks_driver=setup.asks_driver)
        self._asks_driver = setup.asks_driver
        self._runner = MatchRunner(job, self._context, throttle, self._connect)
        self._runner.watch()
        self._open.enter_context(collecting_less())
        return fingerprint

    async def _connect(self, backend: Backend) -> Connection:
        """Open a connection here, or leave to the driver what exists once: batches, a model that would be loaded."""
        is_drivers = is_batched(backend) or (self._asks_driver and OFFLINE in backend.supports())
        return await (self._context.connect(backend) if is_drivers else connected(backend))

    async def tell(self, messages: Sequence[object]) -> None:
        """Handle messages from the driver; see ``WorkerLink.tell``."""
        for message in messages:
            match message:
                case PlayMatches(plans, known):
                    self._context.expect(known)
                    self._plans += plans
                    while self._plans and self._free:
                        self._free -= 1
                        self._begin(self._play(self._plans.popleft()))
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
                case _:
                    raise TypeError(f"no message for a worker: {message!r}")

    async def next_messages(self) -> list[bytes]:
        """Wait until there are messages for the driver, then return all of them."""
        await self._has_news.wait()
        await asyncio.sleep(0)  # messages that become ready in this turn of the loop join the batch
        self._has_news.clear()
        if self._finished:
            self._pack(Finished(tuple(self._finished)))
            self._finished = []
        messages, self._outbox = self._outbox, []
        return messages

    async def close(self) -> None:
        """Close the backends that this worker opened."""
        self._open.close()
        if self._runner:
            await self._runner.close()

    def _begin(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, asked: Ask) -> None:
        try:
            playing = self._context.playing.get(asked.match)
            if playing is None:
                raise ConfigError(f"match {asked.match!r} is not being played")
            self._tell_value(asked, await getattr(playing, asked.method)(*asked.arguments))
        except ArenaError as error:
            self._send(Answered(asked.number, error=error))
        except Exception as error:  # an agent that is sent a message is a plugin
            self._send(Answered(asked.number, error=ConfigError(f"{type(error).__name__}: {error}")))

    def _tell_value(self, asked: Ask, value: Any) -> None:
        try:
            self._send(Answered(asked.number, value))
        except Exception as error:  # whatever pickling finds
            raise ConfigError(
                f"match {asked.match!r}: what {asked.method!r} gave cannot be sent to the driver "
                f"({type(error).__name__}: {error}); an agent answers with JSON"
            ) from None

    async def _play(self, plan: MatchPlan) -> None:
        """Play a match, and then those that wait, one after another."""
        assert self._runner is not None  # the driver sends plans only after set_up
        context, next_plan = self._context, plan
        while True:
            try:
                if context.is_held:
                    await context.may_go_on()
                ended = await self._runner.play_encoded(next_plan)
            except ArenaError as error:
                self._send(MatchAbandoned(next_plan.id, error))
            else:
                self._finished.append(ended)
                self._has_news.set()
            context.started.pop(next_plan.id, None)
            if not self._plans:
                self._free += 1
                return
            next_plan = self._plans.popleft()

    def _send(self, message: ToDriver) -> None:
        self._pack(message)
        self._has_news.set()

    def _pack(self, message: ToDriver) -> None:
        if (parcel := packed(message)) is not None:
            self._outbox.append(parcel)
