"""Compares the plugins installed on driver and worker, so that all matches are played by the same code."""

import hashlib
import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import attrs
from arena.catalog import InstalledPlugin

from arena_engine.journal.provenance import provenance_of

SHOWN = 12
"""How many characters of a digest are shown in a message."""


@attrs.frozen
class PluginOrigin:
    """A distribution, its version, and a digest of all files of the package that was loaded from it."""

    dist: str
    version: str
    code: str

    def __str__(self) -> str:
        return f"{self.dist} {self.version} (code {self.code[:SHOWN]})"


@attrs.frozen
class EnvironmentFingerprint:
    """The host, its Python version, and the origin of core and of each plugin that the benchmark uses.

    Files are compared, not commits: a commit during a run that leaves these files unchanged makes no difference, and an
    uncommitted edit does.
    """

    host: str
    python: str
    origins: Mapping[str, PluginOrigin]

    @classmethod
    def of(cls, plugins: Iterable[InstalledPlugin]) -> "EnvironmentFingerprint":
        """The fingerprint of this process, which plays with ``plugins``."""
        origins = {"the core": PluginOrigin("playarena-core", version("playarena-core"), digest("arena"))}
        for entry in sorted(plugins, key=lambda entry: entry.key):
            if entry.plugin is not None:
                written = provenance_of(entry)
                code = digest(entry.plugin.factory.partition(":")[0].partition(".")[0])
                origins[f"{entry.kind} {entry.name!r}"] = PluginOrigin(
                    str(written["dist"]), str(written["version"]), code
                )
        return cls(platform.node(), platform.python_version(), origins)

    def difference(self, worker: "EnvironmentFingerprint") -> str | None:
        """How a worker differs from this driver, in one sentence; ``None`` if both play the same."""
        mine, theirs = self._parts(), worker._parts()
        for name, part in mine.items():
            other = theirs.get(name, "nothing")
            if part != other:
                return (
                    f"the worker on {worker.host!r} has {other} for {name} and the driver has {part}; "
                    "install the same for both, or begin again if one was changed meanwhile"
                )
        return None

    def _parts(self) -> dict[str, str]:
        named = {name: str(origin) for name, origin in self.origins.items()}
        return {"python": ".".join(self.python.split(".")[:2]), **named}


def digest(package: str) -> str:
    """A digest of a package's source files, wherever they are installed; compiled files are left out."""
    spec = find_spec(package)
    found = hashlib.sha256()
    for place in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(place).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(path.relative_to(place).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
