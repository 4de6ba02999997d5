"""Finds out which plugin ends the process, from the stack of the call."""

import sys
from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from arena.installed import InstalledPlugin
from arena_engine.running.plugin_calls import PluginCall, call_on, outwards

from arena_cli.left import dist_of, entry_of

if TYPE_CHECKING:
    from arena_engine import Benchmark

LISTED: Final = 100
"""How many plugins of each kind the guard is told of; a pipe does not take much more."""


def culprit(frame: FrameType) -> dict[str, str]:
    """What is known of the plugin whose code runs in ``frame``: ``who``, ``place``, ``dist``, and what is imported.

    ``entry`` is there only while an entry point is loaded; it is its group and name.
    """
    stack = list(outwards(frame))
    call = call_on(stack[::-1])
    found = {"who": call.who, "place": call.place} if call else {}
    for each in stack:
        for value in list(each.f_locals.values()):
            if point := _loaded(value):
                return {**found, "dist": dist_of(point), "entry": entry_of(point)}
    return {**found, "dist": _dist_of(call)} if call else found


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


def _loaded(value: Any) -> EntryPoint | None:
    if isinstance(value, EntryPoint):
        return value
    return value.entry_point if isinstance(value, InstalledPlugin) else None


def _dist_of(call: PluginCall) -> str:
    """The distribution that a plugin's module belongs to, as far as the entry points tell."""
    root = call.module.partition(".")[0]
    found = entry_points()
    groups = [group for group in found.groups if group.startswith("arena.")]
    points = (point for group in sorted(groups) for point in found.select(group=group))
    return next((dist_of(point) for point in points if point.module.partition(".")[0] == root), "")
