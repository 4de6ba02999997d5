"""Holds requests back until a backend may be asked: its concurrency, its limits per minute, then the run's budget."""

import attrs
from arena.backend import Backend
from arena.errors import BackendUnavailable

from arena_engine.models.call import Call
from arena_engine.models.concurrency import AdaptiveLimiter
from arena_engine.models.rate_limit import RateLimiter, TokenEstimate
from arena_engine.models.request_text import backend_key
from arena_engine.run_log import backend_name
from arena_engine.running.context import RunContext


@attrs.frozen(eq=False)
class _BackendLimits:
    name: str
    limiter: AdaptiveLimiter
    rate: RateLimiter | None


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

    Backends with equal ``backend_key`` share their limits. A request passes the concurrency limit, the limits per
    minute and the run's budget, in this order. The refusal is a circuit breaker that stays open for the whole run.
    """

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._limits: dict[str, _BackendLimits] = {}
        self._tripped: dict[str, str] = {}

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

    def trip(self, backend: Backend, why: str) -> None:
        """Refuse all further requests to this backend; waiting ones fail with the same reason."""
        self.trip_key(backend_key(backend), why)

    def trip_key(self, key: str, why: str) -> None:
        """Do the same for the backends of this ``backend_key``, of which none may have been asked yet."""
        self._tripped.setdefault(key, why)

    @property
    def is_any_tripped(self) -> bool:
        """Whether at least one backend has failed for good."""
        return bool(self._tripped)

    def check(self, backend: Backend) -> None:
        """Raise ``BackendUnavailable`` if the backend has failed for good."""
        self._check(backend_key(backend))

    def limiter(self, backend: Backend) -> AdaptiveLimiter:
        """The concurrency limit that requests to this backend share."""
        return self._limits_of(backend_key(backend), backend).limiter

    def _check(self, key: str) -> None:
        if (why := self._tripped.get(key)) is not None:
            raise BackendUnavailable(why)

    def _limits_of(self, key: str, backend: Backend) -> _BackendLimits:
        limits = self._limits.get(key)
        if limits is None:
            per_minute = backend.requests_per_minute, backend.tokens_per_minute
            rate = None if per_minute == (None, None) else RateLimiter(*per_minute)
            limiter = AdaptiveLimiter(backend.concurrency, adapts=backend.adaptive_concurrency)
            limits = self._limits[key] = _BackendLimits(backend_name(backend), limiter, rate)
        return limits
