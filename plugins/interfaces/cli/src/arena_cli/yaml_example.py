"""How a plugin is written in a benchmark file or on the command line."""

import json
from collections.abc import Mapping
from typing import Any, Final, cast

from arena.catalog import InstalledPlugin
from arena.plugin import WITHOUT_RULES, Plugin
from arena_engine.benchmark.plain_data import kebab

_IN_FILE: Final[Mapping[str, str]] = {
    "game": "games",
    "agent": "agents",
    "metric": "metrics",
    "observer": "observers",
}
"""Kinds of plugins that benchmark files list under a name of the user's choice, with the key of that list."""

_RESERVED: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off"})


def example_of(entry: InstalledPlugin, plugin: Plugin) -> str:
    """How the plugin is used: lines of a benchmark file, or of the command line."""
    consent = {WITHOUT_RULES: True} if WITHOUT_RULES in plugin.capabilities else {}
    written = flow_yaml({"use": entry.name, **plugin.example, **consent})
    if entry.kind in _IN_FILE:
        return f"{_IN_FILE[entry.kind]}:\n  my-{entry.name}: {written}"
    if entry.kind == "backend":
        return f"agents:\n  my-agent: {{use: AGENT, backend: {written}}}"
    if entry.kind in ("report", "export"):
        return f"arena {entry.kind} RUN --format {entry.name}"
    if entry.kind == "prompt-style":
        return f"prompt: {flow_yaml({'style': entry.name})}"
    if entry.kind == "suite":
        return f"arena run suite:{entry.name}"
    if entry.kind == "command":
        return f"arena {entry.name} --help"
    return f"{entry.kind}: {written}"


def flow_yaml(value: Any) -> str:
    """A value in YAML's flow style: like JSON, but simple words need no quotes."""
    if isinstance(value, Mapping):
        items = cast("Mapping[str, Any]", value).items()
        return "{" + ", ".join(f"{kebab(key)}: {flow_yaml(v)}" for key, v in items) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow_yaml, cast("list[Any]", value))) + "]"
    if isinstance(value, str) and value.replace("-", "").replace("_", "").isalpha() and value not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=False)
