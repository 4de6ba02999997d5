"""The default executor: all matches in one asyncio process."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import attrs
from arena.errors import ArenaError, StopRun
from arena.record import MatchPlan, MatchRecord

from arena_engine.running.context import RunContext
from arena_engine.running.executor import Executor, Job
from arena_engine.running.match_runner import MatchRunner


@attrs.frozen
class Asyncio(Executor):
    """Plays matches concurrently in this process; agents that block run in threads."""

    async def play(self, job: Job, context: RunContext) -> AsyncIterator[MatchRecord]:
        """Play all plans, at most ``job.limits.concurrency`` at once."""
        async with MatchRunner(job, context) as runner:
            workers = _Workers(runner, context, job.plans, job.limits.concurrency)
            try:
                while workers.is_busy:
                    for record in await workers.finished():
                        yield record
                workers.check()
            finally:
                await workers.cancel()


class _Workers:
    """Tasks that each play one plan after another until none is left, and collect the records."""

    def __init__(self, runner: MatchRunner, context: RunContext, plans: Sequence[MatchPlan], size: int) -> None:
        self._runner = runner
        self._context = context
        self._plans = iter(plans)
        self._size = min(size, len(plans))
        self._finished: list[MatchRecord] = []
        self._news = asyncio.Event()
        self._is_stopped = False
        self._workers = [asyncio.create_task(self._work()) for _ in range(self._size)]
        self._whole = asyncio.gather(*self._workers, return_exceptions=True)
        self._whole.add_done_callback(lambda _: self._news.set())

    @property
    def is_busy(self) -> bool:
        """Whether a match is being played, or a record has not been fetched by ``finished``."""
        return bool(self._finished) or not self._whole.done()

    async def finished(self) -> list[MatchRecord]:
        """Wait until something ends, and return the matches that have ended since the last call, perhaps none."""
        await self._news.wait()
        self._news.clear()
        finished, self._finished = self._finished, []
        return finished

    def check(self) -> None:
        """Raise the error that stopped a worker, if any; called when all workers have ended."""
        for error in self._whole.result():
            if error is not None:
                raise error

    async def cancel(self) -> None:
        """Cancel the matches that are still being played, and wait for their ends."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.wait([self._whole])  # cancelling it would leave an exception that nobody retrieves

    async def _work(self) -> None:
        """Play plans; once a match has stopped the run, no new one starts, and the others end or stop by themselves."""
        try:
            while not self._is_stopped and (plan := next(self._plans, None)):
                self._context.check_stopped()
                record = await self._runner.play(plan)
                self._finished.append(record)  # looked up after the match: `finished` replaces the list meanwhile
                self._news.set()
                if len(self._finished) >= self._size:  # matches that never await would starve whoever yields records
                    await asyncio.sleep(0)
        except ArenaError as error:
            self._is_stopped = True
            if isinstance(error, StopRun):
                self._context.stop(str(error))
            raise
