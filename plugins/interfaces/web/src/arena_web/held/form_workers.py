"""The worker processes in which forms are filled in: they build what is chosen, and have no credentials."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final

from arena_web.held.workers import Workers

SECONDS: Final = 120.0
"""Seconds that checking a benchmark may take; the largest suites have thousands of games."""

MEMORY: Final = 4_000_000_000
"""Bytes of memory that it may take."""


class FormWorkers:
    """Checks what is filled in; what is the same for everybody is worked out once."""

    def __init__(self, workers: Workers | None = None, *, disabled: Sequence[str] = ()) -> None:
        own = Workers(2, seconds=SECONDS, memory=MEMORY, disabled=disabled)
        self._workers = own if workers is None else workers
        self._known: dict[str, Any] = {}
        self._turn = asyncio.Lock()

    async def ask(self, asked: Mapping[str, Any]) -> Any:
        """The answer of a worker; ``WorkerFailed`` says why there is none."""
        return await self._workers.ask(asked)

    async def known(self, what: str) -> Any:
        """What depends on nothing but what is installed, from the first answer on."""
        async with self._turn:
            if what not in self._known:
                self._known[what] = await self._workers.ask({"do": what})
            return self._known[what]

    async def close(self) -> None:
        """End all of the processes."""
        await self._workers.close()
