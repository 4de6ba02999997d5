"""The default executor: all matches in one asyncio process."""

import asyncio
from collections.abc import AsyncIterator, Iterator

import attrs

from arena.connections import Connections
from arena.errors import ArenaError
from arena.executor import Desk, Executor, Work
from arena.record import MatchPlan, MatchRecord
from arena.referee import Referee


@attrs.frozen
class Asyncio(Executor):
    """Plays matches concurrently in this process; agents that block run in threads."""

    async def play(self, work: Work, desk: Desk) -> AsyncIterator[MatchRecord]:
        """Play all plans, ``work.limits.concurrency`` at once."""
        connections = Connections(desk)
        referee = Referee(work, desk, connections)
        plans = iter(work.plans)
        # Bounded, so that matches that never wait for anything still let the loop turn.
        finished: asyncio.Queue[MatchRecord | None] = asyncio.Queue(maxsize=work.limits.concurrency)
        crew = asyncio.create_task(_play_all(referee, plans, work.limits.concurrency, finished))
        try:
            while (record := await finished.get()) is not None:
                yield record
            await crew
        finally:
            crew.cancel()
            await asyncio.wait([crew])
            await connections.close()


async def _play_all(
    referee: Referee, plans: Iterator[MatchPlan], concurrency: int, finished: "asyncio.Queue[MatchRecord | None]"
) -> None:
    """Play; once one match has stopped the run no new one starts, those in flight go on to their end or stop too."""
    is_stopped = False

    async def worker() -> None:
        nonlocal is_stopped
        try:
            while not is_stopped and (plan := next(plans, None)):
                referee.desk.check()
                await finished.put(await referee.play(plan))
        except ArenaError:
            is_stopped = True
            raise

    workers = [asyncio.create_task(worker()) for _ in range(min(concurrency, len(referee.work.plans)))]
    try:
        stopped = await asyncio.gather(*workers, return_exceptions=True)
    finally:
        for task in workers:
            task.cancel()
    await finished.put(None)
    for error in stopped:
        if error is not None:
            raise error
