"""Deals matches to workers, passes what they ask on to the run, and replays the matches of a lost worker."""

import asyncio
import math
from collections import Counter, deque
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from typing import Any, Final

import attrs
from arena.errors import BackendError, ConfigError, StopRun
from arena.record import MatchPlan

from arena_engine.job.context import AgentStopped, RunContext
from arena_engine.job.executor import Job, PlanQueue
from arena_engine.journal.encoded_match import EncodedMatch
from arena_engine.journal.stored_json import JournalEntry
from arena_engine.workers.messages import (
    Admit,
    Answered,
    Cancel,
    Complete,
    Connect,
    Finished,
    HookCalled,
    Keep,
    Lease,
    Logged,
    MatchAbandoned,
    Pause,
    PlayMatches,
    Proceed,
    Progressed,
    Released,
    RemoteDecision,
    Return,
    Stop,
    ToDriver,
    ToWorker,
    Trip,
    Warned,
    Withdraw,
    WorkerSetup,
)
from arena_engine.workers.requests import RemoteMatch, WorkerRequests
from arena_engine.workers.worker_handle import EnvironmentFingerprint, WorkerGone, WorkerHandle, WorkerHost


@attrs.frozen(kw_only=True)
class WorkerCount:
    """How many workers to start, and how many must be ready before play begins with those that are there.

    Each worker plays ``matches_each`` matches at once. Workers that are not ready within ``start_timeout_s`` seconds
    are not waited for.
    """

    workers: int
    awaited: int
    matches_each: int
    start_timeout_s: float


LOSSES: Final = 3
"""How often a match may lose its worker before it fails; per wanted worker, also how many may die while starting."""
ALONE_AFTER: Final = 2
"""After how many lost workers a match is played alone, so that what kills them is known."""
CLOSING_S: Final = 20.0
"""Seconds that workers may take to close their models before they are killed."""
AHEAD_S: Final = 0.25
"""For how many seconds a worker has matches waiting, so that it never waits for the driver."""
MOST_AHEAD: Final = 1_000
"""How many matches may wait at a worker; they are played again if it is lost."""


class Dispatcher:
    """All workers of one run; must be created inside the event loop that plays.

    ``host`` starts the workers, ``scaling`` says how many, ``setup`` is what each of them is told first, and
    ``fingerprint`` is the driver's, which theirs must equal.
    """

    def __init__(
        self,
        job: Job,
        context: RunContext,
        host: WorkerHost,
        scaling: WorkerCount,
        setup: WorkerSetup,
        fingerprint: EnvironmentFingerprint,
    ) -> None:
        self._job = job
        self._context = context
        self._host = host
        self._scaling = scaling
        self._setup = setup
        self._fingerprint = fingerprint
        self._plans = PlanQueue(job.plans)
        self._suspects: deque[MatchPlan] = deque()
        self._requests = WorkerRequests(context)
        self._losses: Counter[str] = Counter()
        self._failed_starts = self._started = 0
        self._is_open = self._is_over = False
        self._error: BaseException | None = None
        self._records: asyncio.Queue[Sequence[EncodedMatch] | None] = asyncio.Queue()
        self._workers: list[WorkerHandle] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def matches(self) -> AsyncIterator[EncodedMatch]:
        """Yield matches as they end; raises whatever stopped the run, once the matches in flight have ended."""
        self._context.followers.append(self)
        if self._context.reason is not None:
            self.stop(self._context.reason, None)
        self._arm()
        try:
            for _ in range(self._scaling.workers):
                if self._error is None:
                    self._start()
            while (ended := await self._records.get()) is not None:
                for match in ended:
                    yield match
        finally:
            self._disarm()
            self._context.followers.remove(self)
            for worker in self._workers:
                self._requests.take_all_back(worker)
            await self._requests.close()
        if self._workers:
            await asyncio.wait([asyncio.ensure_future(w.close()) for w in self._workers], timeout=CLOSING_S)
        if self._error is not None:
            raise self._error

    def dismiss(self) -> None:
        """Kill all workers at once, even those that are playing."""
        for task in self._tasks:
            task.cancel()
        for worker in self._workers:
            worker.kill()

    def pause(self) -> None:
        """Let the workers ask nothing new, and give out no matches."""
        self._tell_all(Pause())

    def proceed(self) -> None:
        """Let the workers go on after a pause."""
        self._tell_all(Proceed())
        self._deal()

    def stop(self, reason: str, within_s: float | None) -> None:
        """Let the matches in flight end, their answers within ``within_s`` seconds, ``None`` for any time."""
        self._end(StopRun(reason), within_s)

    def _tell_all(self, message: ToWorker) -> None:
        for worker in self._workers:
            if worker.is_ready:
                worker.tell(message)

    def _start(self) -> None:
        try:
            link = self._host.start()
        except BackendError as error:
            self._end(error)
            return
        self._started += 1
        worker = WorkerHandle(link, self._started)
        self._workers.append(worker)
        self._spawn(self._serve(worker))

    def _arm(self) -> None:
        """Start the time limit within which workers must be ready."""
        self._disarm()
        self._timer = asyncio.get_running_loop().call_later(self._scaling.start_timeout_s, self._overdue)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _overdue(self) -> None:
        """Begin with the workers that are ready, or end the run if none is."""
        if any(worker.is_ready for worker in self._workers):
            self._is_open = True
            self._deal()
        else:
            waited = f"no worker was ready within {self._scaling.start_timeout_s:g} s"
            self._end(BackendError(f"executor: {waited}: {self._host.missing()}"))

    async def _serve(self, worker: WorkerHandle) -> None:
        """Set up one worker, then handle its messages until it ends or is lost."""
        try:
            fingerprint = await worker.set_up(self._setup)
            wrong = fingerprint if isinstance(fingerprint, str) else self._fingerprint.difference(fingerprint)
            if wrong:
                self._end(ConfigError(wrong))
                return
            worker.is_ready = True
            self._context.log.worker_started(worker=worker.number)
            self._is_open = self._is_open or sum(s.is_ready for s in self._workers) >= self._scaling.awaited
            if self._error is not None:
                worker.tell(Stop(str(self._error)))
            elif self._context.is_paused:
                worker.tell(Pause())
            self._deal()
            async for message in worker.messages():
                self._take(worker, message)
        except WorkerGone as gone:
            if gone.is_broken:
                self._end(BackendError(f"executor: a worker broke: {gone.reason}"))
            await self._lose(worker, gone)

    def _take(self, worker: WorkerHandle, message: ToDriver) -> None:
        match message:
            case Keep():
                worker.run(self._guarded(self._requests.keep(worker, message)))
            case Admit(number):
                worker.asking[number] = worker.run(self._guarded(self._requests.admit(worker, message)))
            case Released(call, is_paid):
                self._context.release(call, is_paid=is_paid)
            case Lease():
                worker.leases[message.number] = worker.run(self._guarded(self._requests.lend(worker, message)))
            case Return():
                self._requests.take_back(worker, message)
            case Connect(number):
                worker.asking[number] = worker.run(self._guarded(self._requests.connect(worker, message)))
            case Complete(number):
                worker.asking[number] = worker.run(self._guarded(self._requests.complete(worker, message)))
            case Withdraw():
                self._requests.withdraw(worker, message)
            case Trip():
                self._requests.trip(message)
            case HookCalled(hook, arguments):
                self._announce(hook, arguments)
            case Progressed(match, step, events, is_first):
                self._context.progress(match, step, events, is_first=is_first)
            case Warned(text):
                self._context.warn(text)
            case Logged(level, event, fields):
                self._context.log.tell(level, event, {**fields, "worker": worker.number})
            case Answered():
                worker.answered(message)
            case Finished(matches):
                self._records.put_nowait(matches)  # first: an observer that stops the run here ends the queue
                for match in matches:
                    self._conclude(self._ended(worker, match.id), match)
                worker.ended(len(matches))
                self._deal()
            case MatchAbandoned(match, error):
                self._ended(worker, match)
                if isinstance(error, AgentStopped):
                    self._context.leave(error)
                    worker.ended(1)
                    self._deal()
                else:
                    self._end(error)

    def _ended(self, worker: WorkerHandle, id_: str) -> MatchPlan:
        """Note that a match is not being played any more."""
        del self._context.playing[id_]
        return worker.playing.pop(id_)

    def _conclude(self, plan: MatchPlan, match: EncodedMatch) -> None:
        """Forget a match that will not be played again, and announce what it came to."""
        self._requests.forget(plan.id)
        if "match_finished" in self._context.active_hooks:
            self._announce("match_finished", {"record": match.record(plan)})

    def _announce(self, hook: str, arguments: Mapping[str, Any]) -> None:
        seen = arguments.get("decision")
        if isinstance(seen, RemoteDecision):
            forms = self._job.games[arguments["plan"].game].forms
            arguments = {**arguments, "decision": seen.decision(forms)}
        try:
            getattr(self._context.hooks, hook)(**arguments)
        except StopRun as stop:
            self._end(stop)

    def _deal(self) -> None:
        """Give each worker that has room its share of the matches, and repeat until none has or none is left."""
        is_dealt = self._is_open and not self._context.is_paused
        while is_dealt and (self._plans or self._suspects):
            is_dealt = False
            ready = [worker for worker in self._workers if worker.is_ready]
            share = math.ceil(len(self._plans) / max(1, len(ready)))
            for worker in ready:
                if self._suspects and not worker.playing:
                    self._give(worker, [self._suspects.popleft()])
                    worker.plays_suspect = is_dealt = True
                elif (number := min(self._room(worker), share, len(self._plans))) > 0:
                    self._give(worker, [self._plans.take() for _ in range(number)])
                    worker.plays_suspect, is_dealt = False, True
        self._check_over()

    def _room(self, worker: WorkerHandle) -> int:
        """How many more matches a worker is to have: those it plays at once, and more to follow if they are short."""
        if worker.plays_suspect and worker.playing:
            return 0
        fair = len(self._plans) // (2 * self._scaling.workers)
        ahead = min(int(worker.per_second * AHEAD_S), MOST_AHEAD, fair)
        wanted = self._scaling.matches_each + ahead
        return wanted - len(worker.playing) if len(worker.playing) <= wanted - ahead / 2 else 0

    def _give(self, worker: WorkerHandle, plans: Sequence[MatchPlan]) -> None:
        """Send matches to a worker, with the answers that there are from earlier attempts at them."""
        known: dict[str, Mapping[str, JournalEntry]] = {}
        if not worker.playing:
            worker.begins()
        for plan in plans:
            id_ = plan.id
            if answers := self._requests.known(id_):
                known[id_] = answers
            worker.playing[id_] = plan
            self._context.playing[id_] = RemoteMatch(plan, worker, self._context)
            if id_ in self._context.cancelled:
                worker.tell(Cancel(id_))
        worker.tell(PlayMatches(tuple(plans), known))

    async def _lose(self, worker: WorkerHandle, gone: WorkerGone) -> None:
        """Requeue the matches of a lost worker, once its answers are recorded, and replace the worker."""
        if self._is_over and not worker.playing:  # it was told to end, or is not needed any more
            return
        self._context.log.worker_lost(worker=worker.number, matches=len(worker.playing), error=gone)
        was_ready, worker.is_ready = worker.is_ready, False
        self._requests.take_all_back(worker)
        await worker.tasks_done()
        worker.kill()
        self._workers.remove(worker)
        self._failed_starts += not was_ready
        if self._failed_starts >= LOSSES * self._scaling.workers:
            self._end(BackendError(f"executor: workers die while they start: {gone.reason}"))
        for plan in reversed(list(worker.playing.values())):
            self._requests.write_off(plan.id)
            self._ended(worker, plan.id)
            self._losses[plan.id] += 1
            if self._error is not None:
                continue
            if self._losses[plan.id] < ALONE_AFTER:
                self._plans.put_back(plan)
            elif self._losses[plan.id] < LOSSES:
                self._suspects.appendleft(plan)
            else:
                match = EncodedMatch.of(gone.outcome(plan, LOSSES))
                self._records.put_nowait((match,))  # before whoever hears of it may end the queue
                self._conclude(plan, match)
        if self._error is None and not self._is_over:
            self._start()
            if not any(s.is_ready for s in self._workers):
                self._arm()
        self._deal()

    def _end(self, error: BaseException, within_s: float | None = None) -> None:
        """Give out no more matches, and let those in flight end; the first error counts."""
        if self._error is None or within_s is not None:
            self._tell_all(Stop(str(error), within_s))
        self._error = self._error or error
        self._plans.clear()
        self._suspects.clear()
        self._check_over()

    def _check_over(self) -> None:
        if not (self._plans or self._suspects) and not any(worker.playing for worker in self._workers):
            self._is_over = True
            self._records.put_nowait(None)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Make an unexpected error end the run: nobody awaits these tasks, so it would be lost."""
        try:
            await coroutine
        except Exception as error:
            self._error = self._error or error
            self._records.put_nowait(None)
