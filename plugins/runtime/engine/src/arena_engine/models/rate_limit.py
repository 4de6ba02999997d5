"""Limits the requests and tokens that a backend is sent per minute, by token buckets."""

import asyncio
from contextlib import suppress

import attrs
from arena.backend import CompletionRequest

SLACK_S = 0.1
"""Seconds of unused rate that a bucket keeps, so that a timer that fires late loses nothing."""
MINUTE_S = 60.0 + SLACK_S
"""A minute and the slack: even with all slack used, no minute exceeds its limit."""
UNBOUNDED_TOKENS = 512
"""Tokens reserved for an answer whose length is left to the provider."""
PICTURE_TOKENS = 1_000
"""Tokens reserved for a picture."""


@attrs.frozen
class TokenEstimate:
    """An estimate of the tokens that a request sends, and the most that its answer may have."""

    sent: int
    written: int

    @classmethod
    def of(cls, request: CompletionRequest) -> "TokenEstimate":
        """Estimate the tokens of a request; a token is taken to be four characters."""
        parts = [part for message in request.messages for part in message.parts]
        sent = sum(len(part) // 4 + 1 if isinstance(part, str) else PICTURE_TOKENS for part in parts)
        limit = request.sampling.max_tokens
        return cls(sent, UNBOUNDED_TOKENS if limit is None else limit)


@attrs.define(eq=False)
class _TokenBucket:
    """A token bucket without burst, stored as the loop time (``free_at``) at which all that was taken is refilled."""

    per_second: float
    free_at: float

    def take(self, amount: float) -> None:
        self.free_at += amount / self.per_second


class RateLimiter:
    """Spreads requests evenly over the minute, first come, first served.

    The tokens of a request are reserved by an estimate, and corrected once the answer says what it used. Must be
    created inside the event loop whose clock it uses.
    """

    def __init__(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        now = asyncio.get_running_loop().time()
        self._requests = _TokenBucket(requests_per_minute / MINUTE_S, now) if requests_per_minute else None
        self._tokens = _TokenBucket(tokens_per_minute / MINUTE_S, now) if tokens_per_minute else None
        self._buckets = [bucket for bucket in (self._requests, self._tokens) if bucket]
        self._head = asyncio.Lock()  # asyncio's lock is fair, so whoever holds it is the head of the queue
        self._refunded = asyncio.Event()

    async def reserve(self, weight: TokenEstimate) -> None:
        """Wait until one more request may be sent, and reserve its tokens."""
        loop = asyncio.get_running_loop()
        async with self._head:
            for bucket in self._buckets:
                bucket.free_at = max(bucket.free_at, loop.time() - SLACK_S)
            # A settled request may give tokens back, which ends the wait of the next one early.
            while (wait := max(bucket.free_at for bucket in self._buckets) - loop.time()) > 0:
                self._refunded.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._refunded.wait()
            if self._requests:
                self._requests.take(1)
            if self._tokens:
                self._tokens.take(weight.sent + weight.written)

    def settle(self, weight: TokenEstimate, tokens: int | None) -> None:
        """Replace the reservation by the tokens that were used; ``None`` if the request failed without an answer."""
        if self._tokens is None:
            return
        used = weight.sent if tokens is None else tokens
        self._tokens.take(used - weight.sent - weight.written)
        self._refunded.set()
