"""Finds out which plugin ends the process: the one that this thread or task has called."""

import asyncio
import sys
from collections.abc import Mapping
from importlib.metadata import entry_points
from threading import get_ident
from types import FrameType
from typing import TYPE_CHECKING, Final

from arena_engine.job import running_in

from arena_cli.process.entry_points import dist_of, entry_of

if TYPE_CHECKING:
    from arena_engine import Benchmark

LISTED: Final = 100
"""How many plugins of each kind the guard is told of; a pipe does not take much more."""


def culprit(frame: FrameType) -> dict[str, str]:
    """What is known of the plugin whose code runs in ``frame``: ``who``, ``place``, ``dist``, and what is imported.

    ``entry`` is there only while an entry point is loaded; it is its group and name.
    """
    try:
        task = asyncio.current_task()
    except RuntimeError:  # no event loop runs in this thread
        task = None
    code = running_in(get_ident(), task, frame)
    if code is None:
        return {}
    found = {"who": code.who, "place": code.place.text}
    if code.call is not None and (point := code.call.point) is not None:
        return {**found, "dist": dist_of(point), "entry": entry_of(point)}
    return {**found, "dist": _dist_of(code.place.module)}


def plugin_files(benchmark: "Benchmark") -> dict[str, str]:
    """The files of a benchmark's plugins, each with the words that name the plugin."""
    parts: dict[str, Mapping[str, object]] = {
        "agent": {name: entry.agent for name, entry in benchmark.agents.items()},
        "game": {name: entry.game for name, entry in benchmark.games.items()},
        "metric": benchmark.metrics,
        "observer": benchmark.observers,
    }
    found: dict[str, str] = {}
    for kind, plugins in parts.items():
        for name, plugin in list(plugins.items())[:LISTED]:
            module = sys.modules.get(type(plugin).__module__)
            if file := getattr(module, "__file__", None):
                found.setdefault(file, f"{kind} {name!r} ({type(plugin).__module__})")
    return found


def _dist_of(module: str) -> str:
    """The distribution that a plugin's module belongs to, as far as the entry points tell."""
    root = module.partition(".")[0]
    found = entry_points()
    groups = [group for group in found.groups if group.startswith("arena.")]
    points = (point for group in sorted(groups) for point in found.select(group=group))
    return next((dist_of(point) for point in points if point.module.partition(".")[0] == root), "")
