"""Suites: named, versioned benchmark files that distributions ship."""

from collections.abc import Iterator
from importlib.resources.abc import Traversable

import attrs

from arena.catalog import Catalog, Status
from arena.shipped import locate

PREFIX = "suite:"
"""What a suite's name starts with where a file could stand as well."""


@attrs.frozen(kw_only=True)
class Suite:
    """One suite as it is listed; ``version`` is its own, raised whenever its numbers would change."""

    name: str
    dist: str
    version: str
    summary: str


def suites(catalog: Catalog) -> Iterator[Suite]:
    """The suites that can be run; the others are in the catalog with their reason."""
    for entry in catalog.entries("suite"):
        if entry.status is Status.OK and entry.plugin is not None:
            yield Suite(name=entry.name, dist=entry.dist, version=entry.plugin.version, summary=entry.summary)


def find(name: str, catalog: Catalog) -> tuple[Traversable, str]:
    """Where a suite's file is: a directory and a path in it. ``PluginError`` where there is no such suite."""
    return locate(catalog.get("suite", name))


def title(name: str, catalog: Catalog) -> str:
    """A suite with its version and where it comes from, for the record."""
    entry = catalog.get("suite", name)
    version = entry.plugin.version if entry.plugin else ""
    return f"{entry.name} {version} ({entry.dist} {entry.version})"
