"""Names all code that is installed by one digest, so that what other code computed is not taken for its own."""

import os
import site
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path


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
