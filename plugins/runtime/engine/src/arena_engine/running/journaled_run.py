"""Connects an executor to the journal, the budget and the stop signal of a run."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from arena.backend import Backend
from arena.bus import Bus
from arena.hookspecs import Hooks
from arena.record import Event

from arena_engine.journal.entries import JournalEntry, Reservation
from arena_engine.journal.journal import Journal
from arena_engine.journal.usage import UsageTotals
from arena_engine.models.call import Call
from arena_engine.run_log import SILENT, RunLog
from arena_engine.running.budget import CallBudget
from arena_engine.running.context import RunContext
from arena_engine.running.executor import Limits


class JournaledRun(RunContext):
    """The ``RunContext`` in the process that owns the journal. ``started`` says when each match in progress began."""

    def __init__(self, journal: Journal, limits: Limits, bus: Bus, log: RunLog = SILENT) -> None:
        super().__init__(log)
        self._journal = journal
        self._hooks = bus.hooks
        self._active_hooks = bus.active_hooks
        self._budget = CallBudget(limits, journal.totals(), Counter(journal.reserved()))
        self._freed = asyncio.Event()
        self._answered = journal.matches_with_answers()
        self.started: dict[str, datetime] = {}

    @property
    def hooks(self) -> Hooks:
        return self._hooks

    @property
    def active_hooks(self) -> frozenset[str]:
        return self._active_hooks

    @property
    def totals(self) -> UsageTotals:
        """The usage of the run so far, earlier attempts included."""
        return self._budget.used

    def recorded(self, match: str) -> Mapping[str, JournalEntry]:
        self.started[match] = datetime.now(UTC)  # asked for once, when a match begins
        return self._journal.recorded(match) if match in self._answered else {}

    async def record(self, answer: JournalEntry) -> None:
        number = None
        if answer.kind in ("completion", "cached"):
            number = self._budget.settle(answer.match, answer.scope)
            self._budget.used = self._budget.used.plus(answer)
            self._settled()
        await self._journal.record(answer, number if self._budget.has_caps else None)

    async def admit(self, backend: Backend, call: Call) -> None:
        await self.may_go_on()
        while (obstacle := self._budget.obstacle(call)) is not None:
            reason, may_wait = obstacle
            if not may_wait:
                self._reach(reason)
            self.check_stopped()
            await self.unless_stopped(self._freed.wait())
        number = self._budget.hold(call)
        if self._budget.has_caps:
            try:
                await self._journal.reserve(_reservation(call, number))
                if reason := self._budget.reached():  # while this was written
                    self._reach(reason)
                    self.check_stopped()
            except BaseException:  # it is not sent, so it uses nothing
                self.release(call, is_paid=False)
                raise

    def release(self, call: Call, *, is_paid: bool) -> None:
        number = self._budget.settle(call.match, call.scope)
        if number is None:
            return
        if is_paid:
            self._budget.keep(call)
            if not self._budget.has_caps:
                self._journal.reserve_soon(_reservation(call, number))
        elif self._budget.has_caps:
            self._journal.release(call.match, call.scope, number)
        self._settled()

    def progress(self, match: str, step: int, events: Sequence[Event], *, is_first: bool) -> None:
        self._journal.progress(match, step, events, is_first=is_first)

    def stop(self, reason: str, within_s: float | None = None) -> None:
        if not self._stopped.is_set():
            self.log.run_stopped(reason=self.reason or reason)
        super().stop(reason, within_s)

    def _reach(self, reason: str) -> None:
        """End the run because of a cap, with a sentence that begins with the cap's key."""
        if self.reason is None:
            self.log.cap_reached(cap=reason.partition(":")[0])
        self.stop(reason)

    def _settled(self) -> None:
        """Let the calls that wait for room look again."""
        self._freed.set()
        self._freed = asyncio.Event()


def _reservation(call: Call, number: int) -> Reservation:
    return Reservation(call.match, call.scope, number, call.prompt_tokens, call.completion_tokens, call.cost_usd)
