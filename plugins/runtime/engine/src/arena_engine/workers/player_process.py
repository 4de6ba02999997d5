"""Starts, keeps and ends the worker processes of players, and lets as many compute as there are processors."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final, Self

from arena.errors import ArenaError, PluginError

from arena_engine.benchmark.trust import names_credential
from arena_engine.foundation.channel import Channel, ChildProcess, ended_how
from arena_engine.workers.player_messages import WorkerLost

START_S: Final = 60.0
"""Seconds within which a process must have started."""

_FROM_OUTSIDE: Final = frozenset((signal.SIGKILL, signal.SIGTERM)) if sys.platform != "win32" else frozenset[int]()


class WorkerProcess:
    """A process with an interpreter of its own, in which one player lives at a time."""

    is_possible: Final = ChildProcess.is_possible
    """Whether processes can be started here."""

    def __init__(self, process: ChildProcess, channel: Channel) -> None:
        self._process = process
        self._channel = channel

    @classmethod
    async def start(cls) -> Self:
        """Start a process and wait until it can be used."""
        process = ChildProcess.start("arena_engine.workers.player_worker:main", _environment(os.environ))
        worker = cls(process, await Channel.over(process.channel))
        try:
            async with asyncio.timeout(START_S):
                await worker.receive()
        except TimeoutError:
            worker.kill()
            raise PluginError(f"a process did not start within {START_S:g} s") from None
        except BaseException:
            worker.kill()
            raise
        return worker

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.is_alive

    @property
    def number(self) -> int:
        """The number by which the system knows the process."""
        return self._process.number

    async def send(self, message: bytes) -> None:
        """Send a message that was framed; a process that has ended is noticed by ``receive``."""
        self._channel.send(message)
        await self._channel.is_sent()

    async def receive(self) -> Any:
        """Wait for the next message; ``WorkerLost`` or ``PluginError`` say how the process ended instead."""
        try:
            return await self._channel.receive()
        except (EOFError, ConnectionError):
            self.kill()
            raise _ended(self._process.wait()) from None

    def kill(self) -> None:
        """End the process, whatever it does; one that has ended keeps its exit code."""
        self._channel.close()
        self._process.kill()

    def reap(self) -> None:
        """Wait until a process that was ended is gone."""
        self._process.wait()


def _ended(status: int) -> ArenaError:
    if -status in _FROM_OUTSIDE:
        name = signal.Signals(-status).name
        return WorkerLost(f"its process was ended from outside, by {name}; resume the run to play the match again")
    return PluginError(f"its process ended {ended_how(status)}, without an answer")


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment without what is named like a credential: no search needs a key."""
    return {name: value for name, value in variables.items() if not names_credential(name)}


LOOK_S: Final = 0.1
"""How often it is seen whether processors have nothing to do while matches wait for a process."""

LONGEST_S: Final = 3.0
"""Seconds after which the first match that waits does so no longer if a processor is free."""


class WorkerPool:
    """The worker processes of one run in this process; a match has one for itself, and others have it afterwards.

    A process is started at once while there are fewer than processors. After that a match waits for another one's
    process, and one more is started only where a processor would have nothing to do: short matches need no more, and
    matches that wait for models or people do not wait for each other.
    """

    def __init__(self) -> None:
        self.processors = _processors()
        self._turns = asyncio.Semaphore(self.processors)
        self._turns_begun = 0
        self._free: list[WorkerProcess] = []
        self._workers: set[WorkerProcess] = set()
        self._starting = 0
        self._ending: list[WorkerProcess] = []
        # The last one that waits is served first: it may be the second player of a match whose first one has a process.
        self._waiting: list[asyncio.Future[WorkerProcess | None]] = []
        self._looking: asyncio.Task[None] | None = None

    @property
    def numbers(self) -> list[int]:
        """The numbers by which the system knows the processes."""
        return [worker.number for worker in self._workers]

    async def take(self) -> WorkerProcess:
        """Wait for a process that nobody uses."""
        while True:
            worker = await self._found()
            if worker is None:
                return await self._start()
            if worker.is_alive:
                return worker
            self.end(worker)

    def give_back(self, worker: WorkerProcess) -> None:
        """Let other matches use a process in which no player lives any more."""
        if not self._settle(worker):
            self._free.append(worker)

    def end(self, worker: WorkerProcess) -> None:
        """End a process that is not to be used again."""
        worker.kill()
        self._workers.discard(worker)
        self._ending = [each for each in (*self._ending, worker) if each.is_alive]

    @asynccontextmanager
    async def processor(self) -> AsyncGenerator[None]:
        """Wait until a processor is free, and have it for as long as the block takes."""
        async with self._turns:
            self._turns_begun += 1
            yield

    def close(self) -> None:
        """End all processes, whatever they do."""
        if self._looking is not None:
            self._looking.cancel()
        for worker in [*self._workers]:
            self.end(worker)
        for worker in self._ending:
            worker.reap()
        self._ending, self._free = [], []

    async def _found(self) -> WorkerProcess | None:
        """A process of another match, or ``None`` if one is to be started."""
        if self._free:
            return self._free.pop()
        if len(self._workers) + self._starting < self.processors:
            return None
        waiting: asyncio.Future[WorkerProcess | None] = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            return await waiting
        except asyncio.CancelledError:
            if waiting.done() and not waiting.cancelled() and (worker := waiting.result()) is not None:
                self.give_back(worker)
            raise
        finally:
            if waiting in self._waiting:
                self._waiting.remove(waiting)

    async def _look(self) -> None:
        """While matches wait, let one of them start a process whenever a processor has had nothing to do."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while self._waiting:
            begun = self._turns_begun
            await asyncio.sleep(LOOK_S)
            is_quiet = begun == self._turns_begun or loop.time() - began > LONGEST_S
            if is_quiet and not self._turns.locked() and not self._starting:
                self._settle(None)
                began = loop.time()

    def _settle(self, worker: WorkerProcess | None) -> bool:
        """Let whoever waits have a process, or start one; false if nobody waits."""
        while self._waiting:
            waiting = self._waiting.pop()
            if not waiting.done():
                waiting.set_result(worker)
                return True
        return False

    async def _start(self) -> WorkerProcess:
        self._starting += 1
        try:
            async with self._turns:
                worker = await WorkerProcess.start()
        finally:
            self._starting -= 1
        self._workers.add(worker)
        return worker


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
