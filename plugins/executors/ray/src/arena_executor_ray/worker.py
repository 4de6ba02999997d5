"""The class of the Ray actors."""

from arena_engine import Worker as EngineWorker


class Worker(EngineWorker):
    """A worker on a node of the cluster; of this distribution, so that a node without it is noticed."""
