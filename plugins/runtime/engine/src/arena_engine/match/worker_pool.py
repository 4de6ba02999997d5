"""Keeps worker processes for the matches of a run, and lets as many of them compute as there are processors."""

import asyncio
import os
from contextlib import suppress
from typing import Final

from arena_engine.match.worker_process import WorkerProcess

WAIT_S: Final = 0.5
"""Seconds that a match waits for another one's process before one more is started, which takes about half as long."""


class WorkerPool:
    """The worker processes of one run in this process; a match has one for itself, and others have it afterwards.

    ``turns`` is taken by whoever lets a process compute, so that no more of them do than there are processors.
    """

    def __init__(self) -> None:
        self.processors = _processors()
        self._free: asyncio.LifoQueue[WorkerProcess] = asyncio.LifoQueue()
        self._workers: set[WorkerProcess] = set()
        self.turns = asyncio.Semaphore(self.processors)
        self._ending: list[WorkerProcess] = []
        self._starting = 0

    @property
    def numbers(self) -> list[int]:
        """The numbers by which the system knows the processes."""
        return [worker.number for worker in self._workers]

    async def take(self) -> WorkerProcess:
        """A process that nobody uses.

        Beyond one for each processor a process is started only if none comes back soon: short matches need no more,
        and long ones do not wait for each other.
        """
        while True:
            worker = await self._found()
            if worker is None:
                return await self._start()
            if worker.is_alive:
                return worker
            self.end(worker)

    def give_back(self, worker: WorkerProcess) -> None:
        """Let other matches use a process in which no player lives any more."""
        self._free.put_nowait(worker)

    def end(self, worker: WorkerProcess) -> None:
        """End a process that is not to be used again."""
        worker.kill()
        self._workers.discard(worker)
        self._ending = [each for each in (*self._ending, worker) if each.is_alive]

    def close(self) -> None:
        """End all processes."""
        for worker in [*self._workers]:
            self.end(worker)
        for worker in self._ending:
            worker.reap()
        self._ending = []
        self._free = asyncio.LifoQueue()

    async def _found(self) -> WorkerProcess | None:
        with suppress(asyncio.QueueEmpty):
            return self._free.get_nowait()
        if len(self._workers) + self._starting < self.processors:
            return None
        with suppress(TimeoutError):
            async with asyncio.timeout(WAIT_S):
                return await self._free.get()
        return None

    async def _start(self) -> WorkerProcess:
        self._starting += 1
        try:
            async with self.turns:
                worker = await WorkerProcess.start()
        finally:
            self._starting -= 1
        self._workers.add(worker)
        return worker


def _processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
