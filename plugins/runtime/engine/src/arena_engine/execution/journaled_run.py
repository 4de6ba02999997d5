"""Connects an executor to the journal, the stop signal and the caps of a run."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Final

import attrs
from arena.backend import Backend
from arena.hookspecs import Hooks
from arena.record import Event

from arena_engine.foundation.run_log import SILENT, RunLog
from arena_engine.job.bus import Bus
from arena_engine.job.context import RunContext
from arena_engine.job.executor import Limits
from arena_engine.journal.journal import Journal
from arena_engine.journal.sent_batches import SentBatch, SentBatches
from arena_engine.journal.stored_json import JournalEntry, Reservation
from arena_engine.journal.usage import Call, UsageTotals
from arena_engine.models.batches import is_batched

_USES: Final[Mapping[str, Callable[[Call], float]]] = {
    "usd": lambda call: call.cost_usd or 0.0,
    "tokens": lambda call: call.tokens,
    "calls": lambda _: 1,
}
"""What a call may use of each cap."""


TAKE_OVER_S: Final = 30.0
"""How long a resumed run that is at a cap waits for its matches to ask for what was sent before."""


class CallBudget:
    """Counts calls from the moment they are sent: as an estimate from above, until their answer corrects it.

    A call that does not fit beside those in flight waits until they are answered; where none is in flight and it still
    does not fit, the cap is reached. So a cap is passed by no more than the error of the estimates. ``has_caps`` says
    whether there is any cap to keep.
    """

    def __init__(self, limits: Limits, used: UsageTotals, tries: Counter[tuple[str, str]]) -> None:
        self.used = used
        self._limits = limits
        self._tries = tries
        self._held: dict[tuple[str, str], Call] = {}
        self.has_caps = (limits.budget_calls, limits.budget_tokens, limits.budget_usd) != (None, None, None)

    def reached(self) -> str | None:
        """Which cap is used up already, or ``None``."""
        return next((reason for _, spent, limit, reason in self._caps() if spent >= limit), None)

    def obstacle(self, call: Call) -> tuple[str, bool] | None:
        """Why a call may not be sent now, and whether waiting may help; ``None`` if it may be sent."""
        if not self.has_caps:
            return None
        held = self._held.values()
        for name, spent, limit, reason in self._caps():
            uses = _USES[name]
            others, more = sum(map(uses, held)), uses(call)
            if spent >= limit:
                return reason, False
            if spent + others + more > limit:
                next_one = "" if name == "calls" else f" and the next call may use {more:g}"
                return reason.replace(" is used", f" is used{next_one}"), bool(held)
        return None

    def _caps(self) -> Iterator[tuple[str, float, float, str]]:
        """The caps of the run: what they count, what is used, the cap, and the sentence that it is reached."""
        used, limits = self.used, self._limits
        for name, limit, spent in (
            ("usd", limits.budget_usd, used.cost_usd),
            ("tokens", limits.budget_tokens, used.prompt_tokens + used.completion_tokens),
            ("calls", limits.budget_calls, used.calls),
        ):
            if limit is not None:
                yield name, spent, limit, f"limits.budget-{name}: {spent:g} of {limit:g} is used; raise it and resume"

    def hold(self, call: Call) -> int:
        """Count a call that is about to be sent; returns the number of its try in its scope."""
        key = (call.match, call.scope)
        self._held[key] = call
        number = self._tries[key]
        self._tries[key] += 1
        return number

    def take_over(self, call: Call, reserved: Reservation | None) -> None:
        """Count a call that was sent by an earlier attempt as one in flight, and its estimate no longer as used."""
        key = (call.match, call.scope)
        if key in self._held:
            return
        if reserved is None:
            self.hold(call)
            return
        self._held[key] = call
        self._tries[key] = reserved.number + 1
        used = self.used
        self.used = attrs.evolve(
            used,
            calls=used.calls - 1,
            estimated_calls=used.estimated_calls - 1,
            prompt_tokens=used.prompt_tokens - reserved.prompt_tokens,
            completion_tokens=used.completion_tokens - reserved.completion_tokens,
            cost_usd=used.cost_usd - (reserved.cost_usd or 0.0),
            unpriced_calls=used.unpriced_calls - (reserved.cost_usd is None),
        )

    def settle(self, match: str, scope: str) -> int | None:
        """Count a call no longer as one in flight; returns the number of its try, ``None`` if there was none."""
        if self._held.pop((match, scope), None) is None:
            return None
        return self._tries[match, scope] - 1

    def reservation(self, scope: tuple[str, str]) -> Reservation | None:
        """What a call in flight may use, as the journal keeps it; ``None`` if none is in flight in this scope."""
        call = self._held.get(scope)
        return None if call is None else _reservation(call, self._tries[scope] - 1)

    def keep(self, call: Call) -> None:
        """Count the estimate of a call that was sent and will not be answered."""
        used = self.used
        self.used = attrs.evolve(
            used,
            calls=used.calls + 1,
            estimated_calls=used.estimated_calls + 1,
            prompt_tokens=used.prompt_tokens + call.prompt_tokens,
            completion_tokens=used.completion_tokens + call.completion_tokens,
            cost_usd=used.cost_usd + (call.cost_usd or 0.0),
            unpriced_calls=used.unpriced_calls + (call.cost_usd is None),
        )


class JournaledRun(RunContext):
    """The ``RunContext`` in the process that owns the journal."""

    def __init__(self, journal: Journal, limits: Limits, bus: Bus, log: RunLog = SILENT) -> None:
        super().__init__(log)
        self._journal = journal
        self._hooks = bus.hooks
        self._active_hooks = bus.active_hooks
        self._budget = CallBudget(limits, journal.totals(), Counter(journal.reserved()))
        self._freed = asyncio.Event()
        self._answered = journal.matches_with_answers()
        self._reserved: set[tuple[str, str]] = set()
        known = journal.sent_batches()
        self.batches = SentBatches(self._keep_batch, journal.drop_batch, self._free, known)
        self._unasked = {(match, scope) for batch in known for match, scope, _ in batch.lines.values()}

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
        is_reserved = (answer.match, answer.scope) in self._reserved
        await self._journal.record(answer, number if is_reserved else None)
        if number is not None:
            self._reserved.discard((answer.match, answer.scope))
            self.batches.end(answer.match, answer.scope)

    async def admit(self, backend: Backend, call: Call) -> None:
        if self.is_held:
            await self.may_go_on()
        if self.batches.holds(call.match, call.scope):  # it was sent, whatever the caps are now
            self._reserved.add((call.match, call.scope))
            self._budget.take_over(call, self._journal.reservation(call.match, call.scope))
            self._unasked.discard((call.match, call.scope))
            self._settled()
            return
        while (obstacle := self._budget.obstacle(call)) is not None:
            reason, may_wait = obstacle
            if not may_wait and not self._unasked:
                self._reach(reason)
            self.check_stopped()
            await self.unless_stopped(self._freed.wait() if may_wait else self._taken_over())
        number = self._budget.hold(call)
        if self._budget.has_caps and not is_batched(backend):  # batches reserve when they are sent
            self._reserved.add((call.match, call.scope))
            try:
                await self._journal.reserve(_reservation(call, number))
                if reason := self._budget.reached():  # while this was written
                    self._reach(reason)
                    self.check_stopped()
            except BaseException:  # it is not sent, so it uses nothing
                self.release(call, is_paid=False)
                raise

    def release(self, call: Call, *, is_paid: bool) -> None:
        is_paid = is_paid or self.batches.holds(call.match, call.scope)  # whoever asks for it again takes it over
        number = self._budget.settle(call.match, call.scope)
        if number is None:
            return
        is_reserved = (call.match, call.scope) in self._reserved
        self._reserved.discard((call.match, call.scope))
        if is_paid:
            self._budget.keep(call)
            if not is_reserved:
                self._journal.reserve_soon(_reservation(call, number))
        elif is_reserved:
            self._journal.release(call.match, call.scope, number)
        self._settled()

    def progress(self, match: str, step: int, events: Sequence[Event], *, is_first: bool) -> None:
        self._journal.progress(match, step, events, is_first=is_first)

    def stop(self, reason: str, within_s: float | None = None) -> None:
        if not self._stopped.is_set():
            self.log.run_stopped(reason=self.reason or reason)
        super().stop(reason, within_s)

    async def _keep_batch(self, batch: SentBatch) -> None:
        scopes = [(match, scope) for match, scope, _ in batch.lines.values()]
        new = [each for each in scopes if each not in self._reserved]
        self._reserved.update(new)
        await self._journal.keep_batch(batch, filter(None, map(self._budget.reservation, new)))

    def _free(self, scopes: Iterable[tuple[str, str]]) -> None:
        """Remove what requests had reserved that were not computed and will be sent again, or not at all."""
        for match, scope in self._reserved.intersection(scopes):
            if (found := self._budget.reservation((match, scope))) is not None:
                self._journal.release(match, scope, found.number)
                self._reserved.discard((match, scope))

    async def _taken_over(self) -> None:
        """Wait until a match asks for its line of a batch that an earlier attempt has sent: its answer may make room.

        Once none has for ``TAKE_OVER_S``, the lines that are left belong to matches that do not ask for them.
        """
        try:
            async with asyncio.timeout(TAKE_OVER_S):
                await self._freed.wait()
        except TimeoutError:
            self._unasked.clear()

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
