"""What all checks stand on: the error they raise, matches played without a referee, values, tests of samples."""

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_testing.foundation.playthrough import Playthrough as Playthrough
    from arena_testing.foundation.schemas import (
        IS_INSTALLED as IS_INSTALLED,
        Schemas as Schemas,
        not_installed as not_installed,
    )

_HOMES: Final = {
    "IS_INSTALLED": "arena_testing.foundation.schemas",
    "Playthrough": "arena_testing.foundation.playthrough",
    "Schemas": "arena_testing.foundation.schemas",
    "not_installed": "arena_testing.foundation.schemas",
}

__all__ = [*_HOMES]  # pyright: ignore[reportUnsupportedDunderAll]  # the imports above are what pyright reads


def __getattr__(name: str) -> Any:
    from arena.installing import open_door  # when it is known whose package arena is

    return open_door(__name__, name, _HOMES)
