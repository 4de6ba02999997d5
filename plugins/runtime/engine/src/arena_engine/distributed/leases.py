"""Limits a worker's requests: the driver's limits for backends elsewhere, its own for models in this process."""

from arena.backend import OFFLINE, Backend
from arena.errors import BackendUnavailable

from arena_engine.distributed.remote_run import RemoteRun
from arena_engine.models.call import Call
from arena_engine.models.rate_limit import TokenEstimate
from arena_engine.models.request_text import backend_key
from arena_engine.models.throttle import Permit, Throttle


class LeasedThrottle(Throttle):
    """Asks the driver for a lease before each request, because its limits hold for all workers together.

    A model that runs in the worker itself (``OFFLINE``) exists once per worker and is limited here, unless the driver
    holds it for all of them (``asks_driver``).
    """

    def __init__(self, context: RemoteRun, *, asks_driver: bool = False) -> None:
        super().__init__(context)
        self._lender = context
        self._asks_driver = asks_driver

    async def acquire(self, backend: Backend, weight: TokenEstimate, call: Call, *, is_retry: bool = False) -> Permit:
        """Wait for a lease; raises ``BackendUnavailable`` if the backend has failed for good."""
        if self._is_own(backend):
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
        if not self._is_own(backend):
            self._lender.trip(backend_key(backend), why)

    def _is_own(self, backend: Backend) -> bool:
        """Whether the model runs in this process."""
        return OFFLINE in backend.supports() and not self._asks_driver
