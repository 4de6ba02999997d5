"""Between an agent and a backend: completions, limits, retries, the cache."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.models.asking import (
        completed as completed,
        connected as connected,
    )
    from arena_engine.models.pool import BackendPool as BackendPool

__all__ = [
    "BackendPool",
    "completed",
    "connected",
]

_HOMES: Final = {
    "BackendPool": "arena_engine.models.pool",
    "completed": "arena_engine.models.asking",
    "connected": "arena_engine.models.asking",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing a module here stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
