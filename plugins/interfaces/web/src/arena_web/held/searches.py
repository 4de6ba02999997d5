"""The searches that somebody waits for: each in a worker process; whoever asks gets what it has found so far."""

import asyncio
from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from arena_web.foundation.errors import ApiError
from arena_web.held.workers import WorkerFailed, Workers

SECONDS: Final = 600.0
"""Seconds that one search may take."""

MEMORY: Final = 1_000_000_000
"""Bytes of memory that it may take."""

MOST: Final = 20
"""So many searches there are at once."""

LASTS_S: Final = 15.0
"""A search of which nobody has asked for so many seconds is given up, and what it found is forgotten."""


class Search:
    """One search: what it ``found`` of how many matches that it ``read``, until it ``is_over``.

    ``is_cut`` says that it ended because it found so much, ``failure`` why it could not go on.
    """

    def __init__(self, workers: Workers, asked: Mapping[str, Any]) -> None:
        self.found: list[Mapping[str, Any]] = []
        self.read = 0
        self.is_over = False
        self.is_cut = False
        self.failure = ""
        self.asked_at = 0.0
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._run(workers, asked))

    async def wait(self, known: int, seconds: float) -> None:
        """Wait until more than ``known`` is found, the search is over, or some seconds have passed."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.is_over and len(self.found) <= known:
                    self._changed.clear()
                    await self._changed.wait()

    async def end(self) -> None:
        """Give up what is being read."""
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def _run(self, workers: Workers, asked: Mapping[str, Any]) -> None:
        try:
            self.is_cut = not await workers.ask(asked, self._tell)
        except WorkerFailed as error:
            self.failure = f"this cannot be computed: {error}"
        finally:
            self.is_over = True
            self._changed.set()

    def _tell(self, told: Mapping[str, Any]) -> None:
        self.read = told["read"]
        self.found += told["found"]
        self._changed.set()


class Searches:
    """The searches that are asked for. All methods belong to the event loop of the server."""

    def __init__(self, workers: Workers | None = None, *, disabled: Sequence[str] = ()) -> None:
        own = Workers(1, seconds=SECONDS, memory=MEMORY, disabled=disabled)
        self._workers = own if workers is None else workers
        self._searches: dict[Hashable, Search] = {}
        self._ending: set[asyncio.Task[None]] = set()

    def of(self, key: Hashable, asked: Mapping[str, Any]) -> Search:
        """The search of a key, which is begun with what is ``asked`` of a worker if there is none."""
        now = asyncio.get_running_loop().time()
        search = self._searches.get(key)
        if search is None:
            if len(self._searches) >= MOST:
                raise ApiError(429, "text", f"more than {MOST} searches are going on", "wait a moment", retry_s=15)
            search = self._searches[key] = Search(self._workers, asked)
        search.asked_at = now
        asyncio.get_running_loop().call_later(LASTS_S, self._forget, key)
        return search

    async def close(self) -> None:
        """End all searches and their worker processes."""
        for search in [*self._searches.values()]:
            await search.end()
        self._searches.clear()
        await self._workers.close()

    def _forget(self, key: Hashable) -> None:
        search = self._searches.get(key)
        if search is None or asyncio.get_running_loop().time() < search.asked_at + LASTS_S:
            return
        del self._searches[key]
        task = asyncio.create_task(search.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
