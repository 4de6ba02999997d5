"""Proves that a game keeps its contract."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_testing.game.playouts import (
        play_many as play_many,
        speed as speed,
    )
    from arena_testing.game.position import snapshot as snapshot

_HOMES: Final = {
    "play_many": "arena_testing.game.playouts",
    "snapshot": "arena_testing.game.position",
    "speed": "arena_testing.game.playouts",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
