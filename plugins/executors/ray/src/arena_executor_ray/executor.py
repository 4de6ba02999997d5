"""The executor's parameters, and one run on the cluster from start to end."""

import asyncio
import math
import os
import re
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import attrs
from arena.errors import ConfigError
from arena.record import MatchRecord
from arena_engine import Executor, Job, RunContext
from attrs.validators import ge, gt, optional

from arena_executor_ray.scaling import WorkerCount

if TYPE_CHECKING:
    from arena_executor_ray.messages import WorkerSetup


def _check_address(_owner: object, _field: object, address: str) -> None:
    if not re.fullmatch(r"local|auto|[^\s/]+:\d{1,5}", address):
        raise ValueError(f"expected 'local', 'auto' or HOST:PORT of a cluster this machine belongs to, got {address!r}")


@attrs.frozen(kw_only=True)
class Ray(Executor):
    """Plays matches on a Ray cluster.

    ``address`` is ``local`` (processes of this machine, started for the run and ended with it), ``auto`` (the cluster
    this machine belongs to) or ``HOST:PORT``. Each worker is a process with many matches in flight. Workers build the
    benchmark themselves and must have the driver's versions of all plugins; only the driver writes the journal.
    """

    address: str = attrs.field(
        default="local",
        validator=_check_address,
        metadata={"help": "'local', 'auto', or HOST:PORT of a cluster this machine belongs to"},
    )
    workers: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "processes; unset: as many as there is room for"}
    )
    cpus_per_worker: float = attrs.field(
        default=1.0, validator=gt(0), metadata={"help": "CPUs set aside for each worker"}
    )
    gpus_per_worker: float = attrs.field(
        default=0.0, validator=ge(0), metadata={"help": "GPUs set aside for each worker; it sees no others"}
    )
    matches_per_worker: int | None = attrs.field(
        default=None,
        validator=optional(ge(1)),
        metadata={"help": "matches a worker plays at once; unset: its share of limits.concurrency"},
    )
    start_timeout_s: float = attrs.field(
        default=120.0, validator=gt(0), metadata={"help": "seconds until play begins with the workers that are there"}
    )

    async def play(self, job: Job, context: RunContext) -> AsyncIterator[MatchRecord]:
        """Play all matches on the workers; raises ``BackendError`` without a cluster, or if it has no room.

        Raises ``ConfigError`` before anything is played if a worker's plugins differ from the driver's.
        """
        if not isinstance(job.plain, Mapping):
            raise ConfigError("executor: workers build the benchmark from its plain data, which this job does not hold")
        from arena_executor_ray.cluster import Cluster
        from arena_executor_ray.dispatch import Dispatcher
        from arena_executor_ray.fingerprint import EnvironmentFingerprint

        fingerprint = EnvironmentFingerprint.of(job.plugins)
        cluster = Cluster(self.address, self.cpus_per_worker, self.gpus_per_worker)
        # Linux kills the processes of a local cluster with the thread that started them, so it must live as long.
        thread = ThreadPoolExecutor(1, "ray")
        try:
            await asyncio.get_running_loop().run_in_executor(thread, cluster.open, self.workers)
            context.check_stopped()
            room = cluster.room()
            scaling = self._scaling(job, room)
            dispatcher = Dispatcher(job, context, cluster, scaling, _setup(job, context), fingerprint)
            try:
                async for record in dispatcher.records():
                    yield record
            finally:
                dispatcher.dismiss()
        finally:
            cluster.close()
            thread.shutdown()

    def _scaling(self, job: Job, room: int) -> WorkerCount:
        workers = self.workers or max(1, room)
        return WorkerCount(
            workers=workers,
            awaited=max(1, min(workers, room)),
            matches_each=self.matches_per_worker or math.ceil(job.limits.concurrency / workers),
            start_timeout_s=self.start_timeout_s,
        )


def _setup(job: Job, context: RunContext) -> "WorkerSetup":
    from arena_executor_ray.messages import WorkerSetup

    backends = [backend for agent in job.agents.values() for backend in agent.backends().values()]
    variables = {secret.variable for backend in backends for secret in backend.secrets()}
    return WorkerSetup(
        plain=dict(job.plain),  # type: ignore[arg-type]  # a mapping, as play has checked
        active_hooks=context.active_hooks,
        directory=os.getcwd(),
        secrets={name: os.environ[name] for name in variables if name in os.environ},
        answer_rule=job.answer_rule,
        log_level=context.log.level,
    )
