"""Holds requests back until a backend may be asked: its concurrency, its limits per minute, then the run's budget.

The limit follows AIMD (additive increase, multiplicative decrease), the rule by which TCP controls congestion.
"""

import asyncio
from collections import deque
from contextlib import suppress

import attrs
from arena.backend import Backend, CompletionRequest
from arena.errors import BackendUnavailable

from arena_engine.foundation.run_log import backend_name
from arena_engine.job.context import AgentStopped, RunContext
from arena_engine.journal.usage import Call
from arena_engine.models.batches import MOST_LINES, is_batched
from arena_engine.models.request_text import backend_key

WINDOW = 150
"""The most recent answers that decide about a decrease, at most."""
SHORTEST_WINDOW = 30
"""The same, at least: fewer answers say too little about a share of a tenth."""
ROUND_TRIPS = 2.5
"""The window between these two holds the answers of about so many round trips at the current limit."""
TOLERATED = 0.1
"""The share of a window's answers that may be rate limits or time-outs before the limit is lowered."""
DECREASE = 0.85
"""The factor by which the limit is lowered."""


class AdaptiveLimiter:
    """Lets at most ``max_concurrency`` requests run at once, first come, first served; fewer during an overload.

    The limit starts at ``max_concurrency`` and moves by AIMD. Additive increase: an answer that was no overload adds
    ``1 / limit`` while the limit is fully used, so a full round trip adds one request. Multiplicative decrease: once
    more than ``TOLERATED`` of the recent answers were rate limits or time-outs, the limit is multiplied by
    ``DECREASE``, but stays at least 1. Requests that were sent before a decrease teach nothing after it, so one
    overload lowers the limit at most once per round trip. ``adapts=False`` keeps the limit constant.
    """

    def __init__(self, max_concurrency: int, *, adapts: bool = True) -> None:
        self._max_concurrency = max_concurrency
        self._adapts = adapts
        self._limit = float(max_concurrency)
        self._running = 0
        self._decreases = 0
        self._window: deque[bool] = deque()
        self._overloads = 0
        self._queue: deque[asyncio.Future[int]] = deque()

    @property
    def limit(self) -> int:
        """How many requests may run at once at the moment."""
        return int(self._limit)

    async def acquire(self, *, is_retry: bool = False) -> int:
        """Wait until a request may run, and return its epoch: the number of decreases so far, for ``release``.

        A request with ``is_retry`` has waited before, so it goes ahead of first attempts. Otherwise the matches whose
        requests happened to fail would finish long after all others.
        """
        if self._running < int(self._limit) and not self._queue:
            self._running += 1
            return self._decreases
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        (self._queue.appendleft if is_retry else self._queue.append)(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was let in and cancelled in one turn of the loop
                self._running -= 1
                self._admit_waiting()
            raise

    def release(self, epoch: int, *, was_overloaded: bool | None) -> None:
        """End a request that got ``epoch`` from ``acquire``.

        ``was_overloaded`` says whether it ended in ``BackendOverloaded``; with ``None`` the limit learns nothing.
        """
        if self._adapts and was_overloaded is not None and epoch == self._decreases:
            self._learn(was_overloaded)
        self._running -= 1
        if self._queue:
            self._admit_waiting()

    def _learn(self, was_overloaded: bool) -> None:
        # A limit that is not used up has not been tested: only answers under full load may raise it.
        if not was_overloaded and self._limit < self._max_concurrency and self._running >= int(self._limit):
            self._limit = min(float(self._max_concurrency), self._limit + 1 / self._limit)
        self._window.append(was_overloaded)
        self._overloads += was_overloaded
        size = min(WINDOW, max(SHORTEST_WINDOW, int(ROUND_TRIPS * self._limit)))
        while len(self._window) > size:
            self._overloads -= self._window.popleft()
        if self._overloads > TOLERATED * size:
            # The new epoch discards what is still in flight: those requests were sent at the old, higher limit.
            self._limit = max(1.0, self._limit * DECREASE)
            self._decreases += 1
            self._window.clear()
            self._overloads = 0

    def _admit_waiting(self) -> None:
        while self._queue and self._running < int(self._limit):
            turn = self._queue.popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(self._decreases)


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
        sent = 0
        for message in request.messages:
            for part in message.parts:
                sent += len(part) // 4 + 1 if isinstance(part, str) else PICTURE_TOKENS
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


@attrs.define(eq=False)
class _BackendLimits:
    name: str
    limiter: AdaptiveLimiter
    rate: RateLimiter | None
    paused_until: float = 0.0  # by the clock of the event loop


@attrs.frozen
class Permit:
    """The permission to send one request of about ``weight`` tokens; ``Throttle.release`` takes it back.

    ``call`` is what it counts for the run's budget. ``epoch`` is what ``AdaptiveLimiter.acquire`` returned for it.
    """

    backend_key: str
    epoch: int
    weight: TokenEstimate
    call: Call


class Throttle:
    """Limits the requests to each backend, and refuses those to a backend that has failed for good.

    Backends with equal ``backend_key`` share their limits. A request passes the concurrency limit, the pause that a
    provider asked for, the limits per minute and the run's budget, in this order. The refusal is a circuit breaker that
    stays open for the whole run.
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._limits: dict[str, _BackendLimits] = {}
        self._tripped: dict[str, str] = {}
        self._spent: dict[str, str] = {}

    async def acquire(self, backend: Backend, weight: TokenEstimate, call: Call, *, is_retry: bool = False) -> Permit:
        """Wait until a request may be sent. ``BackendUnavailable`` if the backend has failed for good.

        ``call`` is what it counts for the run's budget. ``is_retry`` says that the same request failed before; it goes
        ahead of first attempts.
        """
        key = backend_key(backend)
        limits = self._limits_of(key, backend)
        self._check(key)
        epoch = await limits.limiter.acquire(is_retry=is_retry)
        try:
            self._check(key)  # it may have failed for good while this request waited
            while (pause := limits.paused_until - asyncio.get_running_loop().time()) > 0:
                await self._context.unless_stopped(asyncio.sleep(pause))
            if limits.rate:
                await self._context.unless_stopped(limits.rate.reserve(weight))
            await self._context.admit(backend, call)  # last: an admitted request counts for the budget
        except BaseException:
            limits.limiter.release(epoch, was_overloaded=None)
            raise
        return Permit(key, epoch, weight, call)

    def release(
        self, permit: Permit, *, was_overloaded: bool | None, tokens: int | None, is_paid: bool | None = True
    ) -> None:
        """End a request. ``was_overloaded`` is as in ``AdaptiveLimiter.release``; ``tokens`` are what it used.

        ``tokens`` is ``None`` if the request was not answered. ``is_paid`` is ``None`` if it was answered, so that the
        journal's entry ends the call; otherwise it says whether the request may have been computed all the same.
        """
        if is_paid is not None:
            self._context.release(permit.call, is_paid=is_paid)
        limits = self._limits[permit.backend_key]
        if limits.rate and was_overloaded is not None:
            limits.rate.settle(permit.weight, tokens)
        before = limits.limiter.limit
        limits.limiter.release(permit.epoch, was_overloaded=was_overloaded)
        if (limit := limits.limiter.limit) != before:
            self._context.log.bind(backend=limits.name).concurrency_changed(limit=limit)

    def pause(self, backend: Backend, seconds: float) -> None:
        """Hold back all requests to this backend, whose limit begins anew in so many seconds; the shortest counts."""
        limits = self._limits_of(backend_key(backend), backend)
        now = asyncio.get_running_loop().time()
        is_paused = limits.paused_until > now
        limits.paused_until = min(limits.paused_until, now + seconds) if is_paused else now + seconds

    def trip(self, backend: Backend, why: str) -> None:
        """Refuse all further requests to this backend; waiting ones fail with the same reason."""
        self.trip_key(backend_key(backend), why)

    def trip_key(self, key: str, why: str) -> None:
        """Do the same for the backends of this ``backend_key``, of which none may have been asked yet."""
        self._tripped.setdefault(key, why)

    def trip_spent(self, backend: Backend, why: str) -> None:
        """Refuse all further requests to a backend whose account or day's limit is used up, with ``AgentStopped``."""
        self._spent.setdefault(backend_key(backend), why)

    @property
    def is_any_spent(self) -> bool:
        """Whether the account or the day's limit of at least one backend is used up."""
        return bool(self._spent)

    @property
    def is_any_tripped(self) -> bool:
        """Whether at least one backend has failed for good."""
        return bool(self._tripped or self._spent)

    def check(self, backend: Backend) -> None:
        """Raise ``BackendUnavailable`` if the backend has failed for good, ``AgentStopped`` if its limit is used up."""
        self._check(backend_key(backend))

    def limiter(self, backend: Backend) -> AdaptiveLimiter:
        """The concurrency limit that requests to this backend share."""
        return self._limits_of(backend_key(backend), backend).limiter

    def _check(self, key: str) -> None:
        if (why := self._spent.get(key)) is not None:
            raise AgentStopped(why)
        if (why := self._tripped.get(key)) is not None:
            raise BackendUnavailable(why)

    def _limits_of(self, key: str, backend: Backend) -> _BackendLimits:
        limits = self._limits.get(key)
        if limits is None:
            per_minute = backend.requests_per_minute, backend.tokens_per_minute
            is_batch = is_batched(backend)  # providers limit what waits in batches by other rules
            rate = None if is_batch or per_minute == (None, None) else RateLimiter(*per_minute)
            most = MOST_LINES if is_batch else backend.concurrency
            limiter = AdaptiveLimiter(most, adapts=backend.adaptive_concurrency and not is_batch)
            limits = self._limits[key] = _BackendLimits(backend_name(backend), limiter, rate)
        return limits
