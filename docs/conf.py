"""How the site is built.

Its pages are the Markdown files of the whole checkout, in their places, so that a link between two of them works in the
site as it does where the repository is browsed. The reference is read from the source, without importing it.
"""

import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

project = "Arena"
author = "the authors of Arena"
copyright = "the authors of Arena; Apache-2.0"  # noqa: A001 -- Sphinx calls it so
root_doc = "docs/index"

extensions = ["autoapi.extension", "myst_parser"]
include_patterns = [
    "*.md",
    "docs/**.md",
    "examples/**/README.md",
    "examples/README.md",
    "core/README.md",
    "plugins/*/*/README.md",
]
exclude_patterns = [".*", "build", "dist", "runs", "tests", "benchmarks", "**/src", "**/tests"]
myst_heading_anchors = 4

autoapi_dirs = [
    "core/src/arena",
    "plugins/authoring/testing/src/arena_testing",
    "plugins/backends/openai_protocol/src/arena_openai_protocol",
    "plugins/interfaces/cli/src/arena_cli",
    "plugins/interfaces/gym/src/arena_gym",
    "plugins/interfaces/scene/src/arena_scene",
    "plugins/runtime/engine/src/arena_engine",
    "plugins/runtime/report/src/arena_report",
    "plugins/runtime/standings/src/arena_standings",
]
autoapi_generate_api_docs = False
autoapi_keep_files = False
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}

nitpicky = True
# Names that a module unpacks from a range cannot be found without importing it.
suppress_warnings = ["autoapi.python_import_resolution"]
# What annotations name and other projects document.
nitpick_ignore_regex = [
    (
        "py:class",
        r"(abc|asyncio|attrs|cattrs|click|collections|contextlib|enum|http|importlib|pathlib|pluggy|random|rich|threading)(\..*)?",
    ),
    ("py:class", r"(datetime|pytest|socket|sqlite3|subprocess|types|typing)(\..*)?"),
    # What annotations name without being part of what is promised: inner classes of the rooms, unions, aliases.
    ("py:class", r"arena_(cli|engine|gym|report|standings)\.[\w.]+"),
    ("py:class", r"(aec|parallel|single_agent)\.[A-Z]\w*"),
    ("py:class", r"(arena\.(catalog|game|turns|options|decision)\.)?(InstalledPlugin|Absent|Decision|Turn|_[A-Z]\w*)"),
    ("py:class", r"AgentStopped"),
    (
        "py:class",
        r"(Actions|AgentLike|Composed|Forfeits|GameLike|GameOfRun|Header|Hook|MadeGames|Path|Parts|Read|Report|Width)",
    ),
    ("py:class", r"(arena_scene\.elements\.)?(Change|Ends|PieceState|Point|Repetition|ScenePart|Schema)"),
    (
        "py:class",
        r"(BegunStep|EventLogger|FailureCallback|Officiating|ReportInput|SceneSeries|ScheduleInput|Sink|Source|"
        r"TranscriptTurn|UsageTotals|ModelVersion|Waiting)",
    ),
    (
        "py:class",
        r"(AdaptiveLimiter|Deadline|Document|E|Field|GameEstimate|GameReference|PlayoutReport|Repair|RunningCode)",
    ),
]

html_theme = "furo"
html_title = "Arena"
html_show_sourcelink = False
templates_path = ["templates"]
html_additional_pages = {"index": "start.html"}


def leave_out(app: Any, what: str, name: str, member: Any, is_skipped: bool, options: Any) -> bool | None:
    """A module's page holds what the module defines, not what it imports."""
    return True if member.imported else None


def list_plugins(app: Any, name: str, source: list[str]) -> None:
    """The page of plugins holds what is installed when the site is made."""
    if name == "docs/plugins":
        from readmes import tables

        source[0] += f"\n{tables()}"


def setup(app: Any) -> None:
    """Sphinx calls this at its start."""
    app.connect("autodoc-skip-member", leave_out)
    app.connect("source-read", list_plugins)
