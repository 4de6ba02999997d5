"""Plays single matches of a job in this process, with few collections of garbage; executors are built on it."""

import asyncio
import gc
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from threading import Lock
from types import TracebackType
from typing import Final, Self

from arena.backend import Backend, Connection
from arena.errors import StopRun
from arena.record import MatchPlan, MatchRecord

from arena_engine.execution.interruption import LoopWatch
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Job
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.match.referee import Referee
from arena_engine.models.asking import connected
from arena_engine.models.cache import CompletionCache
from arena_engine.models.pool import BackendPool
from arena_engine.models.throttle import Throttle

THRESHOLD: Final = 20_000
"""How many objects are made between two looks; a match of agents that answer at once makes some hundreds."""


@contextmanager
def collecting_less() -> Generator[None]:
    """Leave what is loaded out of garbage collections while the body runs, and collect less often.

    Runs may overlap in several threads: the last one that ends restores what the first one found.
    """
    _PLAYING.begin()
    try:
        yield
    finally:
        _PLAYING.end()


class _Playing:
    """How many bodies run, and how the collector was set before the first of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._before = (0, 0, 0)
        self._is_ours = False

    def begin(self) -> None:
        with self._lock:
            self._count += 1
            if self._count > 1:
                return
            self._before = gc.get_threshold()
            self._is_ours = gc.get_freeze_count() == 0
            if self._is_ours:
                gc.freeze()
            if 0 < self._before[0] < THRESHOLD:
                gc.set_threshold(THRESHOLD, *self._before[1:])

    def end(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count:
                return
            gc.set_threshold(*self._before)
            if self._is_ours:
                gc.unfreeze()


_PLAYING: Final = _Playing()


class MatchRunner:
    """Plays matches of one job in this process, with its agents, models and limits, and records them.

    Any number of matches may be played at the same time; they share connections to models and the limits on them.
    ``throttle`` limits requests to models; without one, the limits hold for this process alone. ``connect`` opens
    connections in place of the backends' own. As a context (``async with``) it closes every connection at the end.
    """

    def __init__(
        self,
        job: Job,
        context: RunContext,
        throttle: Throttle | None = None,
        connect: Callable[[Backend], Awaitable[Connection]] = connected,
    ) -> None:
        self._context = context
        self._backends = BackendPool(context, CompletionCache.at(job.cache, job.seed), throttle, connect)
        self._referee = Referee(job, context, self._backends)
        self._watch: LoopWatch | None = None

    async def play(self, plan: MatchPlan) -> MatchRecord:
        """Play one match to its end; if it fails, the record's ending says so.

        ``StopRun`` and ``JournalError`` pass: the match is then unfinished, and is played again on resume.
        """
        return await self._referee.play(plan)

    async def play_encoded(self, plan: MatchPlan) -> EncodedMatch:
        """Play one match as ``play`` does; quicker where nobody reads the record before it is in the journal."""
        return await self._referee.play_encoded(plan)

    def watch(self) -> None:
        """Name plugins that block this event loop as warnings of the run, once it turns again.

        Called in the event loop, in processes other than the run's own, which watches its loop itself.
        """
        loop = asyncio.get_running_loop()

        def tell(sentence: str) -> None:
            with suppress(RuntimeError):  # the loop has closed
                loop.call_soon_threadsafe(self._context.warn, sentence)

        self._watch = LoopWatch(self._context, tell)

    async def close(self) -> None:
        """Close every connection to a backend, and end the worker processes."""
        if self._watch is not None:
            self._watch.close()
        self._referee.workers.close()
        with suppress(StopRun), self._context.tasks.ended_on_stop(lambda: True):
            await self._backends.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
