"""The Ray cluster of one run: started on this machine or joined, and left as it was found."""

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

from arena_executor_ray.worker import Worker

REACH_S = 5.0
"""Seconds to wait for a cluster's address to answer at all."""
STORE_BYTES = 128 * 2**20
"""Shared memory of a cluster of our own; messages are small and hardly use it."""
AUTHENTICATION = "RAY_AUTH_MODE"
"""Ray sets it for good where it starts a cluster. A process that later joined one without authentication would take its
calls for a stranger's, and that cluster the process for dead: it cancels each worker before it has started."""
LONGEST_DIRECTORY = 24
"""Characters; Ray puts sockets far below its directory, and the path of a socket has room for 107."""


@attrs.define(eq=False)
class Cluster:
    """Where workers are placed. ``close`` stops what ``open`` started, and nothing else. All methods block."""

    address: str
    cpus: float
    gpus: float
    _is_ours: bool = False
    _directory: str | None = None
    _authentication: str | None = None

    def open(self, workers: int | None) -> None:
        """Start or join a cluster; ``BackendError`` where that fails.

        A cluster of our own has room for ``workers`` whatever this machine has. Where this process uses Ray already,
        its cluster is used.
        """
        if ray.is_initialized():
            return
        self._authentication = os.environ.get(AUTHENTICATION)
        try:
            if self.address == "local":
                self._start(workers)
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
        """Leave; a cluster of our own ends."""
        if self._is_ours or self._directory is not None:
            ray.shutdown()
            _put_back(AUTHENTICATION, self._authentication)
            _read_authentication()
        if self._directory is not None:
            shutil.rmtree(self._directory, ignore_errors=True)
        self._is_ours, self._directory = False, None

    def room(self) -> int:
        """How many workers the nodes that are there could hold, other work not counted."""
        return sum(self._room(node["Resources"]) for node in ray.nodes() if node["Alive"])

    def hire(self) -> Any:
        """Ask for a worker; it is there when Ray has found a place for it."""
        options = {"num_cpus": self.cpus, "num_gpus": self.gpus, "scheduling_strategy": "SPREAD"}
        return ray.remote(Worker).options(max_concurrency=1000, **options).remote()

    def missing(self) -> str:
        """What is asked for and what there is, for an error."""
        there = ray.cluster_resources()
        asked = f"{self.cpus:g} CPUs" + (f" and {self.gpus:g} GPUs" if self.gpus else "")
        return f"each asks for {asked}, the cluster has {there.get('CPU', 0):g} CPUs and {there.get('GPU', 0):g} GPUs"

    def _room(self, resources: dict[str, float]) -> int:
        fits = resources.get("CPU", 0.0) // self.cpus
        return int(min(fits, resources.get("GPU", 0.0) // self.gpus) if self.gpus else fits)

    def _start(self, workers: int | None) -> None:
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
        """Ray itself would try for minutes, and end the process."""
        host, _, port = self.address.rpartition(":")
        if self.address != "auto":
            with socket.create_connection((host.strip("[]"), int(port)), timeout=REACH_S):
                pass


@contextmanager
def _without_statistics() -> Generator[None]:
    """Keep a cluster of our own from reporting its use over the network, unless the user wants that."""
    name = "RAY_USAGE_STATS_ENABLED"
    was = os.environ.get(name)
    os.environ.setdefault(name, "0")
    try:
        yield
    finally:
        _put_back(name, was)


def _read_authentication() -> None:
    """Let Ray look anew how calls are authenticated, which it does once in a process."""
    raylet = import_module("ray._raylet")
    with suppress(AttributeError):  # versions that authenticate nothing
        raylet.Config.initialize("")
        raylet.AuthenticationTokenLoader.instance().reset_cache()


def _put_back(name: str, value: str | None) -> None:
    """Set an environment variable to what it was."""
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value
