"""Let the judges of metrics look at finished matches; what they found is kept, what they asked is journaled."""

import asyncio
from collections.abc import Mapping, Sequence

from arena.cache import Cache
from arena.completions import Line
from arena.connections import Connections
from arena.errors import BackendError, JournalError, StopRun
from arena.executor import Desk
from arena.game import Game
from arena.journal import Journal
from arena.metric import Metric
from arena.record import MatchRecord


async def judge_all(
    metrics: Mapping[str, Metric],
    games: Mapping[str, Game],
    journal: Journal,
    desk: Desk,
    concurrency: int,
    cache: Cache | None = None,
) -> list[str]:
    """Judge every match with a result, all on the disk, that was not judged yet; return what could not be, and why."""
    judges = {name: metric for name, metric in metrics.items() if _asks(metric)}
    if not judges:
        return []
    connections = Connections(desk, cache)
    slots = asyncio.Semaphore(concurrency)
    failed: dict[tuple[str, str], list[str]] = {}

    async def judge(name: str, metric: Metric, record: MatchRecord) -> None:
        async with slots:
            line = Line(desk, connections, record.id, journal.known(record.id), f"metric/{name}")
            try:
                journal.judge(record.id, name, await metric.examine(record, games[record.game], line))
            except (StopRun, JournalError):
                raise
            except Exception as error:
                why = str(error) if isinstance(error, BackendError) else f"{type(error).__name__}: {error}"
                failed.setdefault((name, why), []).append(record.id)

    try:
        for name, metric in judges.items():
            judged = journal.judged(name)
            waiting = [r for r in journal.records() if r.ending.is_result and r.id not in judged]
            found = await asyncio.gather(*(judge(name, metric, record) for record in waiting), return_exceptions=True)
            for error in found:
                if error is not None:
                    raise error
    finally:
        await connections.close()
    return [f"metric {name!r} could not judge {_named(matches)}: {why}" for (name, why), matches in failed.items()]


def _asks(metric: Metric) -> bool:
    """Whether a metric has a judge."""
    return type(metric).judge is not Metric.judge or type(metric).examine is not Metric.examine


def _named(matches: Sequence[str]) -> str:
    return f"match {matches[0]!r}" if len(matches) == 1 else f"{len(matches):,} matches, {matches[0]!r} first"
