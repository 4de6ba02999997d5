"""The front desk of a run: every answer passes it into the journal, and it says when the run is to end."""

from collections.abc import Mapping

from arena.backend import Backend
from arena.bus import Bus
from arena.executor import Answer, Desk, Limits
from arena.hookspecs import Hooks
from arena.journal import Journal
from arena.spending import Totals


class FrontDesk(Desk):
    """The ``Desk`` of a run in this process."""

    def __init__(self, journal: Journal, limits: Limits, bus: Bus) -> None:
        super().__init__()
        self._journal = journal
        self._limits = limits
        self._hooks = bus.hooks
        self._heard = bus.heard
        self._totals = journal.totals()
        self._answered = journal.matches_with_answers()

    @property
    def hooks(self) -> Hooks:
        """The moments that observers watch."""
        return self._hooks

    @property
    def heard(self) -> frozenset[str]:
        """The hooks that somebody implements."""
        return self._heard

    @property
    def totals(self) -> Totals:
        """What the run has used so far, earlier attempts included."""
        return self._totals

    def known(self, match: str) -> Mapping[str, Answer]:
        """Answers of an earlier attempt at a match, by scope."""
        return self._journal.known(match) if match in self._answered else {}

    async def keep(self, answer: Answer) -> None:
        """Make an answer durable."""
        if answer.kind in ("completion", "cached"):
            self._totals = self._totals.plus(answer)
        await self._journal.keep(answer)

    async def admit(self, backend: Backend) -> None:
        """Let one more completion be asked, within the budget."""
        self.check()
        used, limits = self._totals, self._limits
        bounds = (
            ("budget-usd", limits.budget_usd, used.cost_usd),
            ("budget-tokens", limits.budget_tokens, used.prompt_tokens + used.completion_tokens),
            ("budget-calls", limits.budget_calls, used.calls),
        )
        for name, limit, spent in bounds:
            if limit is not None and spent >= limit:
                self.stop(f"limits.{name}: {spent:g} of {limit:g} is used; raise it and resume")
                self.check()
