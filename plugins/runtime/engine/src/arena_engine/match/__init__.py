"""Plays one match: the referee, its players, and simulated matches that leave no journal."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.match.match import Match as Match
    from arena_engine.match.referee import Referee as Referee
    from arena_engine.match.simulation import InMemoryRun as InMemoryRun

__all__ = [
    "InMemoryRun",
    "Match",
    "Referee",
]

_HOMES: Final = {
    "InMemoryRun": "arena_engine.match.simulation",
    "Match": "arena_engine.match.match",
    "Referee": "arena_engine.match.referee",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing a module here stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
