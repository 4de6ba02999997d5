"""One call to a model before it is answered: what it may use at most, and what its answer says that it used."""

import json
import math
from typing import Final, Literal, cast

import attrs
from arena.backend import Backend, Completion, CompletionRequest, Usage
from arena.errors import BackendError, BackendOverloaded, BackendTimedOut, BackendUnreachable, TransientBackendError

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
        for part in (request.schema, *map(attrs.asdict, request.tools)):
            sent += len(json.dumps(part)) if part else 0
        for message in request.messages:
            sent += sum(len(f"{each.name}{each.arguments}".encode()) for each in message.tool_calls)
            sent += sum(len(part.encode()) if isinstance(part, str) else PER_PICTURE for part in message.parts)
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
    counted: Literal["provider", "estimated"]
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
        return Counted(sound, *needed, cost, "provider", "")
    doubt = f"{usage.prompt_tokens!r} tokens sent and {usage.completion_tokens!r} written"
    sound = attrs.evolve(completion, usage=Usage(), cost_usd=cost)
    cost = call.cost_usd if cost is None else cost
    return Counted(sound, call.prompt_tokens, call.completion_tokens, cost, "estimated", doubt)


def part_of(tokens: object, whole: int) -> int | None:
    """The number of those tokens that are a part of ``whole``; ``None`` if it is not known, or cannot be true."""
    return cast("int", tokens) if _is_count(tokens) and cast("int", tokens) <= whole else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
