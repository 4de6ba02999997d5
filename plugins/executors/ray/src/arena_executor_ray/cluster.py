"""Starts the Ray cluster of a run on this machine, or joins a running one; leaving it stops only what was started."""

import logging
import os
import shutil
import socket
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import attrs
import ray
from arena.errors import BackendError
from arena_engine import WorkerHost

from arena_executor_ray.links import RayLink
from arena_executor_ray.worker import Worker

REACH_S = 5.0
"""Seconds within which the address of a cluster must accept a connection."""
STORE_BYTES = 128 * 2**20
"""Shared memory, in bytes, of a cluster that this module starts; messages are small and hardly use it."""
AUTHENTICATION = "RAY_AUTH_MODE"
"""Ray sets this variable for the rest of the process when it starts a cluster.

A process that later joins a cluster without authentication would reject that cluster's calls, the cluster would think
the process dead, and would cancel each worker before it starts.
"""
LONGEST_DIRECTORY = 24
"""Characters; Ray puts its sockets far below its directory, and the path of a socket may have 107 at most."""


@attrs.define(eq=False)
class Cluster(WorkerHost):
    """The cluster on which workers are placed. All methods block; ``close`` stops only what ``open`` started."""

    address: str
    cpus: float
    gpus: float
    _is_ours: bool = False
    _directory: str | None = None
    _authentication: str | None = None

    def open(self, workers: int | None) -> None:
        """Start or join a cluster; raises ``BackendError`` if that fails.

        A cluster started here has room for ``workers``, however few cores this machine has. If this process already
        uses Ray, its cluster is used.
        """
        if ray.is_initialized():
            return
        self._authentication = os.environ.get(AUTHENTICATION)
        try:
            if self.address == "local":
                self._start_cluster(workers)
            else:
                self._check_address()
                self._init(address=self.address)
        except (Exception, SystemExit) as error:
            self.close()
            reason = (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
            raise BackendError(
                f"executor.address: no Ray cluster at {self.address!r} ({reason}); "
                "start one there, join it from one of its nodes, or use 'local'"
            ) from None
        self._is_ours = True

    def close(self) -> None:
        """Disconnect from the cluster, and shut it down if ``open`` started it."""
        if self._is_ours or self._directory is not None:
            ray.shutdown()
            _put_back(AUTHENTICATION, self._authentication)
            _read_authentication()
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
        self._is_ours, self._directory = False, None

    def room(self) -> int:
        """How many workers the current nodes could hold if they had no other work."""
        return sum(self._room(node["Resources"]) for node in ray.nodes() if node["Alive"])

    def start(self) -> RayLink:
        """Create a worker actor; Ray starts it once it has found a node with enough resources."""
        options = {"num_cpus": self.cpus, "num_gpus": self.gpus, "scheduling_strategy": "SPREAD"}
        return RayLink(ray.remote(Worker).options(max_concurrency=1000, **options).remote())

    def missing(self) -> str:
        """The resources that workers need and those that the cluster has, and what to do, for an error message."""
        there = ray.cluster_resources()
        asked = f"{self.cpus:g} CPUs" + (f" and {self.gpus:g} GPUs" if self.gpus else "")
        has = f"{there.get('CPU', 0):g} CPUs and {there.get('GPU', 0):g} GPUs"
        return f"each worker asks for {asked}, the cluster has {has}; ask for less or add nodes"

    def _room(self, resources: dict[str, float]) -> int:
        fits = resources.get("CPU", 0.0) // self.cpus
        return int(min(fits, resources.get("GPU", 0.0) // self.gpus) if self.gpus else fits)

    def _start_cluster(self, workers: int | None) -> None:
        self._directory = tempfile.mkdtemp(prefix="arena-")
        if len(self._directory) > LONGEST_DIRECTORY and os.path.isdir("/tmp"):
            os.rmdir(self._directory)
            self._directory = tempfile.mkdtemp(prefix="arena-", dir="/tmp")
        cpus = None if workers is None else max(1, round(workers * self.cpus + 0.5))
        with _without_statistics():
            self._init(
                address="local",
                num_cpus=cpus,
                object_store_memory=STORE_BYTES,
                include_dashboard=False,
                _temp_dir=self._directory,
            )

    @staticmethod
    def _init(**options: Any) -> None:
        ray.init(log_to_driver=False, logging_level=logging.ERROR, **options)

    def _check_address(self) -> None:
        """Check that something listens at the address: Ray itself would try for minutes, then end the process."""
        host, _, port = self.address.rpartition(":")
        if self.address != "auto":
            with socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_S):
                pass


@contextmanager
def _without_statistics() -> Generator[None]:
    """Keep a cluster started here from reporting usage statistics over the network, unless the user asks for it."""
    name = "RAY_USAGE_STATS_ENABLED"
    was = os.environ.get(name)
    os.environ.setdefault(name, "0")
    try:
        yield
    finally:
        _put_back(name, was)


def _read_authentication() -> None:
    """Make Ray read its authentication mode again, which it otherwise reads once per process."""
    raylet = import_module("ray._raylet")
    with suppress(AttributeError):  # older versions of Ray have no authentication
        raylet.Config.initialize("")
        raylet.AuthenticationTokenLoader.instance().reset_cache()


def _put_back(name: str, value: str | None) -> None:
    """Restore an environment variable to its former value."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
