"""Conformance checks and fixtures, shipped for plugin authors.

``check_game``, ``check_agent``, ``check_backend`` and ``check_metric`` prove that a plugin keeps its contract and raise
``ConformanceError``, an ``AssertionError``, where it does not. ``golden_playthrough`` writes down who saw what in one
match, to be kept in a file beside the tests. The fixtures are in ``arena.testing.pytest_plugin``, which pytest finds
by itself.

Checks of JSON schemas need ``jsonschema``: ``pip install 'arena-core[testing]'``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.testing.conformance import ConformanceError
    from arena.testing.games import GameReport, check_game
    from arena.testing.refereed import Played, play
    from arena.testing.stand_ins import RANDOM, FunctionAgent, FunctionBackend, answering, playing

__all__ = [
    "RANDOM",
    "ConformanceError",
    "FunctionAgent",
    "FunctionBackend",
    "GameReport",
    "Played",
    "answering",
    "check_game",
    "play",
    "playing",
]

_MODULES = {
    "conformance": ("ConformanceError",),
    "games": ("GameReport", "check_game"),
    "refereed": ("Played", "play"),
    "stand_ins": ("RANDOM", "FunctionAgent", "FunctionBackend", "answering", "playing"),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    # pytest imports this package in every run through the plugin, so nothing is loaded before it is asked for.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
