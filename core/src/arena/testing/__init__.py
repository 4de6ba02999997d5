"""Conformance checks and fixtures, shipped for plugin authors.

``check_game``, ``check_agent``, ``check_backend``, ``check_metric``, ``check_solver``, ``check_executor``,
``check_observer`` and ``check_schedule`` prove that a plugin keeps its contract and raise ``ConformanceError``, an
``AssertionError``, where it does not. ``YARDSTICK`` is a tiny game that agents and solvers are tried in.
``golden_playthrough`` writes down who saw what in one match, to be kept in a file beside the tests. The fixtures are in
``arena.testing.pytest_plugin``, which pytest finds by itself; ``arena.testing.strategies`` draws matches of any game
for hypothesis.

Checks of JSON schemas need ``jsonschema``, strategies need ``hypothesis``: ``pip install 'arena-core[testing]'``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.testing.agents import AgentReport, check_agent
    from arena.testing.backends import BackendReport, check_backend
    from arena.testing.conformance import ConformanceError
    from arena.testing.executors import ExecutorReport, check_executor
    from arena.testing.games import GameReport, check_game
    from arena.testing.golden import golden_playthrough
    from arena.testing.metrics import MetricReport, check_metric
    from arena.testing.observers import ObserverReport, check_observer
    from arena.testing.records import sample_records
    from arena.testing.refereed import Played, play
    from arena.testing.schedules import ScheduleReport, check_schedule
    from arena.testing.solvers import SolverReport, check_solver
    from arena.testing.stand_ins import RANDOM, FunctionAgent, FunctionBackend, ScriptedBackend, answering, playing
    from arena.testing.yardstick import YARDSTICK

__all__ = [
    "RANDOM",
    "YARDSTICK",
    "AgentReport",
    "BackendReport",
    "ConformanceError",
    "ExecutorReport",
    "FunctionAgent",
    "FunctionBackend",
    "GameReport",
    "MetricReport",
    "ObserverReport",
    "Played",
    "ScheduleReport",
    "ScriptedBackend",
    "SolverReport",
    "answering",
    "check_agent",
    "check_backend",
    "check_executor",
    "check_game",
    "check_metric",
    "check_observer",
    "check_schedule",
    "check_solver",
    "golden_playthrough",
    "play",
    "playing",
    "sample_records",
]

_MODULES = {
    "agents": (
        "AgentReport",
        "check_agent",
    ),
    "backends": (
        "BackendReport",
        "check_backend",
    ),
    "conformance": ("ConformanceError",),
    "executors": ("ExecutorReport", "check_executor"),
    "games": (
        "GameReport",
        "check_game",
    ),
    "golden": ("golden_playthrough",),
    "metrics": (
        "MetricReport",
        "check_metric",
    ),
    "observers": ("ObserverReport", "check_observer"),
    "schedules": ("ScheduleReport", "check_schedule"),
    "solvers": ("SolverReport", "check_solver"),
    "yardstick": ("YARDSTICK",),
    "records": ("sample_records",),
    "refereed": (
        "Played",
        "play",
    ),
    "stand_ins": (
        "RANDOM",
        "FunctionAgent",
        "FunctionBackend",
        "ScriptedBackend",
        "answering",
        "playing",
    ),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    # pytest imports this package in every run through the plugin, so nothing is loaded before it is asked for.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
