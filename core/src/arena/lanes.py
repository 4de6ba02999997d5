"""The ways to backends: what the requests to equal ones pass, one after another, before they are sent."""

import attrs

from arena.backend import Backend
from arena.errors import BackendError
from arena.executor import Desk
from arena.gate import Gate
from arena.quota import Quota, Weight
from arena.wire import identity


@attrs.frozen(eq=False)
class _Lane:
    gate: Gate
    quota: Quota | None


@attrs.frozen
class Permit:
    """Leave to send one request of some ``weight``; handed in when that is over."""

    lane: str
    ticket: int
    weight: Weight


class Lanes:
    """A lane for each different backend: how many at once, how many per minute, and then the run's budget.

    A lane is shut once it is known that no request to its backend will be answered.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._lanes: dict[str, _Lane] = {}
        self._shut: dict[str, str] = {}

    async def enter(self, backend: Backend, weight: Weight, *, is_again: bool = False) -> Permit:
        """Wait until a request may be sent; ``BackendError`` where the lane is shut. ``is_again``: it failed before."""
        key = identity(backend)
        lane = self._lane(key, backend)
        self._check(key)
        ticket = await lane.gate.enter(is_again=is_again)
        try:
            self._check(key)
            if lane.quota:
                await self._desk.unless_stopped(lane.quota.reserve(weight))
            await self._desk.admit(backend)
        except BaseException:
            lane.gate.leave(ticket, is_overload=None)
            raise
        return Permit(key, ticket, weight)

    def leave(self, permit: Permit, *, is_overload: bool | None, tokens: int | None) -> None:
        """The request is over. ``is_overload`` as for ``Gate.leave``; ``tokens`` are what an answer used."""
        lane = self._lanes[permit.lane]
        if lane.quota and is_overload is not None:
            lane.quota.settle(permit.weight, tokens)
        lane.gate.leave(permit.ticket, is_overload=is_overload)

    def shut(self, backend: Backend, why: str) -> None:
        """Let nobody in any more; who waits and who comes later is told why."""
        self._shut.setdefault(identity(backend), why)

    @property
    def is_any_shut(self) -> bool:
        """Whether there is a backend that will not answer."""
        return bool(self._shut)

    def check(self, backend: Backend) -> None:
        """Raise ``BackendError`` where the backend's lane is shut."""
        self._check(identity(backend))

    def gate(self, backend: Backend) -> Gate:
        """What bounds the requests to a backend that are under way at once."""
        return self._lane(identity(backend), backend).gate

    def _check(self, key: str) -> None:
        if (why := self._shut.get(key)) is not None:
            raise BackendError(why)

    def _lane(self, key: str, backend: Backend) -> _Lane:
        lane = self._lanes.get(key)
        if lane is None:
            limits = backend.requests_per_minute, backend.tokens_per_minute
            quota = None if limits == (None, None) else Quota(*limits)
            lane = self._lanes[key] = _Lane(Gate(backend.concurrency, adapts=backend.adapts), quota)
        return lane
