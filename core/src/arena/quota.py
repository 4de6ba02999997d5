"""What a backend may be sent per minute, in requests and tokens."""

import asyncio
from contextlib import suppress

import attrs

from arena.backend import CompletionRequest

SLACK_S = 0.1
"""How far a late timer may be caught up with."""
MINUTE_S = 60.0 + SLACK_S
"""A minute, so long that catching up never makes it too much."""
UNBOUNDED_TOKENS = 512
"""Reserved for an answer whose length is left to the provider."""
PICTURE_TOKENS = 1_000
"""Reserved for a picture."""


@attrs.frozen
class Weight:
    """About how many tokens a request sends, and how many its answer may have."""

    sent: int
    written: int

    @classmethod
    def of(cls, request: CompletionRequest) -> "Weight":
        """Estimate it: a token has four characters."""
        parts = [part for message in request.messages for part in message.parts]
        sent = sum(len(part) // 4 + 1 if isinstance(part, str) else PICTURE_TOKENS for part in parts)
        limit = request.sampling.max_tokens
        return cls(sent, UNBOUNDED_TOKENS if limit is None else limit)


@attrs.define(eq=False)
class _Pace:
    """A token bucket that holds one request, as the moment when all that was taken from it has flowed back."""

    per_second: float
    free_at: float

    def take(self, amount: float) -> None:
        self.free_at += amount / self.per_second


class Quota:
    """Spreads requests over the minute, first come, first served. Made inside the event loop whose clock it uses.

    The tokens of a request are reserved by an estimate, and corrected once the answer says what it used.
    """

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        now = asyncio.get_running_loop().time()
        self._requests = _Pace(requests_per_minute / MINUTE_S, now) if requests_per_minute else None
        self._tokens = _Pace(tokens_per_minute / MINUTE_S, now) if tokens_per_minute else None
        self._paces = [pace for pace in (self._requests, self._tokens) if pace]
        self._head = asyncio.Lock()  # a lock is handed on in the order of asking
        self._refunded = asyncio.Event()

    async def reserve(self, weight: Weight) -> None:
        """Wait until one more request may be sent, and count it."""
        loop = asyncio.get_running_loop()
        async with self._head:
            for pace in self._paces:
                pace.free_at = max(pace.free_at, loop.time() - SLACK_S)
            while (wait := max(pace.free_at for pace in self._paces) - loop.time()) > 0:
                self._refunded.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._refunded.wait()
            if self._requests:
                self._requests.take(1)
            if self._tokens:
                self._tokens.take(weight.sent + weight.written)

    def settle(self, weight: Weight, tokens: int | None) -> None:
        """Correct what was reserved by the tokens that were used; ``None``: it failed, and nothing was written."""
        if self._tokens is None:
            return
        used = weight.sent if tokens is None else tokens
        self._tokens.take(used - weight.sent - weight.written)
        self._refunded.set()
