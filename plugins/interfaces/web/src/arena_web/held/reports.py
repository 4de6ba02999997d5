"""The reports of runs, made one after another in the background and kept by how far their runs are."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from starlette.concurrency import run_in_threadpool

from arena_web.foundation.kept_values import KeptValues
from arena_web.held.kept_reports import KeptReports
from arena_web.held.workers import WorkerFailed, Workers

SECONDS: Final = 1_800.0
"""Seconds that one report may take."""

MEMORY: Final = 6_000_000_000
"""Bytes of memory that one report may take."""

ROOM: Final = 100_000_000
"""So many bytes of reports are kept."""

THEMES: Final[tuple[str, ...]] = ("light", "dark")
"""The grounds for which figures are drawn."""

REST: Final = 3.0
"""A run that goes on is reported again after so many times the time that its report took."""


@attrs.frozen(kw_only=True)
class ReportSource:
    """Which runs are meant, and how far they are: ``ended`` and ``planned`` matches of all of them.

    Of those that ended so many are ``final``; the others are played again.
    """

    runs: tuple[str, ...]
    headers: tuple[str, ...]
    ended: int
    planned: int
    final: int


@attrs.frozen
class KnownReport:
    """What is known of a report: its data, perhaps of when the run was less far; and what is being computed, in words.

    ``data`` is ``None`` where nothing is known yet, ``failure`` says why nothing will be.
    """

    data: Mapping[str, Any] | None
    computing: str
    failure: str = ""


class Reports:
    """Makes reports when they are asked for; whoever asks gets at once what there is.

    All methods belong to the event loop of the server.
    """

    def __init__(
        self, workers: Workers | None = None, *, disabled: Sequence[str] = (), disk: KeptReports | None = None
    ) -> None:
        own = Workers(1, seconds=SECONDS, memory=MEMORY, disabled=disabled)
        self._workers = own if workers is None else workers
        self._kept = KeptValues(ROOM)
        self._latest: dict[tuple[str, ...], tuple[ReportSource, float]] = {}
        self._tasks: dict[tuple[str, ...], asyncio.Task[None]] = {}
        self._read: dict[tuple[str, ...], int] = {}
        self._disk = disk
        self._recalled: set[ReportSource] = set()

    async def recall(self, source: ReportSource) -> None:
        """Look once whether a report is on disk, so that it is known at once after a restart."""
        if self._disk is None or source in self._recalled or source.runs in self._latest:
            return
        self._recalled.add(source)
        data = await run_in_threadpool(self._disk.get, source.runs)
        if data is not None:
            self._keep(source, KnownReport(data, ""), 0.0)

    def known(self, source: ReportSource) -> KnownReport:
        """What is known of a report, which is begun if it is not known yet."""
        found = self._kept.get(source)
        if found is not None:
            return found
        key = source.runs
        latest = self._latest.get(key)
        before = None if latest is None else self._kept.get(latest[0])
        if key not in self._tasks and (latest is None or asyncio.get_running_loop().time() >= latest[1]):
            self._read[key] = 0
            self._tasks[key] = asyncio.create_task(self._make(source))
        words = f"{self._read.get(key, 0):,} of {source.ended:,} matches"
        return KnownReport(None if before is None else before.data, words)

    def if_known(self, source: ReportSource) -> Mapping[str, Any] | None:
        """A report that was made already, perhaps when the run was less far."""
        latest = self._latest.get(source.runs)
        found = self._kept.get(source) or (None if latest is None else self._kept.get(latest[0]))
        return None if found is None else found.data

    def made(self) -> frozenset[ReportSource]:
        """Which reports were made, the newest one of each runs."""
        return frozenset(source for source, _ in self._latest.values())

    async def wait(self, runs: Sequence[str]) -> None:
        """Wait until the report of some runs that is being made is there."""
        task = self._tasks.get(tuple(runs))
        if task is not None:
            await task

    async def close(self) -> None:
        """End what is being made."""
        tasks = [*self._tasks.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._workers.close()

    async def _make(self, source: ReportSource) -> None:
        key, loop = source.runs, asyncio.get_running_loop()
        begun = loop.time()
        try:
            disk = self._disk
            kept_under = "" if disk is None else await run_in_threadpool(disk.key, key)
            asked = {"do": "report", "runs": list(source.runs)}
            data = await self._workers.ask(asked, lambda read: self._read.__setitem__(key, read))
            made = KnownReport(data, "")
            if disk is not None and kept_under and await run_in_threadpool(disk.key, key) == kept_under:
                await run_in_threadpool(disk.put, kept_under, data)
        except WorkerFailed as error:
            made = KnownReport(None, "", f"the report cannot be made: {error}")
        finally:
            del self._tasks[key]
        self._keep(source, made, loop.time() - begun)

    def _keep(self, source: ReportSource, made: KnownReport, took: float) -> None:
        self._kept.put(source, made, len(json.dumps(made.data)))
        self._latest[source.runs] = source, asyncio.get_running_loop().time() + REST * took
