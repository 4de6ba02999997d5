"""Deals matches to workers, carries their answers to the driver's desk, and plays again what a lost worker had."""

import asyncio
from collections import Counter, deque
from collections.abc import AsyncIterator, Coroutine, Mapping
from typing import Any

from arena.backend import Backend
from arena.errors import ArenaError, BackendError, ConfigError, StopRun
from arena.executor import Answer, Desk, Work
from arena.lanes import Lanes, Permit
from arena.record import Ending, Failure, MatchRecord
from ray.exceptions import RayError, RayTaskError

from arena_executor_ray.cluster import Cluster
from arena_executor_ray.messages import (
    Admit,
    Finished,
    Granted,
    Happened,
    Keep,
    Lease,
    Left,
    Orders,
    Play,
    Return,
    Shut,
    Stop,
    ToDriver,
)
from arena_executor_ray.papers import Papers
from arena_executor_ray.seen import Seen
from arena_executor_ray.staff import Staff
from arena_executor_ray.station import Station

LOSSES = 3
"""So many workers may be lost under one match, and die at their start for each one wanted."""
CLOSING_S = 20.0
"""How long workers may take to let go of their models."""


class Dispatcher:
    """All workers of one run. Made inside the event loop that plays."""

    def __init__(self, work: Work, desk: Desk, cluster: Cluster, staff: Staff, orders: Orders, papers: Papers) -> None:
        self._work = work
        self._desk = desk
        self._cluster = cluster
        self._staff = staff
        self._orders = orders
        self._papers = papers
        self._plans = deque(work.plans)
        self._answers: dict[str, dict[str, Answer]] = {}
        self._losses: Counter[str] = Counter()
        self._stillborn = 0
        self._backends: dict[str, Backend] = {}
        self._lanes = Lanes(desk)
        self._is_open = False
        self._is_over = False
        self._error: BaseException | None = None
        self._records: asyncio.Queue[MatchRecord | None] = asyncio.Queue()
        self._stations: list[Station] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None

    async def records(self) -> AsyncIterator[MatchRecord]:
        """Matches as they end; raises what stopped the run, after all in flight have come to their end."""
        self._spawn(self._watch())
        self._arm()
        try:
            for _ in range(self._staff.workers):
                self._hire()
            while (record := await self._records.get()) is not None:
                yield record
        finally:
            self._disarm()
        if self._stations:
            await asyncio.wait([asyncio.ensure_future(s.close()) for s in self._stations], timeout=CLOSING_S)
        if self._error is not None:
            raise self._error

    def dismiss(self) -> None:
        """End all workers, whatever they do."""
        for task in self._tasks:
            task.cancel()
        for station in self._stations:
            station.kill()

    async def _watch(self) -> None:
        try:
            await self._desk.unless_stopped(asyncio.Event().wait())
        except StopRun as stop:
            self._end(stop)

    def _hire(self) -> None:
        station = Station(self._cluster.hire())
        self._stations.append(station)
        self._spawn(self._serve(station))

    def _arm(self) -> None:
        """Wait for workers no longer than from here on."""
        self._disarm()
        self._timer = asyncio.get_running_loop().call_later(self._staff.start_timeout_s, self._overdue)

    def _disarm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _overdue(self) -> None:
        """Begin with the workers that are there, or give up where there is none."""
        if any(station.is_ready for station in self._stations):
            self._is_open = True
            self._deal()
        else:
            waited = f"no worker was ready within {self._staff.start_timeout_s:g} s"
            self._end(BackendError(f"executor: {waited} ({self._cluster.missing()}); ask for less or add nodes"))

    async def _serve(self, station: Station) -> None:
        """Be there for one worker, from its start to its end."""
        try:
            papers = await station.set_up(self._orders)
            wrong = papers if isinstance(papers, str) else self._papers.difference(papers)
            if wrong:
                self._end(ConfigError(wrong))
                return
            station.is_ready = True
            if sum(s.is_ready for s in self._stations) >= self._staff.awaited:
                self._is_open = True
            if self._error is not None:
                station.tell(Stop(str(self._error)))
            self._deal()
            async for message in station.messages():
                self._take(station, message)
        except RayTaskError as error:
            self._end(BackendError(f"executor: a worker broke: {_reason(error)}"))
            await self._lose(station, error)
        except RayError as error:
            await self._lose(station, error)

    def _take(self, station: Station, message: ToDriver) -> None:
        match message:
            case Keep():
                station.run(self._guarded(self._keep(station, message)))
            case Admit():
                station.run(self._guarded(self._admit(station, message)))
            case Lease():
                station.leases[message.number] = station.run(self._guarded(self._lend(station, message)))
            case Return():
                self._take_back(station, message)
            case Shut(key, why):
                self._lanes.shut(self._backends[key], why)
            case Happened(hook, arguments):
                self._announce(hook, arguments)
            case Finished(record):
                station.playing.pop(record.id)
                self._hand_in(record)
                self._deal()
            case Left(match, error):
                station.playing.pop(match)
                self._end(error)

    def _hand_in(self, record: MatchRecord) -> None:
        self._answers.pop(record.id, None)
        if "match_finished" in self._desk.heard:
            self._announce("match_finished", {"record": record})
        self._records.put_nowait(record)

    def _announce(self, hook: str, arguments: Mapping[str, Any]) -> None:
        seen = arguments.get("decision")
        if isinstance(seen, Seen):
            forms = self._work.games[arguments["plan"].game].forms
            arguments = {**arguments, "decision": seen.decision(forms)}
        try:
            getattr(self._desk.hooks, hook)(**arguments)
        except StopRun as stop:
            self._end(stop)

    async def _keep(self, station: Station, message: Keep) -> None:
        answer = message.answer
        try:
            await self._desk.keep(answer)
        except ArenaError as error:
            station.tell(Granted(message.number, error))
        else:
            self._answers[answer.match][answer.scope] = answer
            station.tell(Granted(message.number))

    async def _admit(self, station: Station, message: Admit) -> None:
        try:
            await self._desk.admit(self._backend(message))
        except ArenaError as error:
            station.tell(Granted(message.number, error))
        else:
            station.tell(Granted(message.number))

    async def _lend(self, station: Station, message: Lease) -> None:
        try:
            permit = await self._lanes.enter(self._backend(message), message.weight, is_again=message.is_again)
        except ArenaError as error:
            station.leases.pop(message.number, None)
            station.tell(Granted(message.number, error))
        else:
            station.leases[message.number] = permit
            station.tell(Granted(message.number))

    def _take_back(self, station: Station, message: Return) -> None:
        lease = station.leases.pop(message.number, None)
        if isinstance(lease, Permit):
            self._lanes.leave(lease, is_overload=message.is_overload, tokens=message.tokens)
        elif lease is not None:  # it was waited for, and is no longer
            lease.cancel()

    def _backend(self, message: Admit | Lease) -> Backend:
        if message.backend is not None:
            self._backends.setdefault(message.key, message.backend)
        return self._backends[message.key]

    def _deal(self) -> None:
        """Give each worker that has room a match, round after round."""
        is_dealt = self._is_open
        while is_dealt and self._plans:
            is_dealt = False
            for station in self._stations:
                if station.is_ready and self._plans and len(station.playing) < self._staff.matches_each:
                    plan = self._plans.popleft()
                    if plan.id not in self._answers:
                        self._answers[plan.id] = dict(self._desk.known(plan.id))
                    station.playing[plan.id] = plan
                    station.tell(Play(plan, dict(self._answers[plan.id])))
                    is_dealt = True
        self._check_over()

    async def _lose(self, station: Station, error: RayError) -> None:
        """Take back what a lost worker had, once its answers that arrived are kept, and hire another one."""
        was_ready, station.is_ready = station.is_ready, False
        for number in list(station.leases):
            self._take_back(station, Return(number))
        await station.errands_done()
        station.kill()
        self._stations.remove(station)
        self._stillborn += not was_ready
        if self._stillborn >= LOSSES * self._staff.workers:
            self._end(BackendError(f"executor: workers die while they start: {_reason(error)}"))
        for plan in reversed(station.playing.values()):
            self._losses[plan.id] += 1
            if self._error is not None:
                continue
            if self._losses[plan.id] < LOSSES:
                self._plans.appendleft(plan)
                continue
            failure = Failure(f"{LOSSES} workers were lost while they played it")
            self._hand_in(
                MatchRecord(plan=plan, seats=(), ending=Ending.INFRASTRUCTURE_FAILURE, returns=None, failure=failure)
            )
        if self._error is None and not self._is_over:
            self._hire()
            if not any(s.is_ready for s in self._stations):
                self._arm()
        self._deal()

    def _end(self, error: BaseException) -> None:
        """Deal nothing more, and let what is in flight come to its end."""
        if self._error is None:
            self._error = error
            self._plans.clear()
            for station in self._stations:
                if station.is_ready:
                    station.tell(Stop(str(error)))
        self._check_over()

    def _check_over(self) -> None:
        if not self._plans and not any(station.playing for station in self._stations):
            self._is_over = True
            self._records.put_nowait(None)

    def _spawn(self, coroutine: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._guarded(coroutine))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Let no error of ours be lost in a task that nobody waits for."""
        try:
            await coroutine
        except Exception as error:
            self._error = self._error or error
            self._records.put_nowait(None)


def _reason(error: RayError) -> str:
    """The last line of what Ray says: the error itself, below the stack."""
    return (str(error).strip() or type(error).__name__).splitlines()[-1].strip().rstrip(".")
