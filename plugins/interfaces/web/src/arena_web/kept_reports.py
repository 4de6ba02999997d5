"""Keeps the reports of runs in the user's cache, under everything that they were made from."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from arena.errors import JournalError
from arena_engine import Journal, KeptTexts, cache_folder, is_played

ROOM: Final = 1_000_000_000
"""So many bytes there are on disk at most."""

FORMAT: Final = 1
"""Raised when what is kept cannot be used any more."""


class KeptReports:
    """Reports on disk. Each lies under a digest of its runs' contents, of the installed code and of what random play is
    known to earn; so it is found again only where it would be made again just so.

    Who looks does not count: covered matches are in nobody's report, and which those are follows from the contents.
    """

    def __init__(self, *, disabled: Sequence[str] = ()) -> None:
        self._texts = KeptTexts("web", ROOM)
        self._disabled = tuple(disabled)

    def key(self, runs: Sequence[str]) -> str:
        """What the report of some runs is kept under; empty while one is played, and where it has no word for that."""
        marks: list[str] = []
        for run in runs:
            try:
                with Journal.open(Path(run), check=False) as journal:
                    marks.append("" if is_played(Path(run)) else journal.mark())
            except JournalError:
                return ""
        if not all(marks):
            return ""
        made_from = [FORMAT, list(runs), marks, _installed(), _references(), self._disabled]
        return sha256(json.dumps(made_from).encode()).hexdigest()

    def get(self, runs: Sequence[str]) -> Mapping[str, Any] | None:
        """The report of some runs as they are now, if it is kept."""
        key = self.key(runs)
        text = self._texts.get(key) if key else None
        return None if text is None else json.loads(text)

    def put(self, key: str, report: Mapping[str, Any]) -> None:
        """Keep a report under a key."""
        self._texts.put(key, json.dumps(report))


def _references() -> list[Any]:
    """What is known of random play: it changes what a report compares with."""
    cache = cache_folder()
    folder = None if cache is None else cache / "references"
    found = folder.glob("*.json") if folder is not None and folder.is_dir() else ()
    return sorted((path.name, path.stat().st_mtime_ns) for path in found)


@lru_cache(maxsize=1)
def _installed() -> str:
    """A digest of all that is installed: versions, and of what is edited in place the names and times of its files."""
    found = sorted({f"{each.name} {each.version} {_edited(each)}" for each in distributions()})
    return sha256("\n".join(found).encode()).hexdigest()


def _edited(dist: Distribution) -> str:
    try:
        told: Any = json.loads(dist.read_text("direct_url.json") or "{}")
        if not told.get("dir_info", {}).get("editable"):
            return ""
        place = Path(unquote(urlsplit(str(told["url"])).path)) / "src"
        files = [path for path in place.rglob("*") if "__pycache__" not in path.parts and path.is_file()]
        return str(sorted((str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in files))
    except (OSError, ValueError, LookupError, AttributeError):
        return ""
