"""Who is there for a run's open seats: as long as somebody is, the run waits for them."""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import attrs
from arena.errors import ConfigError
from arena_engine import ControlAddress, RemoteControl

T = TypeVar("T")

STAYS_S: Final = 30.0
"""So many seconds after its last request somebody still counts as being there."""

WAITING: Final = 64
"""So many requests wait at once for what players of runs say."""


@attrs.define(eq=False)
class _Attended:
    """A connection that keeps a run waiting, and the timer that ends it."""

    address: ControlAddress
    connection: ExitStack
    timer: asyncio.TimerHandle | None = None


class SeatPresence:
    """Attends runs in other processes while somebody is there; ``stays_s`` are seconds after the last request."""

    def __init__(self, stays_s: float = STAYS_S) -> None:
        self._stays_s = stays_s
        self._here: Counter[Path] = Counter()
        self._attended: dict[Path, _Attended] = {}
        self._threads = ThreadPoolExecutor(WAITING, "seat")

    async def in_thread(self, function: Callable[[], T]) -> T:
        """What a function gives that may wait for the process of a run."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    @asynccontextmanager
    async def here(self, directory: Path) -> AsyncGenerator[None]:
        """Say that somebody is there for a run meanwhile, and for a while afterwards."""
        self._here[directory] += 1
        try:
            await self.attend(directory)
            yield
        finally:
            self._here[directory] -= 1
            self._go_later(directory)

    async def attend(self, directory: Path) -> None:
        """Attend the process that plays a run, unless that is done already; nothing where nobody plays it."""
        address = ControlAddress.of(directory)
        known = self._attended.get(directory)
        if known is not None and known.address == address:
            self._go_later(directory)
            return
        self._end(directory)
        if address is None:
            return
        with suppress(ConfigError):
            connection = ExitStack()
            await self.in_thread(lambda: connection.enter_context(RemoteControl(directory).attending()))
            self._end(directory)  # another request may have been as quick
            self._attended[directory] = _Attended(address, connection)
            self._go_later(directory)

    def close(self) -> None:
        """Attend nothing any more."""
        for directory in [*self._attended]:
            self._end(directory)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _go_later(self, directory: Path) -> None:
        known = self._attended.get(directory)
        if known is None:
            return
        if known.timer is not None:
            known.timer.cancel()
        known.timer = asyncio.get_running_loop().call_later(self._stays_s, self._go, directory)

    def _go(self, directory: Path) -> None:
        if self._here[directory] > 0:
            self._go_later(directory)
        else:
            self._end(directory)

    def _end(self, directory: Path) -> None:
        known = self._attended.pop(directory, None)
        if known is None:
            return
        if known.timer is not None:
            known.timer.cancel()
        with suppress(ConfigError, OSError):
            known.connection.close()
