"""What is to be played and how a run is stopped: jobs, limits, the contract of executors, plans, plugin calls."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.job.plugin_calls import running_in as running_in

_HOMES: Final = {
    "running_in": "arena_engine.job.plugin_calls",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
