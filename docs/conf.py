"""How the site is built.

Its pages are the Markdown files of the whole checkout, in their places, so that a link between two of them works in the
site as it does where the repository is browsed. The reference is read from the source, without importing it.
"""

from typing import Any

project = "Arena"
author = "the authors of Arena"
copyright = "the authors of Arena; Apache-2.0"  # noqa: A001 -- Sphinx calls it so
root_doc = "docs/index"

extensions = ["autoapi.extension", "myst_parser"]
include_patterns = ["*.md", "docs/**.md", "examples/**/README.md", "examples/README.md", "plugins/*/*/README.md"]
exclude_patterns = [".*", "build", "dist", "runs", "core", "tests", "benchmarks", "**/src", "**/tests"]
myst_heading_anchors = 4

autoapi_dirs = ["core/src/arena"]
autoapi_generate_api_docs = False
autoapi_ignore = ["*/arena/cli/*"]
autoapi_keep_files = False
autodoc_default_options = {"members": True, "undoc-members": True, "show-inheritance": True}

nitpicky = True
# What annotations name and other projects document.
nitpick_ignore_regex = [
    ("py:class", r"(abc|asyncio|attrs|cattrs|click|collections|enum|importlib|pathlib|pluggy|random)(\..*)?"),
    ("py:class", r"(sqlite3|types|typing)(\..*)?"),
    # What annotations name without being part of what is promised.
    ("py:class", r"(arena\.(config|documents|game|plain|report|spending|turns)\.)?(Path|Hook|Report|Source|Decision)"),
    ("py:class", r"(arena\.(spending|turns)\.)?(Answering|Totals|Turn|AgentLike|_[A-Z]\w*)"),
    ("py:class", r"(turns|parallel|against)\.[A-Z]\w*"),
]

html_theme = "furo"
html_title = "Arena"
html_show_sourcelink = False
templates_path = ["templates"]
html_additional_pages = {"index": "start.html"}


def leave_out(app: Any, what: str, name: str, member: Any, is_skipped: bool, options: Any) -> bool | None:
    """A module's page holds what the module defines, not what it imports."""
    return True if member.imported else None


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-skip-member", leave_out)
