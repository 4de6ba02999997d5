"""Finds suites: named, versioned benchmark files that distributions ship."""

from collections.abc import Iterator
from importlib.resources.abc import Traversable

import attrs
from arena.catalog import Catalog, Status

PREFIX = "suite:"
"""The prefix of a suite's name wherever a file's path is possible too."""


@attrs.frozen(kw_only=True)
class Suite:
    """One installed suite; its ``version`` is raised whenever its results would change."""

    name: str
    dist: str
    version: str
    summary: str


def suites(catalog: Catalog) -> Iterator[Suite]:
    """The suites that can be run; the catalog lists the others with the reason why they cannot."""
    for entry in catalog.entries("suite"):
        if entry.status is Status.OK and entry.plugin is not None:
            yield Suite(name=entry.name, dist=entry.dist, version=entry.plugin.version, summary=entry.summary)


def find(name: str, catalog: Catalog) -> tuple[Traversable, str]:
    """Locate a suite's file: its package's directory, and the path in it. ``PluginError`` if there is no such suite."""
    return catalog.get("suite", name).resource()


def suite_title(name: str, catalog: Catalog) -> str:
    """A suite's name, version and distribution as one text, for the record of a run."""
    entry = catalog.get("suite", name)
    version = entry.plugin.version if entry.plugin else ""
    return f"{entry.name} {version} ({entry.dist} {entry.version})"
