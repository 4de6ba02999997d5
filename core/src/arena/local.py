"""The default executor: all matches in one asyncio process."""

import asyncio
from collections.abc import AsyncIterator

import attrs

from arena.cache import Cache
from arena.connections import Connections
from arena.errors import ArenaError
from arena.executor import Desk, Executor, Work
from arena.record import MatchRecord
from arena.referee import Referee


@attrs.frozen
class Asyncio(Executor):
    """Plays matches concurrently in this process; agents that block run in threads."""

    async def play(self, work: Work, desk: Desk) -> AsyncIterator[MatchRecord]:
        """Play all plans, ``work.limits.concurrency`` at once."""
        connections = Connections(desk, Cache.at(work.cache, work.seed))
        crew = _Crew(Referee(work, desk, connections), work.limits.concurrency)
        try:
            while crew.is_busy:
                for record in await crew.finished():
                    yield record
            crew.check()
        finally:
            await crew.dismiss()
            await connections.close()


class _Crew:
    """Workers that take plans until there are none, and hand in what they played."""

    def __init__(self, referee: Referee, size: int) -> None:
        plans = referee.work.plans
        self._referee = referee
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
        """Whether something is played, or played and not handed in."""
        return bool(self._finished) or not self._whole.done()

    async def finished(self) -> list[MatchRecord]:
        """Wait for news; the matches that have ended since the last time, perhaps none."""
        await self._news.wait()
        self._news.clear()
        finished, self._finished = self._finished, []
        return finished

    def check(self) -> None:
        """Raise what stopped a worker; called when all have come to their end."""
        for error in self._whole.result():
            if error is not None:
                raise error

    async def dismiss(self) -> None:
        """End whatever is still being played."""
        for worker in self._workers:
            worker.cancel()
        await asyncio.wait([self._whole])  # unlike cancelling it, this leaves no error that nobody looks at

    async def _work(self) -> None:
        """Play; once one match has stopped the run no new one starts, those in flight go on to their end or stop."""
        try:
            while not self._is_stopped and (plan := next(self._plans, None)):
                self._referee.desk.check()
                record = await self._referee.play(plan)
                self._finished.append(record)  # only now: the list is another one than before the match
                self._news.set()
                if len(self._finished) >= self._size:  # matches that wait for nothing let the loop turn
                    await asyncio.sleep(0)
        except ArenaError:
            self._is_stopped = True
            raise
