"""Says which distribution brings a plugin that is not installed, and what to type to get it.

The index of first-party plugins is data that ``docs/plugin_index.py`` makes from the manifests of the repository.
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from typing import Any, Final

import attrs
from arena.catalog import Catalog
from arena.errors import PluginError
from arena.installed import normalized
from arena.installing import install_line, workspace
from arena.plugin import KINDS

_UNKNOWN: Final = re.compile(r"no ([a-z-]+) called '([^']+)'")


@attrs.frozen
class FirstPartyDistribution:
    """A distribution of Arena's repository: its folder there, what it requires of the others, and its plugins."""

    name: str
    folder: str
    summary: str
    requires: tuple[str, ...]
    plugins: Mapping[str, tuple[str, ...]]
    extra: str = ""

    def has(self, kind: str, name: str) -> bool:
        """Whether it brings this plugin."""
        return name in self.plugins.get(kind, ())

    def remedy(self, kind: str = "") -> str:
        """The line that installs it, with its command line for a command."""
        return install_line(f"{self.name}[{self.extra}]" if self.extra and kind == "command" else self.name)


class IndexedCatalog(Catalog):
    """The installed plugins. An error about one of Arena's own that is not installed says how to get it."""

    def get(self, kind: str, name: str) -> Any:
        """The one usable plugin called ``name``; otherwise ``PluginError`` says why and what to do."""
        wanted = (kind, name.rpartition(":")[2])
        if all((entry.kind, entry.name) != wanted for entry in self.installed()):
            if advice := missing(kind, name):
                raise PluginError(advice)
            others = [each for each in KINDS if self.has(each, name)]
            if others:
                raise PluginError(f"no {kind} called {name!r}, but {_with_article(others[0])} is called so")
        return super().get(kind, name)


def missing(kind: str, name: str) -> str:
    """What to do to get a plugin that is not installed, in one sentence; empty if Arena's repository has none.

    ``kind`` may be empty, for any kind.
    """
    dist, _, bare = name.rpartition(":")
    for each in index().values():
        kinds = [one for one in each.plugins if kind in ("", one) and each.has(one, bare)]
        if not kinds or (dist and dist != each.name):
            continue
        if not is_installed(each.name):
            return f"{bare!r} is in {each.name}, which is not installed: {each.remedy(kinds[0])}"
        if each.name not in workspace():
            return f"{bare!r} is in a newer {each.name}: {install_line(each.name, is_upgrade=True)}"
        return f"{bare!r} is in {each.name}, which was changed since it was installed: {each.remedy(kinds[0])}"
    return ""


def with_remedy(problem: str) -> str:
    """The problem, or, where it is that one of Arena's own plugins is not installed, how to get that plugin."""
    found = _UNKNOWN.search(problem)
    advice = missing(found[1], found[2]) if found else ""
    return f"{problem[: found.start()]}{advice}" if found and advice else problem


def not_installed() -> list[FirstPartyDistribution]:
    """The distributions of Arena's repository that are not installed and bring plugins."""
    return [each for each in index().values() if each.plugins and not is_installed(each.name)]


def is_first_party(dist: str) -> bool:
    """Whether a distribution is one of Arena's repository."""
    return normalized(dist) in _names()


@cache
def _names() -> frozenset[str]:
    return frozenset(map(normalized, index()))


@cache
def index() -> Mapping[str, FirstPartyDistribution]:
    """The distributions of Arena's repository, by name."""
    plain = json.loads(files("arena_cli").joinpath("first_party.json").read_text(encoding="utf-8"))
    return {name: _distribution(name, line) for name, line in plain.items()}


def _distribution(name: str, line: Mapping[str, Any]) -> FirstPartyDistribution:
    return FirstPartyDistribution(
        name=name,
        folder=line["folder"],
        summary=line["summary"],
        requires=tuple(line["requires"]),
        plugins={kind: tuple(names) for kind, names in line["plugins"].items()},
        extra=line.get("extra", ""),
    )


@cache
def is_installed(dist: str) -> bool:
    """Whether a distribution is installed in this environment."""
    try:
        return bool(version(dist))
    except PackageNotFoundError:
        return False


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind[0] in "aeiou" else f"a {kind}"
