"""What driver and worker are built from, and whether it is the same."""

import hashlib
import platform
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import attrs
from arena.benchmark import Benchmark

SHOWN = 12
"""Characters of a digest in a sentence."""


@attrs.frozen
class Origin:
    """A distribution, its version, and a digest of all files of the package that is loaded from it."""

    dist: str
    version: str
    code: str

    def __str__(self) -> str:
        return f"{self.dist} {self.version} (code {self.code[:SHOWN]})"


@attrs.frozen
class Papers:
    """The host, its Python, and where core and each plugin of the benchmark come from.

    Files are compared, not commits: a commit that leaves them as they are, made while a run goes on, changes nothing
    that is played, and an edit that nobody has committed does.
    """

    host: str
    python: str
    origins: Mapping[str, Origin]

    @classmethod
    def of(cls, benchmark: Benchmark) -> "Papers":
        """The papers of this process, which has built ``benchmark``."""
        origins = {"the core": Origin("arena-core", version("arena-core"), digest("arena"))}
        for entry in sorted(benchmark.used.values(), key=lambda entry: entry.key):
            if entry.plugin is not None:
                written = entry.provenance()
                code = digest(entry.plugin.factory.partition(":")[0].partition(".")[0])
                origins[f"{entry.kind} {entry.name!r}"] = Origin(str(written["dist"]), str(written["version"]), code)
        return cls(platform.node(), platform.python_version(), origins)

    def difference(self, worker: "Papers") -> str | None:
        """One sentence on how a worker differs from this driver, ``None`` where it plays the same."""
        mine, theirs = self._parts(), worker._parts()
        for name, part in mine.items():
            other = theirs.get(name, "nothing")
            if part != other:
                return (
                    f"the worker on {worker.host!r} has {other} for {name} and the driver has {part}; "
                    "install the same distributions on every node"
                )
        return None

    def _parts(self) -> dict[str, str]:
        named = {name: str(origin) for name, origin in self.origins.items()}
        return {"python": ".".join(self.python.split(".")[:2]), **named}


def digest(package: str) -> str:
    """A digest of a package's files, wherever they lie; what Python compiled is left out."""
    spec = find_spec(package)
    found = hashlib.sha256()
    for place in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(place).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(path.relative_to(place).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
