"""The feed of the list of runs: which came, which are gone, and the rows that changed."""

import asyncio
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from starlette.concurrency import run_in_threadpool

from arena_web.api.site import Site
from arena_web.held.feeds import Feed
from arena_web.held.found_runs import FoundRun
from arena_web.held.reports import ReportSource
from arena_web.held.run_state import HELD
from arena_web.runs.listing import listed, with_verdict

MOST: Final = 50
"""So many rows are read and told at once, as many as a page of the list has."""

SHARE: Final = 0.1
"""The share of a processor that looking at the directories may take; with many runs they are looked at more rarely."""

Stamped: TypeAlias = tuple[FoundRun, tuple[int, int, int, bool]]


class RunsFeed(Feed):
    """What happens to the rows of the list.

    A run's journal is opened when it was written to, and while a process plays it. Rows that did not change are not
    told, and of more than ``MOST`` that did only so many.
    """

    def __init__(self, topic: str, site: Site) -> None:
        super().__init__(topic)
        self._site = site
        self._runs: dict[str, Stamped] | None = None
        self._rows: dict[str, Mapping[str, Any]] = {}
        self._reported: frozenset[ReportSource] = frozenset()
        self._rests_until = 0.0

    def snapshot(self) -> Mapping[str, Any]:
        return {"total": len(self._runs or ())}

    async def look(self) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() < self._rests_until:
            return
        runs, took = await run_in_threadpool(_stamped, self._site)
        self._rests_until = loop.time() + took / SHARE
        before, self._runs = self._runs, runs
        written = [name for name in runs if before is not None and before.get(name) != runs[name]]
        names = list(dict.fromkeys([*written, *self._held(runs), *self._reported_now(runs)]))
        rows = await self._changed_rows([runs[name][0] for name in names[:MOST]])
        if before is not None:
            self._tell_changes(before, runs, rows, is_more=len(names) > MOST)

    def _tell_changes(
        self, before: Collection[str], runs: Collection[str], rows: Sequence[Any], *, is_more: bool
    ) -> None:
        come, gone = (
            [name for name in these if name not in those] for these, those in ((runs, before), (before, runs))
        )
        for name in gone:
            self._rows.pop(name, None)
        if rows or come or gone or is_more:
            more = is_more or len(come) > MOST or len(gone) > MOST
            told = {"runs": rows, "come": come[:MOST], "gone": gone[:MOST], "more": more, "total": len(runs)}
            self.tell("runs_changed", **told)

    def _held(self, runs: Mapping[str, Stamped]) -> Iterable[str]:
        """The runs that a process plays, as far as is known: a pause writes nothing."""
        for name, (_, (*_, is_controlled)) in runs.items():
            if is_controlled and (name not in self._rows or self._rows[name]["state"] in HELD):
                yield name

    def _reported_now(self, runs: Mapping[str, Stamped]) -> list[str]:
        """The runs of which another report was made since the last look."""
        before, self._reported = self._reported, self._site.reports.made()
        made = {source.runs for source in self._reported - before}
        return [name for name, (run, _) in runs.items() if (str(run.directory),) in made] if made else []

    async def _changed_rows(self, runs: list[FoundRun]) -> list[dict[str, Any]]:
        """The rows of some runs that differ from what they were."""
        found = [with_verdict(self._site, row) for row in await run_in_threadpool(lambda: [*map(listed, runs)])]
        changed = [row for row in found if self._rows.get(row["run"]) != row]
        self._rows |= {row["run"]: row for row in changed}
        return changed


def _stamped(site: Site) -> tuple[dict[str, Stamped], float]:
    """All runs by their names, each with what changes when its row may; and the seconds that it took."""
    begun = time.thread_time()
    found: dict[str, Stamped] = {}
    for run in site.runs.all():
        try:
            found[run.name] = run, run.state_stamp
        except OSError:  # it was deleted meanwhile
            continue
    return found, time.thread_time() - begun
