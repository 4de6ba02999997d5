"""Runs the judges of metrics on finished matches, and stores their measurements and completions in the journal."""

import asyncio
from collections.abc import Mapping, Sequence

from arena.calls import PluginCall
from arena.errors import BackendError, JournalError, StopRun
from arena.game import Game
from arena.metric import CallUsage, FinishedMatch, Metric
from arena.record import MatchRecord

from arena_engine.foundation.json_values import measurement_fault
from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import awaiting
from arena_engine.journal.journal import Journal
from arena_engine.journal.reading import JournalReader
from arena_engine.models.cache import CompletionCache
from arena_engine.models.completions import RecordedCompletions
from arena_engine.models.pool import BackendPool


async def run_judges(
    metrics: Mapping[str, Metric],
    games: Mapping[str, Game],
    journal: Journal,
    context: RunContext,
    concurrency: int,
    cache: CompletionCache | None = None,
) -> list[str]:
    """Judge every match in the journal that has a result and was not judged yet; return one line for each failure.

    All finished matches must have been flushed to the journal.
    """
    judges = {name: metric for name, metric in metrics.items() if _has_judge(metric)}
    if not judges:
        return []
    connections = BackendPool(context, cache)
    slots = asyncio.Semaphore(concurrency)
    failed: dict[tuple[str, str], list[str]] = {}

    async def judge(name: str, metric: Metric, record: MatchRecord) -> None:
        async with slots:
            known, owner = journal.recorded(record.id), f"metric/{name}"
            log = context.log.bind(match=record.id)
            completions = RecordedCompletions(context, connections, record.id, known, owner, log)
            try:
                calls = _calls(journal, record.id) if metric.needs_calls else ()
                match = FinishedMatch(record, games[record.game], calls)
                call = PluginCall("metric", name, type(metric).judge)
                with awaiting(call), context.tasks.ended_on_stop(lambda: completions.is_busy, who=call.who):
                    found = tuple(await metric.judge(match, completions))
                if fault := next(filter(None, (measurement_fault(m, record) for m in found)), None):
                    raise ValueError(fault)
                journal.save_judgement(record.id, name, found)
            except (StopRun, JournalError):
                raise
            except Exception as error:
                why = str(error) if isinstance(error, BackendError) else f"{type(error).__name__}: {error}"
                failed.setdefault((name, why), []).append(record.id)
                log.metric_failed(metric=name, error=error)

    try:
        for name, metric in judges.items():
            judged = journal.judgements(name)
            waiting = [r for r in journal.records() if r.ending.is_result and r.id not in judged]
            found = await asyncio.gather(*(judge(name, metric, record) for record in waiting), return_exceptions=True)
            for error in found:
                if error is not None:
                    raise error
    finally:
        await connections.close()
    return [f"metric {name!r} could not judge {_named(matches)}: {why}" for (name, why), matches in failed.items()]


def is_judged(metrics: Mapping[str, Metric], journal: JournalReader) -> bool:
    """Whether every match in the journal that has a result was judged by each metric with a judge."""
    results = sum(count for ending, count in journal.ended().items() if ending.is_result)
    return all(len(journal.judgements(name)) >= results for name, metric in metrics.items() if _has_judge(metric))


def _has_judge(metric: Metric) -> bool:
    """Whether a metric overrides ``judge``, and so asks models about matches."""
    return type(metric).judge is not Metric.judge


def _calls(journal: Journal, match: str) -> tuple[CallUsage, ...]:
    """The players' usage in a match. That of judges is left out: it grows as they ask, and prompts must not change."""
    return tuple(call for call in journal.uses(match) if call.player is not None)


def _named(matches: Sequence[str]) -> str:
    return f"match {matches[0]!r}" if len(matches) == 1 else f"{len(matches):,} matches, {matches[0]!r} first"
