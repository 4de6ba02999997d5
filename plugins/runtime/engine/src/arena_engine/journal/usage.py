"""The usage of a run: of one completion, in total, by model version, and as it was forecast."""

import json
from collections.abc import Mapping
from typing import Any, Self

import attrs
from arena.metric import CallUsage
from arena.record import JSON, Player

from arena_engine.journal.entries import JournalEntry
from arena_engine.models.call import part_of


@attrs.frozen(kw_only=True)
class ModelVersion:
    """A model that answered for a backend, as the provider names it, with its number of answers.

    ``backend`` holds the backend's settings as JSON.
    """

    backend: str
    model: str
    fingerprint: str | None
    calls: int


@attrs.frozen(kw_only=True)
class UsageTotals:
    """The total usage of a run so far. ``cost_usd`` sums the known costs; ``unpriced_calls`` counts the unknown ones.

    ``estimated_calls`` are those whose tokens are estimates from above. Completions from the cache count in
    ``cached_calls`` and nowhere else, because another run paid for them.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_calls: int = 0
    cached_calls: int = 0
    estimated_calls: int = 0

    def plus(self, answer: JournalEntry) -> "UsageTotals":
        """Return the totals with one more completion."""
        if answer.kind == "cached":
            return attrs.evolve(self, cached_calls=self.cached_calls + 1)
        return UsageTotals(
            cached_calls=self.cached_calls,
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + answer.prompt_tokens,
            completion_tokens=self.completion_tokens + answer.completion_tokens,
            cost_usd=self.cost_usd + (answer.cost_usd or 0.0),
            unpriced_calls=self.unpriced_calls + (answer.cost_usd is None),
            estimated_calls=self.estimated_calls + (answer.counted == "estimated"),
        )


def usage_of(answer: JournalEntry) -> CallUsage:
    """The usage of one completion, from its entry in the journal."""
    owner, turn, *_ = answer.scope.split("/")
    is_player = owner.isdigit()
    _, _, cached, reasoning = json.loads(answer.value)["usage"]
    # An estimate from above says nothing of what was cached.
    is_told, is_counted = answer.counted == "provider", answer.counted in ("provider", "estimated")
    return CallUsage(
        player=Player(int(owner)) if is_player else None,
        turn=int(turn) if is_player and turn.isdigit() else None,
        prompt_tokens=answer.prompt_tokens if is_counted else None,
        completion_tokens=answer.completion_tokens if is_counted else None,
        cached_tokens=part_of(cached, answer.prompt_tokens) if is_told else None,
        reasoning_tokens=part_of(reasoning, answer.completion_tokens) if is_told else None,
        cost_usd=answer.cost_usd,
        is_shared=answer.kind == "cached",
        is_estimated=answer.counted == "estimated",
    )


@attrs.frozen
class Range:
    """An estimate with its lower and upper bound."""

    low: float = 0.0
    likely: float = 0.0
    high: float = 0.0

    def plus(self, other: "Range") -> "Range":
        """Add another range, bound by bound."""
        return Range(self.low + other.low, self.likely + other.likely, self.high + other.high)

    def times(self, factor: float) -> "Range":
        """Multiply the estimate and its bounds by ``factor``."""
        return Range(self.low * factor, self.likely * factor, self.high * factor)


@attrs.frozen(kw_only=True)
class Forecast:
    """The forecast of a whole run's usage, made before it began.

    ``completion_tokens`` is an upper bound, ``None`` if there is none; ``cost_usd`` is ``None`` if a price is unknown.
    """

    matches: int
    decisions: Range
    calls: Range
    prompt_tokens: Range
    completion_tokens: float | None
    cost_usd: Range | None
    seconds: Range

    def to_json(self) -> JSON:
        """The forecast as plain data, under the names of its fields."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Self:
        """Create a forecast from what ``to_json`` returned."""
        ranges = ("decisions", "calls", "prompt_tokens", "cost_usd", "seconds")
        found: dict[str, Any] = {n: Range(**raw[n]) if n in ranges and raw[n] is not None else raw[n] for n in raw}
        return cls(**found)
