"""A worker's lanes: the driver's for backends elsewhere, its own for models in this process."""

from arena.backend import OFFLINE, Backend
from arena.errors import BackendError
from arena.lanes import Lanes, Permit
from arena.quota import Weight
from arena.wire import identity

from arena_executor_ray.desk import RemoteDesk


class Leases(Lanes):
    """The driver's bounds hold for all workers together, so each request is a lease from it.

    A model that runs in the worker itself (``OFFLINE``) is there once for each worker, and bounded here.
    """

    def __init__(self, desk: RemoteDesk) -> None:
        super().__init__(desk)
        self._lender = desk

    async def enter(self, backend: Backend, weight: Weight, *, is_again: bool = False) -> Permit:
        """Wait for a lease; ``BackendError`` where the lane is shut."""
        if OFFLINE in backend.able():
            return await super().enter(backend, weight, is_again=is_again)
        self.check(backend)
        try:
            number = await self._lender.lease(backend, weight, is_again=is_again)
        except BackendError as error:  # another worker found out
            super().shut(backend, str(error))
            raise
        return Permit(identity(backend), number, weight)

    def leave(self, permit: Permit, *, is_overload: bool | None, tokens: int | None) -> None:
        """Give the lease back, with what was learned."""
        if permit.lane in self._lanes:
            super().leave(permit, is_overload=is_overload, tokens=tokens)
        else:
            self._lender.give_back(permit.ticket, is_overload=is_overload, tokens=tokens)

    def shut(self, backend: Backend, why: str) -> None:
        """Let nobody in any more, on no worker."""
        super().shut(backend, why)
        if OFFLINE not in backend.able():
            self._lender.shut(backend, why)
