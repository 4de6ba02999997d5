"""Arena: language models, engines and people play strategic games against each other and are measured honestly."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from arena.installing import installed_names, open_door

if TYPE_CHECKING:
    from arena_engine import Run as Run, load as load, run as run

    from arena.agent import Agent as Agent, PlayerAgent as PlayerAgent
    from arena.backend import Backend as Backend, Connection as Connection
    from arena.game import Decision as Decision, Game as Game, GameFacts as GameFacts, State as State
    from arena.metric import Metric as Metric
    from arena.plugin import Plugin as Plugin

__version__ = "0.1.0"

_HOMES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("run", "load", "Run"), "arena_engine"),
    **dict.fromkeys(("Decision", "Game", "GameFacts", "State"), "arena.game"),
    **dict.fromkeys(("Agent", "PlayerAgent"), "arena.agent"),
    **dict.fromkeys(("Backend", "Connection"), "arena.backend"),
    "Metric": "arena.metric",
    "Plugin": "arena.plugin",
}


def __getattr__(name: str) -> Any:
    # Imported when it is used: everything that imports a part of arena would pay for all of it otherwise.
    if name == "__all__":
        return sorted(["__version__", *installed_names(_HOMES)])
    return open_door(__name__, name, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *installed_names(_HOMES)})
