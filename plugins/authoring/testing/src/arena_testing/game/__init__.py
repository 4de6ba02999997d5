"""Proves that a game keeps its contract."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_testing.game.playouts import (
        play_many as play_many,
        speed as speed,
    )
    from arena_testing.game.position import snapshot as snapshot

__all__ = [
    "play_many",
    "snapshot",
    "speed",
]

_HOMES: Final = {
    "play_many": "arena_testing.game.playouts",
    "snapshot": "arena_testing.game.position",
    "speed": "arena_testing.game.playouts",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing a module here stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
