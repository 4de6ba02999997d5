"""Connects an executor to the journal, the budget and the stop signal of a run."""

from collections.abc import Mapping
from datetime import UTC, datetime

from arena.backend import Backend
from arena.bus import Bus
from arena.hookspecs import Hooks

from arena_engine.journal.entries import JournalEntry
from arena_engine.journal.journal import Journal
from arena_engine.journal.usage import UsageTotals
from arena_engine.running.context import RunContext
from arena_engine.running.executor import Limits


class JournaledRun(RunContext):
    """The ``RunContext`` in the process that owns the journal. ``started`` says when each match in progress began."""

    def __init__(self, journal: Journal, limits: Limits, bus: Bus) -> None:
        super().__init__()
        self._journal = journal
        self._limits = limits
        self._hooks = bus.hooks
        self._active_hooks = bus.active_hooks
        self._totals = journal.totals()
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
        return self._totals

    def recorded(self, match: str) -> Mapping[str, JournalEntry]:
        self.started[match] = datetime.now(UTC)  # asked for once, when a match begins
        return self._journal.recorded(match) if match in self._answered else {}

    async def record(self, answer: JournalEntry) -> None:
        if answer.kind in ("completion", "cached"):
            self._totals = self._totals.plus(answer)
        await self._journal.record(answer)

    async def admit(self, backend: Backend) -> None:
        self.check_stopped()
        used, limits = self._totals, self._limits
        bounds = (
            ("budget-usd", limits.budget_usd, used.cost_usd),
            ("budget-tokens", limits.budget_tokens, used.prompt_tokens + used.completion_tokens),
            ("budget-calls", limits.budget_calls, used.calls),
        )
        for name, limit, spent in bounds:
            if limit is not None and spent >= limit:
                self.stop(f"limits.{name}: {spent:g} of {limit:g} is used; raise it and resume")
                self.check_stopped()
