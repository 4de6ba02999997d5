"""What is to be played and how a run is stopped: jobs, limits, the contract of executors, plans, plugin calls."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.job.plugin_calls import running_in as running_in

__all__ = [
    "running_in",
]

_HOMES: Final = {
    "running_in": "arena_engine.job.plugin_calls",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing a module here stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
