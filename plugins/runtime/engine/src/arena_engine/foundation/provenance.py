"""Where installed code comes from: the commit of a distribution, and one digest of all that is installed."""

import json
import os
import site
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import Distribution
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import attrs
from arena.catalog import InstalledPlugin


@attrs.frozen
class Origin:
    """How a distribution was installed.

    ``commit`` is the commit installed from version control, or, for an editable installation, the one that its git
    checkout has checked out now (uncommitted changes do not show). ``None`` if it is not recorded.
    """

    is_editable: bool = False
    commit: str | None = None

    @classmethod
    def of(cls, dist: Distribution) -> "Origin":
        """Read what the installer recorded (``direct_url.json``, PEP 610); never runs a program, never raises."""
        try:
            written: dict[str, Any] = json.loads(dist.read_text("direct_url.json") or "{}")
            is_editable = bool(written.get("dir_info", {}).get("editable", False))
            commit = written.get("vcs_info", {}).get("commit_id")
            url = urlsplit(str(written.get("url", "")))
        except (OSError, ValueError, AttributeError):
            return cls()
        if commit is None and is_editable and url.scheme == "file":
            commit = checked_out(Path(unquote(url.path)))
        return cls(is_editable, commit)


@lru_cache(maxsize=64)
def checked_out(directory: Path) -> str | None:
    """The commit of the git checkout that ``directory`` lies in, read from git's own files."""
    try:
        for parent in (directory, *directory.parents):
            if (parent / ".git").exists():
                return _head(_git_directory(parent / ".git"))
    except (OSError, ValueError):
        pass
    return None


def _git_directory(dot_git: Path) -> Path:
    # In a worktree or submodule, .git is a file that points to the directory.
    if dot_git.is_dir():
        return dot_git
    return dot_git.parent / dot_git.read_text().removeprefix("gitdir:").strip()


def _head(git: Path) -> str | None:
    head = (git / "HEAD").read_text().strip()
    if not head.startswith("ref:"):
        return head
    name = head.removeprefix("ref:").strip()
    shared = git / (git / "commondir").read_text().strip() if (git / "commondir").exists() else git
    for home in (git, shared):
        if (home / name).exists():
            return (home / name).read_text().strip()
    packed = (shared / "packed-refs").read_text() if (shared / "packed-refs").exists() else ""
    lines = (line.split(" ", 1) for line in packed.splitlines())
    return next((parts[0] for parts in lines if parts[-1] == name), None)


def provenance_of(entry: InstalledPlugin) -> dict[str, Any]:
    """The provenance of a plugin as a run records it: its name, distribution, version and commit."""
    origin = Origin.of(entry.entry_point.dist) if entry.entry_point.dist else Origin()
    return {
        "kind": entry.kind,
        "name": entry.name,
        "target": entry.target,
        "dist": entry.dist,
        "version": entry.version,
        "editable": origin.is_editable,
        "commit": origin.commit,
    }


@lru_cache(maxsize=1)
def installed_code() -> str:
    """A digest of all that is installed: names and versions; of sources that are edited in place, times and lengths."""
    folders = [*site.getsitepackages(), site.getusersitepackages()]
    found = [line for folder in folders if os.path.isdir(folder) for line in _installed(folder)]
    return sha256("\n".join(found).encode(errors="surrogateescape")).hexdigest()


def _installed(folder: str) -> Iterator[str]:
    """What an environment's folder holds: each distribution with its version, and the folders that it leads to."""
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name.endswith((".dist-info", ".egg-info")):
            yield f"{entry.name} {entry.stat().st_mtime_ns}"
        elif entry.name.endswith(".pth"):
            text = Path(entry.path).read_text("utf-8", errors="surrogateescape")
            for place in filter(os.path.isdir, text.splitlines()):
                yield from sorted(_sources(place))


def _sources(folder: str) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            if entry.name != "__pycache__":
                yield from _sources(entry.path)
        else:
            found = entry.stat()
            yield f"{entry.path} {found.st_mtime_ns} {found.st_size}"
