"""Write the index of first-party plugins from the manifests of the checkout.

    .venv/bin/python docs/plugin_index.py

The command line ships the index, ``plugins/interfaces/cli/src/arena_cli/first_party.json``, and says by it which
distribution to install for a plugin that is missing. Needs all distributions, since a module that offers plugins by
hooks is asked for their names. A test fails where the index is out of date.
"""

import importlib
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from arena.plugin import KINDS, OFFERS, group_of

ROOT = Path(__file__).resolve().parents[1]
INDEX = ROOT / "plugins" / "interfaces" / "cli" / "src" / "arena_cli" / "first_party.json"
COMMANDS = "commands"
"""The extra that the commands of a distribution need."""


def index() -> str:
    """The index as JSON, one line for each distribution."""
    projects = dict(sorted(_projects()))
    lines = (f"{json.dumps(name)}: {json.dumps(_line(*found, projects))}" for name, found in projects.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _projects() -> Iterator[tuple[str, tuple[Path, Mapping[str, Any]]]]:
    for file in (ROOT / "core" / "pyproject.toml", *ROOT.glob("plugins/*/*/pyproject.toml")):
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        yield project["name"], (file.parent, project)


def _line(
    folder: Path, project: Mapping[str, Any], ours: Mapping[str, tuple[Path, Mapping[str, Any]]]
) -> Mapping[str, Any]:
    required = (re.split(r"[^\w.-]", line)[0] for line in project.get("dependencies", ()))
    found: dict[str, Any] = {
        "folder": folder.relative_to(ROOT).as_posix(),
        "summary": project["description"],
        "requires": [name for name in required if name in ours],
        "plugins": {kind: names for kind in KINDS if (names := _names(project, kind))},
    }
    if COMMANDS in project.get("optional-dependencies", {}):
        found["extra"] = COMMANDS
    return found


def _names(project: Mapping[str, Any], kind: str) -> list[str]:
    groups = project.get("entry-points", {})
    names = set(groups.get(group_of(kind), {}))
    for module in groups.get(group_of(OFFERS), {}).values():
        offer = vars(importlib.import_module(module)).get(group_of(kind).replace(".", "_"))
        names |= set(offer()) if offer else set()
    return sorted(names)


if __name__ == "__main__":
    INDEX.write_text(index(), encoding="utf-8")
    sys.stdout.write(f"{INDEX.relative_to(ROOT)}\n")
