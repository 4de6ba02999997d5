"""The executor's parameters, and one run in several processes from start to end."""

import math
import os
from collections.abc import AsyncIterator
from typing import Literal

import attrs
from arena.errors import ConfigError
from arena.record import MatchRecord
from arena_engine import (
    ChildProcess,
    Dispatcher,
    EncodedMatch,
    EnvironmentFingerprint,
    Executor,
    Job,
    RunContext,
    WorkerCount,
    WorkerSetup,
)

from arena_executor_processes.beginning import WORTH_S, Beginning
from arena_executor_processes.links import ThisMachine

START_TIMEOUT_S = 120.0
"""Seconds until play begins with the workers that are there."""


def _check_workers(_owner: object, _field: object, workers: object) -> None:
    if workers != "auto" and (isinstance(workers, bool) or not isinstance(workers, int) or workers < 1):
        raise ValueError(f"expected 'auto' or a number of processes from 1, got {workers!r}")


@attrs.frozen(kw_only=True)
class Processes(Executor):
    """Plays matches in several processes of this machine.

    With ``auto`` there is a process for each core that this one may use, and none where what is left to play costs
    less than starting them. Workers build the benchmark themselves; only this process writes the journal.
    """

    workers: int | Literal["auto"] = attrs.field(
        default="auto",
        validator=_check_workers,
        metadata={"help": "processes that play; 'auto': as many as cores, none for what takes less than 2 s"},
    )

    async def play(self, job: Job, context: RunContext) -> AsyncIterator[MatchRecord | EncodedMatch]:
        """Play all matches in worker processes.

        Raises ``ConfigError`` before anything is played if a worker's plugins differ from the driver's.
        """
        if not ChildProcess.is_possible:
            raise ConfigError(
                "executor: 'processes' needs sockets that a child process inherits, which Windows has not; "
                "use 'asyncio', or 'processes' under WSL"
            )
        if self.workers != "auto":
            async for match in self._dispatched(job, context, self.workers):
                yield match
            return
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        beginning = Beginning(job, context, WORTH_S if cores > 1 else math.inf)
        async for record in beginning.matches():
            yield record
        rest = beginning.rest
        async for match in self._dispatched(rest, context, min(cores, len(rest.plans), job.limits.concurrency)):
            yield match

    async def _dispatched(self, job: Job, context: RunContext, workers: int) -> AsyncIterator[EncodedMatch]:
        if not job.plans:
            return
        few = min(len(job.plans), job.limits.concurrency)
        if workers > few:
            some = f"{len(job.plans):,} matches are left" if len(job.plans) > 1 else "1 match is left"
            why = some if len(job.plans) == few else f"limits.concurrency is {few:,}"
            context.warn(f"executor: {why}, so {few:,} of {workers:,} workers are started")
            workers = few
        at_once = job.limits.concurrency // workers
        setup = WorkerSetup.of(job, context, at_once, asks_driver=True)
        count = WorkerCount(workers=workers, awaited=workers, matches_each=at_once, start_timeout_s=START_TIMEOUT_S)
        fingerprint = EnvironmentFingerprint.of(job.plugins)
        dispatcher = Dispatcher(job, context, ThisMachine(), count, setup, fingerprint)
        try:
            async for match in dispatcher.matches():
                yield match
        finally:
            dispatcher.dismiss()
