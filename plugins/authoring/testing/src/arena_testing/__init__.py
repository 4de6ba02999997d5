"""Conformance checks and fixtures, shipped for plugin authors.

``check_game``, ``check_agent``, ``check_backend``, ``check_metric``, ``check_solver``, ``check_executor``,
``check_observer`` and ``check_schedule`` prove that a plugin keeps its contract; they raise ``ConformanceError``, an
``AssertionError``, if it does not. ``REFERENCE_GAME`` is a tiny game to try agents and solvers in.
``golden_playthrough`` writes one match as text, with what each player saw, to be kept in a file beside the tests. The
fixtures are in ``arena_testing.pytest_plugin``, which pytest loads by itself; ``arena_testing.strategies`` draws
matches of any game for hypothesis.

Strategies need ``hypothesis``: ``pip install 'playarena-testing[strategies]'``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena_testing.fixtures.command_output import unwrapped
    from arena_testing.fixtures.fakes import RANDOM, FunctionAgent, FunctionBackend, ScriptedBackend, answering, playing
    from arena_testing.fixtures.play_match import PlayedMatch, play
    from arena_testing.fixtures.records import sample_records
    from arena_testing.fixtures.reference_game import REFERENCE_GAME
    from arena_testing.foundation.conformance import ConformanceError
    from arena_testing.foundation.golden import golden_playthrough
    from arena_testing.game.games import GameReport, check_game
    from arena_testing.game.random_play import random_reference, write_random_play
    from arena_testing.plugins.agents import AgentReport, check_agent
    from arena_testing.plugins.backends import BackendReport, check_backend
    from arena_testing.plugins.executors import ExecutorReport, check_executor
    from arena_testing.plugins.metrics import MetricReport, check_metric
    from arena_testing.plugins.observers import ObserverReport, check_observer
    from arena_testing.plugins.schedules import ScheduleReport, check_schedule
    from arena_testing.plugins.solvers import SolverReport, check_solver

__all__ = [
    "RANDOM",
    "REFERENCE_GAME",
    "AgentReport",
    "BackendReport",
    "ConformanceError",
    "ExecutorReport",
    "FunctionAgent",
    "FunctionBackend",
    "GameReport",
    "MetricReport",
    "ObserverReport",
    "PlayedMatch",
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
    "random_reference",
    "sample_records",
    "unwrapped",
    "write_random_play",
]

_MODULES = {
    "plugins.agents": (
        "AgentReport",
        "check_agent",
    ),
    "plugins.backends": (
        "BackendReport",
        "check_backend",
    ),
    "foundation.conformance": ("ConformanceError",),
    "plugins.executors": ("ExecutorReport", "check_executor"),
    "game.games": (
        "GameReport",
        "check_game",
    ),
    "foundation.golden": ("golden_playthrough",),
    "plugins.metrics": (
        "MetricReport",
        "check_metric",
    ),
    "plugins.observers": ("ObserverReport", "check_observer"),
    "plugins.schedules": ("ScheduleReport", "check_schedule"),
    "plugins.solvers": ("SolverReport", "check_solver"),
    "fixtures.reference_game": ("REFERENCE_GAME",),
    "fixtures.command_output": ("unwrapped",),
    "game.random_play": ("random_reference", "write_random_play"),
    "fixtures.records": ("sample_records",),
    "fixtures.play_match": (
        "PlayedMatch",
        "play",
    ),
    "fixtures.fakes": (
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
    # The pytest plugin imports this package in every run of pytest, so its modules are loaded on first use.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import_module("arena_engine")  # looks whether the package arena is ours, before any module here imports it
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
