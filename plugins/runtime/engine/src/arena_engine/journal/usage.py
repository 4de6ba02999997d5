"""What calls to models may use at most, and what they used: one, all of a run, by model version, as forecast."""

import json
import math
from collections.abc import Mapping
from typing import Any, Final, Literal, Self, cast

import attrs
from arena.backend import Backend, Completion, CompletionRequest, Usage
from arena.errors import BackendError, BackendOverloaded, BackendTimedOut, BackendUnreachable, TransientBackendError
from arena.metric import CallUsage
from arena.record import JSON, Player

from arena_engine.journal.stored_json import JournalEntry

PER_MESSAGE: Final = 16
"""Tokens added for each message: the marks that providers put around it."""
PER_PICTURE: Final = 4_096
"""Tokens taken for a picture: more than providers count for the largest one they accept."""
LARGEST: Final = 2**63 - 1
"""The largest count that can be stored."""


@attrs.frozen
class Call:
    """A request to a model in one scope of a match, with an estimate from above of what it may use.

    A token has at least one byte, so the bytes that are sent are never fewer than their tokens. ``completion_tokens``
    is the longest answer, 0 if nobody knows it; ``cost_usd`` is ``None`` if no price is known.
    """

    match: str
    scope: str
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None

    @classmethod
    def of(cls, match: str, scope: str, backend: Backend, request: CompletionRequest) -> "Call":
        """Estimate a request, whose sampling is complete."""
        sent = len(request.messages) * PER_MESSAGE
        if request.schema:
            sent += len(json.dumps(request.schema))
        for tool in request.tools:
            sent += len(json.dumps(attrs.asdict(tool)))
        for message in request.messages:
            for each in message.tool_calls:
                sent += len(f"{each.name}{each.arguments}".encode())
            for part in message.parts:
                sent += len(part.encode()) if isinstance(part, str) else PER_PICTURE
        written = request.sampling.max_tokens or backend.longest_answer() or 0
        price = backend.price()
        cost = None if price is None else sent * price.prompt_usd + written * price.completion_usd
        return cls(match, scope, sent, written, cost)

    @property
    def tokens(self) -> int:
        """All tokens that it may use."""
        return self.prompt_tokens + self.completion_tokens


def may_have_cost(error: BackendError) -> bool:
    """Whether a request that failed was perhaps computed and paid for: it was sent, and nobody refused it."""
    if isinstance(error, BackendTimedOut):
        return True
    return isinstance(error, TransientBackendError) and not isinstance(error, BackendOverloaded | BackendUnreachable)


@attrs.frozen
class Counted:
    """What an answer used, as it is counted; ``doubt`` says why the provider's own count is not used, or is ``""``."""

    completion: Completion
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None
    counted: Literal["provider", "larger", "estimated"]
    doubt: str

    @property
    def tokens(self) -> int:
        """All tokens that it used."""
        return self.prompt_tokens + self.completion_tokens


def count(completion: Completion, call: Call) -> Counted:
    """Take the provider's count if it can be true, and the estimate of the call otherwise.

    Counts are whole numbers from 0 to 2^63 - 1, and a prompt has at least one token; a cost is finite and not negative.
    What cannot be true is removed from the completion.
    """
    usage, cost = completion.usage, completion.cost_usd
    if cost is not None and not (_is_number(cost) and math.isfinite(cost) and cost >= 0):
        cost = None
    needed = (usage.prompt_tokens, usage.completion_tokens)
    is_true = all(map(_is_count, needed)) and usage.prompt_tokens > 0
    if is_true:
        cached = part_of(usage.cached_tokens, usage.prompt_tokens)
        reasoning = part_of(usage.reasoning_tokens, usage.completion_tokens)
        sound = completion
        if (cached, reasoning, cost) != (usage.cached_tokens, usage.reasoning_tokens, completion.cost_usd):
            usage = attrs.evolve(usage, cached_tokens=cached, reasoning_tokens=reasoning)
            sound = attrs.evolve(completion, usage=usage, cost_usd=cost)
        differs = _is_count(usage.difference) and usage.difference > 0
        return Counted(sound, *needed, cost, "larger" if differs else "provider", "")
    if completion.finish_reason == "context-length":  # refused before anything was computed
        return Counted(attrs.evolve(completion, usage=Usage(), cost_usd=cost), 0, 0, cost or 0.0, "provider", "")
    doubt = f"{usage.prompt_tokens!r} tokens sent and {usage.completion_tokens!r} written"
    sound = attrs.evolve(completion, usage=Usage(), cost_usd=cost)
    cost = call.cost_usd if cost is None else cost
    return Counted(sound, call.prompt_tokens, call.completion_tokens, cost, "estimated", doubt)


def part_of(tokens: object, whole: int) -> int | None:
    """The number of those tokens that are a part of ``whole``; ``None`` if it is not known, or cannot be true."""
    return cast("int", tokens) if _is_count(tokens) and cast("int", tokens) <= whole else None


def _is_count(value: object) -> bool:
    return type(value) is int and 0 <= value <= LARGEST


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@attrs.frozen(kw_only=True)
class ModelVersion:
    """A model that answered for a backend, as the provider names it, with its number of answers.

    ``backend`` holds the backend's settings as JSON. ``untold`` counts the answers of which nobody knows whether they
    are whole, by the server's word for their end.
    """

    backend: str
    model: str
    fingerprint: str | None
    calls: int
    untold: Mapping[str, int] = attrs.field(factory=dict[str, int], hash=False)


@attrs.frozen(kw_only=True)
class UsageTotals:
    """The total usage of a run so far. ``cost_usd`` sums the known costs; ``unpriced_calls`` counts the unknown ones.

    ``estimated_calls`` are those whose tokens are estimates from above, ``larger_calls`` those whose total and parts
    differed, of which the larger is counted. Completions from the cache count in
    ``cached_calls`` and nowhere else, because another run paid for them.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    unpriced_calls: int = 0
    cached_calls: int = 0
    estimated_calls: int = 0
    larger_calls: int = 0

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
            larger_calls=self.larger_calls + (answer.counted == "larger"),
        )


def usage_of(answer: JournalEntry) -> CallUsage:
    """The usage of one completion, from its entry in the journal."""
    owner, turn, *_ = answer.scope.split("/")
    is_player = owner.isdigit()
    _, _, cached, reasoning = json.loads(answer.value)["usage"]
    # An estimate from above says nothing of what was cached.
    is_told = answer.counted in ("provider", "larger")
    is_counted = is_told or answer.counted == "estimated"
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
