"""What the workers of one run divide among them."""

from typing import TypeVar

import attrs
from arena.agent import Agent
from arena.backend import OFFLINE, Backend

A = TypeVar("A", bound=Agent)

_PER_MINUTE = ("requests_per_minute", "tokens_per_minute")


def shared(agent: A, processes: int) -> A:
    """The agent, its backends bounded by one worker's share of what they may be asked.

    Concurrency is divided with at least one request for each worker, limits per minute exactly. A model that runs in
    the worker itself (``OFFLINE``) is there once for each worker, and is not divided.
    """
    if processes == 1 or not attrs.has(type(agent)):
        return agent
    changes: dict[str, object] = {}
    for field in attrs.fields(type(agent)):
        value = getattr(agent, field.name)
        if isinstance(value, Backend) and OFFLINE not in value.able():
            changes[field.alias] = _share(value, processes)
        elif isinstance(value, Agent):
            changes[field.alias] = shared(value, processes)
    return attrs.evolve(agent, **changes) if changes else agent


def _share(backend: Backend, processes: int) -> Backend:
    limits = {name: value / processes for name in _PER_MINUTE if (value := getattr(backend, name, None))}
    return attrs.evolve(backend, concurrency=max(1, backend.concurrency // processes), **limits)
