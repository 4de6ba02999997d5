"""Who is there for a run's open seats, and in which page: as long as somebody is, the run waits for them."""

import asyncio
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final, TypeVar

import attrs
from arena.errors import ConfigError
from arena_engine import ControlAddress, RemoteControl

from arena_web.foundation.errors import ApiError

T = TypeVar("T")

STAYS_S: Final = 30.0
"""So many seconds after its last request somebody still counts as being there."""

WAITING: Final = 64
"""So many requests wait at once for what players of runs say."""


LOOK_S: Final = 1.0
"""Seconds between two looks whether a run is played, by which process."""


@attrs.frozen(eq=False)
class _Attended:
    """A connection that keeps the process waiting that plays a run."""

    address: ControlAddress
    connection: ExitStack


class SeatPresence:
    """Attends runs that other processes play while somebody is there, and ``stays_s`` seconds longer."""

    def __init__(self, stays_s: float = STAYS_S) -> None:
        self._stays_s = stays_s
        self._here: Counter[Path] = Counter()
        self._until: dict[Path, float] = {}
        self._own: set[Path] = set()
        self._attended: dict[Path, _Attended] = {}
        self._keeping: dict[Path, asyncio.Task[None]] = {}
        self._threads = ThreadPoolExecutor(WAITING, "seat")

    async def in_thread(self, function: Callable[[], T]) -> T:
        """What a function gives that may wait for the process of a run."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, function)

    @asynccontextmanager
    async def here(self, directory: Path) -> AsyncGenerator[None]:
        """Say that somebody is there for a run meanwhile: whoever plays it waits, and whoever resumes it."""
        self._here[directory] += 1
        try:
            await self._attend(directory)
            self._keep_on(directory)
            yield
        finally:
            self._here[directory] -= 1
            self._until[directory] = asyncio.get_running_loop().time() + self._stays_s

    async def stay(self, directory: Path) -> None:
        """Be there for a run that was started here, as long as it is played: its host comes when there is a link."""
        self._own.add(directory)
        await self._attend(directory)
        self._keep_on(directory)

    @property
    def is_busy(self) -> bool:
        """Whether there is a run that is attended, or for which somebody is there."""
        return bool(self._keeping)

    async def close(self) -> None:
        """Attend nothing any more."""
        for task in self._keeping.values():
            task.cancel()
        await asyncio.gather(*self._keeping.values(), return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _keep_on(self, directory: Path) -> None:
        if directory not in self._keeping:
            self._keeping[directory] = asyncio.create_task(self._keep(directory))

    async def _keep(self, directory: Path) -> None:
        """Attend a run, and each process that comes to play it, until nobody is there any more."""
        loop = asyncio.get_running_loop()
        try:
            while self._here[directory] or loop.time() < self._until.get(directory, 0.0) or directory in self._own:
                await self._attend(directory)
                if directory not in self._attended:
                    self._own.discard(directory)
                await asyncio.sleep(LOOK_S)
        finally:
            del self._keeping[directory]
            self._end(directory)

    async def _attend(self, directory: Path) -> None:
        """Attend the process that plays a run, unless that is done already; nothing where nobody plays it."""
        address, known = ControlAddress.of(directory), self._attended.get(directory)
        if known is not None and known.address == address:
            return
        self._end(directory)
        if address is None:
            return
        connection = ExitStack()
        with suppress(ConfigError):
            await self.in_thread(lambda: connection.enter_context(RemoteControl(directory).attending()))
            self._end(directory)  # another request may have been as quick
            self._attended[directory] = _Attended(address, connection)

    def _end(self, directory: Path) -> None:
        known = self._attended.pop(directory, None)
        if known is not None:
            with suppress(ConfigError, OSError):
                known.connection.close()


class SeatTabs:
    """The word of the page that has each seat; programs, which send none, are never turned away."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def take(self, seat: str) -> str:
        """A new word for a page, which ends the one before."""
        self._words[seat] = secrets.token_urlsafe(8)
        return self._words[seat]

    def check(self, seat: str, word: str) -> None:
        """An answer of 409 where another page has taken the seat; a word from before this server began is good."""
        if word and self._words.setdefault(seat, word) != word:
            raise ApiError(409, "place", "this seat is played in another tab", "go on there, or load this page again")
