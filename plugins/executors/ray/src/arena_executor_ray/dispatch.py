"""Deals matches to workers, passes what they ask to the driver's run, and replays the matches of a lost worker."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

from arena.backend import Backend
from arena.errors import ArenaError, BackendError, ConfigError, StopRun
from arena.record import Ending, Failure, MatchRecord
from arena_engine import Job, JournalEntry, Permit, RunContext, Throttle
from ray.exceptions import RayError, RayTaskError

from arena_executor_ray.cluster import Cluster
from arena_executor_ray.fingerprint import EnvironmentFingerprint
from arena_executor_ray.messages import (
    Admit,
    Answered,
    Cancel,
    Finished,
    HookCalled,
    Keep,
    Lease,
    LeaseGranted,
    Logged,
    MatchAbandoned,
    Pause,
    PlayMatches,
    Proceed,
    Progressed,
    Released,
    Return,
    Stop,
    ToDriver,
    ToWorker,
    Trip,
    Warned,
    WorkerSetup,
)
from arena_executor_ray.remote_decision import RemoteDecision
from arena_executor_ray.remote_match import RemoteMatch
from arena_executor_ray.scaling import WorkerCount
from arena_executor_ray.worker_handle import WorkerHandle

LOSSES = 3
"""How often a match may lose its worker before it fails; per wanted worker, also how many may die while starting."""
CLOSING_S = 20.0
"""Seconds that workers may take to close their models before they are killed."""


class Dispatcher:
    """All workers of one run; must be created inside the event loop that plays."""

    def __init__(
        self,
        work: Job,
        context: RunContext,
        cluster: Cluster,
        scaling: WorkerCount,
        orders: WorkerSetup,
        fingerprint: EnvironmentFingerprint,
    ) -> None:
        self._work = work
        self._context = context
        self._cluster = cluster
        self._scaling = scaling
        self._orders = orders
        self._fingerprint = fingerprint
        self._plans = deque(work.plans)
        self._answers: dict[str, dict[str, JournalEntry]] = {}
        self._losses: Counter[str] = Counter()
        self._failed_starts = self._hired = 0
        self._backends: dict[str, Backend] = {}
        self._throttle = Throttle(context)
        self._is_open = self._is_over = False
        self._error: BaseException | None = None
        self._records: asyncio.Queue[MatchRecord | None] = asyncio.Queue()
        self._workers: list[WorkerHandle] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def records(self) -> AsyncIterator[MatchRecord]:
        """Yield matches as they end; raises whatever stopped the run, once the matches in flight have ended."""
        self._context.followers.append(self)
        if self._context.reason is not None:
            self.stop(self._context.reason, None)
        self._arm()
        try:
            for _ in range(self._scaling.workers):
                self._hire()
            while (record := await self._records.get()) is not None:
                yield record
        finally:
            self._disarm()
            self._context.followers.remove(self)
        if self._workers:
            await asyncio.wait([asyncio.ensure_future(s.close()) for s in self._workers], timeout=CLOSING_S)
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

    def _hire(self) -> None:
        self._hired += 1
        worker = WorkerHandle(self._cluster.hire(), self._hired)
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
            self._end(BackendError(f"executor: {waited} ({self._cluster.missing()}); ask for less or add nodes"))

    async def _serve(self, worker: WorkerHandle) -> None:
        """Set up one worker, then handle its messages until it ends or is lost."""
        try:
            fingerprint = await worker.set_up(self._orders)
            wrong = fingerprint if isinstance(fingerprint, str) else self._fingerprint.difference(fingerprint)
            if wrong:
                self._end(ConfigError(wrong))
                return
            worker.is_ready = True
            self._context.log.worker_started(worker=worker.number)
            if sum(s.is_ready for s in self._workers) >= self._scaling.awaited:
                self._is_open = True
            if self._error is not None:
                worker.tell(Stop(str(self._error)))
            elif self._context.is_paused:
                worker.tell(Pause())
            self._deal()
            async for message in worker.messages():
                self._take(worker, message)
        except RayTaskError as error:
            self._end(BackendError(f"executor: a worker broke: {_reason(error)}"))
            await self._lose(worker, error)
        except RayError as error:
            await self._lose(worker, error)

    def _take(self, worker: WorkerHandle, message: ToDriver) -> None:
        match message:
            case Keep():
                worker.run(self._guarded(self._keep(worker, message)))
            case Admit():
                worker.run(self._guarded(self._admit(worker, message)))
            case Released(call, is_paid):
                self._context.release(call, is_paid=is_paid)
            case Lease():
                worker.leases[message.number] = worker.run(self._guarded(self._lend(worker, message)))
            case Return():
                self._take_back(worker, message)
            case Trip(key, why):
                self._throttle.trip(self._backends[key], why)
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
            case Finished(record):
                self._ended(worker, record.id)
                self._hand_in(record)
                self._deal()
            case MatchAbandoned(match, error):
                self._ended(worker, match)
                self._end(error)

    def _ended(self, worker: WorkerHandle, match: str) -> None:
        del worker.playing[match], self._context.playing[match]

    def _hand_in(self, record: MatchRecord) -> None:
        self._answers.pop(record.id, None)
        if "match_finished" in self._context.active_hooks:
            self._announce("match_finished", {"record": record})
        self._records.put_nowait(record)

    def _announce(self, hook: str, arguments: Mapping[str, Any]) -> None:
        seen = arguments.get("decision")
        if isinstance(seen, RemoteDecision):
            forms = self._work.games[arguments["plan"].game].forms
            arguments = {**arguments, "decision": seen.decision(forms)}
        try:
            getattr(self._context.hooks, hook)(**arguments)
        except StopRun as stop:
            self._end(stop)

    async def _keep(self, worker: WorkerHandle, message: Keep) -> None:
        answer = message.answer
        try:
            await self._context.record(answer)
        except ArenaError as error:
            worker.tell(LeaseGranted(message.number, error))
        else:
            self._answers[answer.match][answer.scope] = answer
            worker.tell(LeaseGranted(message.number))

    async def _admit(self, worker: WorkerHandle, message: Admit) -> None:
        try:
            await self._context.admit(self._backend(message), message.call)
        except ArenaError as error:
            worker.tell(LeaseGranted(message.number, error))
        else:
            worker.tell(LeaseGranted(message.number))

    async def _lend(self, worker: WorkerHandle, message: Lease) -> None:
        try:
            permit = await self._throttle.acquire(
                self._backend(message), message.weight, message.call, is_retry=message.is_retry
            )
        except ArenaError as error:
            worker.leases.pop(message.number, None)
            worker.tell(LeaseGranted(message.number, error))
        else:
            worker.leases[message.number] = permit
            worker.tell(LeaseGranted(message.number))

    def _take_back(self, worker: WorkerHandle, message: Return) -> None:
        lease = worker.leases.pop(message.number, None)
        if isinstance(lease, Permit):
            self._throttle.release(
                lease, was_overloaded=message.was_overloaded, tokens=message.tokens, is_paid=message.is_paid
            )
        elif lease is not None:  # the worker gave up before it was granted
            lease.cancel()

    def _backend(self, message: Admit | Lease) -> Backend:
        if message.backend is not None:
            self._backends.setdefault(message.key, message.backend)
        return self._backends[message.key]

    def _deal(self) -> None:
        """Give one match to each worker that has room, and repeat until none has."""
        is_dealt = self._is_open and not self._context.is_paused
        while is_dealt and self._plans:
            is_dealt = False
            for worker in self._workers:
                if worker.is_ready and self._plans and len(worker.playing) < self._scaling.matches_each:
                    plan = self._plans.popleft()
                    if plan.id not in self._answers:
                        self._answers[plan.id] = dict(self._context.recorded(plan.id))
                    worker.playing[plan.id] = plan
                    self._context.playing[plan.id] = RemoteMatch(plan, worker, self._context)
                    if plan.id in self._context.cancelled:
                        worker.tell(Cancel(plan.id))
                    worker.tell(PlayMatches(plan, dict(self._answers[plan.id])))
                    is_dealt = True
        self._check_over()

    async def _lose(self, worker: WorkerHandle, error: RayError) -> None:
        """Requeue the matches of a lost worker, once its answers are recorded, and replace the worker."""
        self._context.log.worker_lost(worker=worker.number, matches=len(worker.playing), error=error)
        was_ready, worker.is_ready = worker.is_ready, False
        for number in list(worker.leases):
            self._take_back(worker, Return(number))
        await worker.tasks_done()
        worker.kill()
        self._workers.remove(worker)
        self._failed_starts += not was_ready
        if self._failed_starts >= LOSSES * self._scaling.workers:
            self._end(BackendError(f"executor: workers die while they start: {_reason(error)}"))
        for plan in reversed(list(worker.playing.values())):
            self._ended(worker, plan.id)
            self._losses[plan.id] += 1
            if self._error is not None:
                continue
            if self._losses[plan.id] < LOSSES:
                self._plans.appendleft(plan)
                continue
            failure = Failure(f"{LOSSES} workers were lost while they played it")
            lost = MatchRecord(plan=plan, seats=(), ending=Ending.INFRASTRUCTURE_FAILURE, returns=None, failure=failure)
            self._hand_in(lost)
        if self._error is None and not self._is_over:
            self._hire()
            if not any(s.is_ready for s in self._workers):
                self._arm()
        self._deal()

    def _end(self, error: BaseException, within_s: float | None = None) -> None:
        """Give out no more matches, and let those in flight end; the first error counts."""
        if self._error is None or within_s is not None:
            self._tell_all(Stop(str(error), within_s))
        self._error = self._error or error
        self._plans.clear()
        self._check_over()

    def _check_over(self) -> None:
        if not self._plans and not any(worker.playing for worker in self._workers):
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


def _reason(error: RayError) -> str:
    """The last line of Ray's message: the error itself, below the traceback."""
    return (str(error).strip() or type(error).__name__).splitlines()[-1].strip().rstrip(".")
