"""The executor's parameters, and one run on the cluster from start to end."""

import asyncio
import math
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import attrs
from arena_engine import (
    Dispatcher,
    EncodedMatch,
    EnvironmentFingerprint,
    Executor,
    Job,
    RunContext,
    WorkerCount,
    WorkerSetup,
)
from attrs.validators import ge, gt, optional


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

    async def play(self, job: Job, context: RunContext) -> AsyncIterator[EncodedMatch]:
        """Play all matches on the workers; raises ``BackendError`` without a cluster, or if it has no room.

        Raises ``ConfigError`` before anything is played if a worker's plugins differ from the driver's.
        """
        setup = WorkerSetup.of(job, context, at_once=1)  # how many is known once the cluster is
        fingerprint = EnvironmentFingerprint.of(job.plugins)
        from arena_executor_ray.cluster import Cluster

        cluster = Cluster(self.address, self.cpus_per_worker, self.gpus_per_worker)
        # Linux kills the processes of a local cluster with the thread that started them, so it must live as long.
        thread = ThreadPoolExecutor(1, "ray")
        try:
            await asyncio.get_running_loop().run_in_executor(thread, cluster.open, self.workers)
            context.check_stopped()
            room = cluster.room()
            scaling = self._scaling(job, room)
            setup = attrs.evolve(setup, at_once=scaling.matches_each)
            dispatcher = Dispatcher(job, context, cluster, scaling, setup, fingerprint)
            try:
                async for match in dispatcher.matches():
                    yield match
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
