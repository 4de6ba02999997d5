"""What driver and worker are built from, and whether it is the same."""

import platform
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from typing import Any

import attrs


@attrs.frozen
class Papers:
    """The versions of core and Python on a host, and where each plugin of the benchmark comes from."""

    host: str
    python: str
    core: str
    provenance: tuple[Mapping[str, Any], ...]

    @classmethod
    def of(cls, provenance: Iterable[Mapping[str, Any]]) -> "Papers":
        """The papers of this process."""
        return cls(platform.node(), platform.python_version(), version("arena-core"), tuple(provenance))

    def difference(self, worker: "Papers") -> str | None:
        """One sentence on how a worker differs from this driver, ``None`` where it plays the same.

        Where an editable checkout lies does not matter, and commits are compared only where both are known.
        """
        mine, theirs = self._parts(), worker._parts()
        for name, part in mine.items():
            other = theirs.get(name, "nothing")
            if part != other and not _is_unknown(part, other):
                return (
                    f"the worker on {worker.host!r} has {other} for {name} and the driver has {part}; "
                    "install the same distributions on every node"
                )
        return None

    def _parts(self) -> "dict[str, str | _Origin]":
        parts: dict[str, str | _Origin] = {
            "python": ".".join(self.python.split(".")[:2]),
            "arena-core": self.core,
        }
        for entry in self.provenance:
            origin = _Origin(entry["dist"], entry["version"], entry["commit"])
            parts[f"{entry['kind']} {entry['name']!r}"] = origin
        return parts


@attrs.frozen
class _Origin:
    dist: str
    version: str
    commit: str | None

    def __str__(self) -> str:
        commit = f" at {self.commit[:12]}" if self.commit else ""
        return f"{self.dist} {self.version}{commit}"


def _is_unknown(part: object, other: object) -> bool:
    """Whether two origins differ in nothing but a commit that one of them does not know."""
    if not isinstance(part, _Origin) or not isinstance(other, _Origin) or (part.commit and other.commit):
        return False
    return attrs.evolve(part, commit=None) == attrs.evolve(other, commit=None)
