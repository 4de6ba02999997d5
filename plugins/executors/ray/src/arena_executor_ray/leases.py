"""Limits a worker's requests: the driver's limits for backends elsewhere, its own for models in this process."""

from arena.backend import OFFLINE, Backend
from arena.errors import BackendUnavailable
from arena_engine import Call, Permit, Throttle, TokenEstimate, backend_key

from arena_executor_ray.remote_run import RemoteRun


class LeasedThrottle(Throttle):
    """Asks the driver for a lease before each request, because its limits hold for all workers together.

    A model that runs in the worker itself (``OFFLINE``) exists once per worker and is limited here.
    """

    def __init__(self, context: RemoteRun) -> None:
        super().__init__(context)
        self._lender = context

    async def acquire(self, backend: Backend, weight: TokenEstimate, call: Call, *, is_retry: bool = False) -> Permit:
        """Wait for a lease; raises ``BackendUnavailable`` if the backend has failed for good."""
        if OFFLINE in backend.supports():
            return await super().acquire(backend, weight, call, is_retry=is_retry)
        self.check(backend)
        try:
            number = await self._lender.lease(backend, weight, call, is_retry=is_retry)
        except BackendUnavailable as error:  # another worker has seen it fail
            super().trip(backend, str(error))
            raise
        return Permit(backend_key(backend), number, weight, call)

    def release(
        self, permit: Permit, *, was_overloaded: bool | None, tokens: int | None, is_paid: bool | None = True
    ) -> None:
        """Return the lease, with what the response said about load and tokens."""
        if permit.backend_key in self._limits:
            super().release(permit, was_overloaded=was_overloaded, tokens=tokens, is_paid=is_paid)
        else:
            self._lender.give_back(permit.epoch, was_overloaded=was_overloaded, tokens=tokens, is_paid=is_paid)

    def trip(self, backend: Backend, why: str) -> None:
        """Refuse all further requests to this backend, on every worker."""
        super().trip(backend, why)
        if OFFLINE not in backend.supports():
            self._lender.trip(backend, why)
