"""What a run has used, one by one, added up and by the models that answered; and what it was estimated to use."""

import json
from collections.abc import Mapping
from typing import Any, Self

import attrs

from arena.executor import Answer
from arena.metric import Use
from arena.record import JSON, Player


@attrs.frozen(kw_only=True)
class Answering:
    """Which model answered for a backend, as the provider named it, and how often; ``backend`` is its settings."""

    backend: str
    model: str
    fingerprint: str | None
    calls: int


@attrs.frozen(kw_only=True)
class Totals:
    """What a run has asked for so far. ``cost_usd`` sums the known prices; ``unpriced_calls`` had none.

    Completions that came from the cache are in ``cached_calls`` and in nothing else: they were paid for by another run.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_calls: int = 0
    cached_calls: int = 0

    def plus(self, answer: Answer) -> "Totals":
        """The totals with one more completion."""
        if answer.kind == "cached":
            return attrs.evolve(self, cached_calls=self.cached_calls + 1)
        return Totals(
            cached_calls=self.cached_calls,
            calls=self.calls + 1,
            prompt_tokens=self.prompt_tokens + answer.prompt_tokens,
            completion_tokens=self.completion_tokens + answer.completion_tokens,
            cost_usd=self.cost_usd + (answer.cost_usd or 0.0),
            unpriced_calls=self.unpriced_calls + (answer.cost_usd is None),
        )


def use_of(scope: str, kind: str, usage: str, cost_usd: float | None) -> Use:
    """A completion as the journal keeps it; ``usage`` is the JSON text of its four counts."""
    owner, turn, *_ = scope.split("/")
    is_player = owner.isdigit()
    prompt, written, cached, reasoning = json.loads(usage)
    # A provider that counts nothing leaves zeros; no prompt is empty.
    is_counted = prompt > 0
    return Use(
        player=Player(int(owner)) if is_player else None,
        turn=int(turn) if is_player and turn.isdigit() else None,
        prompt_tokens=prompt if is_counted else None,
        completion_tokens=written if is_counted else None,
        cached_tokens=cached if is_counted else None,
        reasoning_tokens=reasoning if is_counted else None,
        cost_usd=cost_usd,
        is_shared=kind == "cached",
    )


@attrs.frozen
class Range:
    """A guess between two bounds."""

    low: float = 0.0
    likely: float = 0.0
    high: float = 0.0

    def plus(self, other: "Range") -> "Range":
        """The sum."""
        return Range(self.low + other.low, self.likely + other.likely, self.high + other.high)

    def times(self, factor: float) -> "Range":
        """A multiple."""
        return Range(self.low * factor, self.likely * factor, self.high * factor)


@attrs.frozen(kw_only=True)
class Forecast:
    """What a whole run was estimated to take before it began.

    ``completion_tokens`` is an upper bound, ``None`` where there is none; ``cost_usd`` is ``None`` where nobody knows a
    price.
    """

    matches: int
    decisions: Range
    calls: Range
    prompt_tokens: Range
    completion_tokens: float | None
    cost_usd: Range | None
    seconds: Range

    def to_json(self) -> JSON:
        """Plain data."""
        return attrs.asdict(self)

    @classmethod
    def from_json(cls, raw: Mapping[str, Any]) -> Self:
        """Undo ``to_json``."""
        ranges = ("decisions", "calls", "prompt_tokens", "cost_usd", "seconds")
        found: dict[str, Any] = {n: Range(**raw[n]) if n in ranges and raw[n] is not None else raw[n] for n in raw}
        return cls(**found)
