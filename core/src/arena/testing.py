"""Proves that a plugin keeps its contract; everything here is in ``arena_testing``, of ``playarena-testing``."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from arena.installing import open_door

if TYPE_CHECKING:
    from arena_testing import *  # noqa: F403  # pyright: ignore[reportWildcardImportFromLibrary] -- its own names


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return __dir__()
    if name.startswith("__"):  # tools ask modules for such names, and expect that there are none
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return open_door(__name__, name, {name: "arena_testing"})


def __dir__() -> list[str]:
    return sorted(import_module("arena_testing").__all__) if find_spec("arena_testing") else []
