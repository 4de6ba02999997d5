"""A worker's desk: what passes it goes to the driver's desk, and comes back when it is done there."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, cast

from arena.backend import Backend
from arena.executor import Answer, Desk
from arena.hookspecs import Hooks
from arena.quota import Weight
from arena.wire import identity

from arena_executor_ray.messages import Admit, Granted, Happened, Keep, Lease, Return, Shut, ToDriver
from arena_executor_ray.seen import Seen


class RemoteDesk(Desk):
    """The ``Desk`` of a worker; ``send`` hands a message to the driver."""

    def __init__(self, heard: frozenset[str], send: Callable[[ToDriver], None]) -> None:
        super().__init__()
        # the driver tells its observers itself when a record comes in
        self._heard = heard - {"match_finished"}
        self._hooks = cast("Hooks", _Forwarding(send))
        self._send = send
        self._known: dict[str, Mapping[str, Answer]] = {}
        self._waiting: dict[int, asyncio.Future[None]] = {}
        self._number = 0
        self._backends: set[str] = set()

    @property
    def hooks(self) -> Hooks:
        """Moments are sent to the driver, whose observers hear them a little later."""
        return self._hooks

    @property
    def heard(self) -> frozenset[str]:
        """The hooks that somebody on the driver hears."""
        return self._heard

    def expect(self, match: str, known: Mapping[str, Answer]) -> None:
        """Take over what the driver knows of a match that is to be played."""
        self._known[match] = known

    def known(self, match: str) -> Mapping[str, Answer]:
        """Answers of an earlier attempt at a match, as the driver sent them along."""
        return self._known.pop(match, {})

    async def keep(self, answer: Answer) -> None:
        """Return once the driver has made the answer durable."""
        number = self._take_number()
        await self._granted(number, Keep(number, answer))

    async def admit(self, backend: Backend) -> None:
        """Ask the driver for one more completion."""
        self.check()
        key, first = self._introduced(backend)
        number = self._take_number()
        await self._granted(number, Admit(number, key, first))

    async def lease(self, backend: Backend, weight: Weight, *, is_again: bool) -> int:
        """Ask the driver for one more request, within all bounds of the run; the number is given back in the end."""
        self.check()
        key, first = self._introduced(backend)
        number = self._take_number()
        try:
            await self._granted(number, Lease(number, key, first, weight, is_again))
        except asyncio.CancelledError:
            self.give_back(number, is_overload=None, tokens=None)
            raise
        return number

    def give_back(self, number: int, *, is_overload: bool | None, tokens: int | None) -> None:
        """Tell the driver that a leased request is over."""
        self._send(Return(number, is_overload, tokens))

    def shut(self, backend: Backend, why: str) -> None:
        """Tell the driver that a backend will not answer."""
        self._send(Shut(self._introduced(backend)[0], why))

    def settle(self, granted: Granted) -> None:
        """Let go on who waits for this."""
        waiting = self._waiting.pop(granted.number, None)
        if waiting is None or waiting.done():
            return
        if granted.error is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(granted.error)

    def _introduced(self, backend: Backend) -> tuple[str, Backend | None]:
        """The key of a backend, and the backend itself where the driver does not know it yet."""
        key = identity(backend)
        first = None if key in self._backends else backend
        self._backends.add(key)
        return key, first

    def _take_number(self) -> int:
        self._number += 1
        return self._number

    async def _granted(self, number: int, message: ToDriver) -> None:
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        self._send(message)
        await waiting


class _Forwarding:
    """Hooks whose every call becomes a message."""

    def __init__(self, send: Callable[[ToDriver], None]) -> None:
        self._send = send

    def __getattr__(self, hook: str) -> Callable[..., None]:
        def forward(**arguments: Any) -> None:
            if (decision := arguments.get("decision")) is not None:
                arguments["decision"] = Seen.of(decision)
            self._send(Happened(hook, arguments))

        return forward
