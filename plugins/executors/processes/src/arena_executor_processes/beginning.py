"""Plays matches in the driver's own process until it is known whether workers are worth their start."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Final

import attrs
from arena.errors import ArenaError, StopRun
from arena.record import MatchRecord
from arena_engine import Job, MatchRunner, PlanQueue, RunContext

WORTH_S: Final = 2.0
"""Seconds of computing that must be left for workers to be started: each takes about one to start."""
SURE_S: Final = 0.1
"""Seconds of computing, after the first match, from which it is known what a match takes."""
SURE_WITHOUT_S: Final = 1.0
"""The same while no match has ended."""
LOOK_S: Final = 0.25
"""How often it is looked at while no match ends."""
AT_ONCE: Final = 64
"""How many matches may end before whoever stores them has a turn."""


class Beginning:
    """The first matches of a job, played as the default executor plays them.

    It ends where computing the matches that are left would take ``worth_s`` seconds or more; these are ``rest`` then.
    What matches wait for is not counted: one process waits for many as well as several do.
    """

    def __init__(self, job: Job, context: RunContext, worth_s: float = WORTH_S) -> None:
        self._job = job
        self._context = context
        self._worth_s = worth_s
        self._plans = PlanQueue(job.plans)
        self._is_over = False
        self._ended: asyncio.Queue[MatchRecord] = asyncio.Queue()
        self._since = time.process_time()
        self._counted = 0  # matches that were begun or still in progress since then
        self._has_ended = False

    @property
    def rest(self) -> Job:
        """The job of playing what is left."""
        return attrs.evolve(self._job, plans=self._plans)

    async def matches(self) -> AsyncIterator[MatchRecord]:
        """Yield matches as they end; raises whatever stopped the run."""
        async with MatchRunner(self._job, self._context) as runner:
            size = min(self._job.limits.concurrency, len(self._plans))
            playing = {asyncio.create_task(self._play(runner)) for _ in range(size)}
            look = asyncio.create_task(self._look_on())
            try:
                while pending := {task for task in playing if not task.done()}:
                    news = asyncio.ensure_future(self._ended.get())
                    await asyncio.wait({news, *pending}, return_when=asyncio.FIRST_COMPLETED)
                    if news.done():
                        yield news.result()
                    else:
                        news.cancel()
                    while not self._ended.empty():
                        yield self._ended.get_nowait()
            finally:
                look.cancel()
                for task in playing:
                    task.cancel()
                if playing:
                    await asyncio.wait(playing)
        for task in playing:
            if not task.cancelled() and (error := task.exception()) is not None:
                raise error

    async def _play(self, runner: MatchRunner) -> None:
        """Play one match after another until none is to begin here any more."""
        context = self._context
        try:
            while self._plans and not self._is_over:
                if context.is_held:
                    await context.may_go_on()
                    continue
                self._counted += 1
                record = await runner.play(self._plans.take())
                self._ended.put_nowait(record)
                self._look(has_ended=True)
                if self._ended.qsize() >= AT_ONCE:  # matches that never await would starve whoever yields them
                    await asyncio.sleep(0)
        except ArenaError as error:
            self._is_over = True
            if isinstance(error, StopRun):
                context.stop(str(error))
            raise

    async def _look_on(self) -> None:
        while not self._is_over:
            await asyncio.sleep(LOOK_S)
            self._look(has_ended=False)

    def _look(self, *, has_ended: bool) -> None:
        """End the beginning if so much is left that workers are worth their start."""
        now = time.process_time()
        if has_ended and not self._has_ended:  # the first match loads what the others use
            self._has_ended, self._since = True, now
            self._counted -= 1
            return
        used = now - self._since
        if used >= (SURE_S if self._has_ended else SURE_WITHOUT_S):
            left = used / max(1, self._counted) * len(self._plans)  # at least, since some are still in progress
            self._is_over = self._is_over or left >= self._worth_s
