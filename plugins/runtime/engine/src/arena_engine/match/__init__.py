"""Plays one match: the referee, its players, and simulated matches that leave no journal."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_engine.match.match import Match as Match
    from arena_engine.match.referee import Referee as Referee
    from arena_engine.match.simulation import InMemoryRun as InMemoryRun

_HOMES: Final = {
    "InMemoryRun": "arena_engine.match.simulation",
    "Match": "arena_engine.match.match",
    "Referee": "arena_engine.match.referee",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
