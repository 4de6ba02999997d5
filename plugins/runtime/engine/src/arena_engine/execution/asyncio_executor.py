"""The default executor: all matches in one asyncio process."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator

import attrs
from arena.errors import ArenaError, StopRun
from arena.record import MatchPlan, MatchRecord

from arena_engine.execution.match_runner import MatchRunner
from arena_engine.job.context import AgentStopped, RunContext
from arena_engine.job.executor import Executor, Job
from arena_engine.job.open_seats import Places
from arena_engine.journal.encoded_match import EncodedMatch


@attrs.frozen
class Asyncio(Executor):
    """Plays matches concurrently in this process; agents that block run in threads."""

    waits_outside = True

    async def play(self, job: Job, context: RunContext) -> AsyncIterator[MatchRecord | EncodedMatch]:
        """Play all plans, at most ``job.limits.concurrency`` at once, not counting those that wait for somebody."""
        async with MatchRunner(job, context) as runner:
            workers = _Workers(runner, context, job)
            try:
                while workers.is_busy:
                    for record in await workers.finished():
                        yield record
                workers.check()
            finally:
                await workers.cancel()


class _Plans:
    """The plans that are left, of which an agent that somebody outside plays begins only so many at once."""

    def __init__(self, job: Job) -> None:
        how = {name: agent.outside for name, agent in job.agents.items()}
        self._limits = {agent: outside.at_once for agent, outside in how.items() if outside is not None}
        self._plans = iter(job.plans)
        self._left = list(self._plans) if self._limits else []
        self._begun: Counter[str] = Counter()

    def next(self) -> MatchPlan | None:
        """The next plan that may begin, or ``None``."""
        if not self._limits:
            return next(self._plans, None)
        for place, plan in enumerate(self._left):
            if all(self._begun[agent] < self._limits.get(agent, len(self._left)) for agent in plan.agents):
                self._begun.update(set(plan.agents))
                return self._left.pop(place)
        return None

    def end(self, plan: MatchPlan) -> None:
        """Note that a match is over."""
        if self._limits:
            self._begun.subtract(set(plan.agents))


class _Workers:
    """Tasks that each play one plan after another until none is left, and collect the records."""

    def __init__(self, runner: MatchRunner, context: RunContext, job: Job) -> None:
        self._runner = runner
        self._context = context
        self._plans = _Plans(job)
        self._size = min(job.limits.concurrency, len(job.plans))
        self._finished: list[MatchRecord | EncodedMatch] = []
        self._news = asyncio.Event()
        self._is_stopped = False
        self._errors: list[BaseException] = []
        self._workers: set[asyncio.Task[None]] = set()
        self._places = context.seats.places = Places(self._size, self._begin)
        self._begin()

    @property
    def is_busy(self) -> bool:
        """Whether a match is being played, or a record has not been fetched by ``finished``."""
        return bool(self._finished or self._workers)

    async def finished(self) -> list[MatchRecord | EncodedMatch]:
        """Wait until something ends, and return the matches that have ended since the last call, perhaps none."""
        await self._news.wait()
        self._news.clear()
        finished, self._finished = self._finished, []
        return finished

    def check(self) -> None:
        """Raise the error that stopped a worker first, if any; called when all workers have ended."""
        if self._errors:
            raise self._errors[0]

    async def cancel(self) -> None:
        """Cancel the matches that are still being played, and wait for their ends."""
        self._is_stopped = True
        for worker in self._workers:
            worker.cancel()
        while self._workers:
            await asyncio.wait(self._workers)
            await asyncio.sleep(0)  # their callbacks take them out of the set

    def _begin(self) -> None:
        """Give every free place to the next plan; if nothing is played, look whether anybody needs to wait."""
        while self._places.free > 0 and not self._is_stopped and (plan := self._plans.next()):
            self._places.take()
            worker = asyncio.create_task(self._work(plan))
            self._workers.add(worker)
            worker.add_done_callback(self._ended)
        self._context.seats.look()

    def _ended(self, worker: asyncio.Task[None]) -> None:
        self._workers.discard(worker)
        if not worker.cancelled() and (error := worker.exception()) is not None:
            self._errors.append(error)
        self._news.set()

    async def _work(self, first: MatchPlan) -> None:
        """Play plans; once a match has stopped the run, no new one starts, and the others end or stop by themselves."""
        context, plan = self._context, first
        # Whoever listens to measurements reads the record at once.
        play = self._runner.play if "measured" in context.active_hooks else self._runner.play_encoded
        try:
            while plan is not None:
                if context.is_held:
                    await context.may_go_on()
                try:
                    ended = await play(plan)
                except AgentStopped as stopped:
                    context.leave(stopped)
                    await asyncio.sleep(0)  # there may be thousands of its matches
                else:
                    self._finished.append(ended)  # looked up after the match: `finished` replaces the list meanwhile
                    self._news.set()
                self._plans.end(plan)
                if len(self._finished) >= self._size:  # matches that never await would starve whoever yields records
                    await asyncio.sleep(0)
                if self._is_stopped or self._places.returning or self._places.free < 0:
                    break
                plan = self._plans.next()
        except ArenaError as error:
            self._is_stopped = True
            if isinstance(error, StopRun):
                self._context.stop(str(error))
            raise
        finally:
            self._places.give()
