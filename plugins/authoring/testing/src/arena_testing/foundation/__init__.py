"""What all checks stand on: the error they raise, matches played without a referee, values, tests of samples."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from arena_testing.foundation.playthrough import Playthrough as Playthrough
    from arena_testing.foundation.schemas import (
        IS_INSTALLED as IS_INSTALLED,
        Schemas as Schemas,
        not_installed as not_installed,
    )

__all__ = [
    "IS_INSTALLED",
    "Playthrough",
    "Schemas",
    "not_installed",
]

_HOMES: Final = {
    "IS_INSTALLED": "arena_testing.foundation.schemas",
    "Playthrough": "arena_testing.foundation.playthrough",
    "Schemas": "arena_testing.foundation.schemas",
    "not_installed": "arena_testing.foundation.schemas",
}


def __getattr__(name: str) -> Any:
    # Imported on first use, so that importing a module here stays fast.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
