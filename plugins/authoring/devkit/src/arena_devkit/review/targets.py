"""Finds what is to be reviewed among the installed plugins: by name, by distribution or by folder."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import attrs
from arena.catalog import Catalog, InstalledPlugin
from arena.errors import PluginError, did_you_mean
from arena.plugin import KINDS, OFFERS, group_of


@attrs.frozen
class Project:
    """A distribution under review: its plugins, and the folder it is built from if that is known."""

    dist: Distribution
    entries: tuple[InstalledPlugin, ...]
    directory: Path | None = None

    @property
    def name(self) -> str:
        """The distribution's name on a package index."""
        return self.entries[0].dist

    @property
    def version(self) -> str:
        """The version that is installed."""
        return self.entries[0].version


def projects(catalog: Catalog, what: str | None, here: Path) -> list[Project]:
    """The distributions that ``what`` names, and which of their plugins.

    ``what`` is a folder, a plugin, ``KIND:NAME`` or a distribution; ``None`` means the folder ``here``. ``PluginError``
    if there is no such thing. Descriptors of entry points are not imported.
    """
    folder = here if what is None else Path(what)
    if what is None or (folder / "pyproject.toml").is_file() or "/" in what:
        return [_project_at(catalog, folder.resolve())]
    found = [entry for entry in catalog.installed() if _is_called(entry, what)]
    if not found:
        known = dict.fromkeys(word for entry in catalog.installed() for word in (entry.name, entry.dist))
        raise PluginError(f"no plugin, distribution or folder called {what!r}{did_you_mean(what, known)}")
    return _grouped(found)


def _project_at(catalog: Catalog, folder: Path) -> Project:
    file = folder / "pyproject.toml"
    if not file.is_file():
        raise PluginError(f"{folder}: there is no pyproject.toml; name a plugin, or the folder of one")
    try:
        project: Mapping[str, Any] = tomllib.loads(file.read_text(encoding="utf-8")).get("project", {})
    except (OSError, ValueError) as error:
        raise PluginError(f"{file}: {error}") from error
    name = str(project.get("name", ""))
    if not any(group.startswith("arena.") for group in project.get("entry-points", {})):
        groups = ", ".join(map(group_of, (*KINDS, OFFERS)))
        raise PluginError(f"{file}: declares no plugin; expected an entry point in one of {groups}")
    found = [entry for entry in catalog.installed() if _plain(entry.dist) == _plain(name)]
    if not found:
        raise PluginError(f"{file}: {name} is not installed here; run `pip install -e {folder}` first")
    return attrs.evolve(_grouped(found)[0], directory=folder)


def _grouped(found: Iterable[InstalledPlugin]) -> list[Project]:
    by_dist: dict[str, list[InstalledPlugin]] = {}
    for entry in found:
        by_dist.setdefault(entry.dist, []).append(entry)
    made: list[Project] = []
    for entries in by_dist.values():
        dist = entries[0].entry_point.dist
        if dist is None:
            raise PluginError(f"{entries[0]} comes from no distribution; install it again")
        made.append(Project(dist, tuple(entries), _origin(dist)))
    return made


def _origin(dist: Distribution) -> Path | None:
    """The folder that a distribution was installed from, if its installer recorded it (PEP 610)."""
    try:
        url = urlsplit(str(json.loads(dist.read_text("direct_url.json") or "{}").get("url", "")))
    except (OSError, ValueError, AttributeError):
        return None
    folder = Path(unquote(url.path))
    return folder if url.scheme == "file" and (folder / "pyproject.toml").is_file() else None


def _is_called(entry: InstalledPlugin, what: str) -> bool:
    kind, _, name = what.rpartition(":")
    if _plain(what) == _plain(entry.dist):
        return True
    return entry.name == name and kind in ("", entry.kind, entry.dist)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
