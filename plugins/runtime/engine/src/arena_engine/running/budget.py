"""The caps of a run: what was used, what the calls in flight may use at most, and whether another call fits."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final

import attrs

from arena_engine.journal.usage import UsageTotals
from arena_engine.models.call import Call
from arena_engine.running.executor import Limits

_USES: Final[Mapping[str, Callable[[Call], float]]] = {
    "usd": lambda call: call.cost_usd or 0.0,
    "tokens": lambda call: call.tokens,
    "calls": lambda _: 1,
}
"""What a call may use of each cap."""


class CallBudget:
    """Counts calls from the moment they are sent: as an estimate from above, until their answer corrects it.

    A call that does not fit beside those in flight waits until they are answered; where none is in flight and it still
    does not fit, the cap is reached. So a cap is passed by no more than the error of the estimates.
    """

    def __init__(self, limits: Limits, used: UsageTotals, tries: Counter[tuple[str, str]]) -> None:
        self.used = used
        self._limits = limits
        self._tries = tries
        self._held: dict[tuple[str, str], Call] = {}

    @property
    def has_caps(self) -> bool:
        """Whether there is any cap to keep."""
        limits = self._limits
        return (limits.budget_calls, limits.budget_tokens, limits.budget_usd) != (None, None, None)

    def reached(self) -> str | None:
        """Which cap is used up already, or ``None``."""
        return next((reason for _, spent, limit, reason in self._caps() if spent >= limit), None)

    def obstacle(self, call: Call) -> tuple[str, bool] | None:
        """Why a call may not be sent now, and whether waiting may help; ``None`` if it may be sent."""
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

    def settle(self, match: str, scope: str) -> int | None:
        """Count a call no longer as one in flight; returns the number of its try, ``None`` if there was none."""
        if self._held.pop((match, scope), None) is None:
            return None
        return self._tries[match, scope] - 1

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
