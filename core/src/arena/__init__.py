"""Arena: language models, engines and people play strategic games against each other and are measured honestly."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.api import Run, load, run

__all__ = ["Run", "load", "run"]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    # Imported when it is used: everything that imports a part of arena would pay for all of it otherwise.
    if name in __all__:
        from arena import api

        return getattr(api, name)
    raise AttributeError(f"module 'arena' has no attribute {name!r}")
