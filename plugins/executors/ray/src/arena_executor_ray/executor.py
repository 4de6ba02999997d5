"""The executor's parameters, and a run from its start to its end."""

import asyncio
import math
import os
import re
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import attrs
from arena.benchmark import from_plain
from arena.errors import ConfigError
from arena.executor import Desk, Executor, Work
from arena.record import MatchRecord
from attrs.validators import ge, gt, optional

from arena_executor_ray.staff import Staff

if TYPE_CHECKING:
    from arena_executor_ray.messages import Orders


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

    async def play(self, work: Work, desk: Desk) -> AsyncIterator[MatchRecord]:
        """Play all plans on the workers; ``BackendError`` where there is no cluster or no room in it.

        ``ConfigError`` where a worker is not built from what the driver is built from; nothing is played then.
        """
        if not isinstance(work.plain, Mapping):
            raise ConfigError(
                "executor: workers build the benchmark from its plain data, which this work does not hold"
            )
        from arena_executor_ray.cluster import Cluster
        from arena_executor_ray.dispatch import Dispatcher
        from arena_executor_ray.papers import Papers

        papers = Papers.of(from_plain(work.plain))
        cluster = Cluster(self.address, self.cpus_per_worker, self.gpus_per_worker)
        # Linux ends the processes of a cluster of our own with the thread that started them, so that it has to stay.
        thread = ThreadPoolExecutor(1, "ray")
        try:
            await asyncio.get_running_loop().run_in_executor(thread, cluster.open, self.workers)
            desk.check()
            room = cluster.room()
            staff = self._staff(work, room)
            dispatcher = Dispatcher(work, desk, cluster, staff, _orders(work, desk), papers)
            try:
                async for record in dispatcher.records():
                    yield record
            finally:
                dispatcher.dismiss()
        finally:
            cluster.close()
            thread.shutdown()

    def _staff(self, work: Work, room: int) -> Staff:
        workers = self.workers or max(1, room)
        return Staff(
            workers=workers,
            awaited=max(1, min(workers, room)),
            matches_each=self.matches_per_worker or math.ceil(work.limits.concurrency / workers),
            start_timeout_s=self.start_timeout_s,
        )


def _orders(work: Work, desk: Desk) -> "Orders":
    from arena_executor_ray.messages import Orders

    backends = [backend for agent in work.agents.values() for backend in agent.backends().values()]
    variables = {secret.variable for backend in backends for secret in backend.secrets()}
    return Orders(
        plain=dict(work.plain),  # type: ignore[arg-type]  # a mapping, as play has checked
        heard=desk.heard,
        directory=os.getcwd(),
        secrets={name: os.environ[name] for name in variables if name in os.environ},
    )
