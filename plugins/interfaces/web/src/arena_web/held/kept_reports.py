"""Keeps the reports of runs in the user's cache, under everything that they were made from."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from arena.errors import JournalError
from arena_engine import Journal, KeptTexts, cache_folder, installed_code, is_played

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
        made_from = [FORMAT, list(runs), marks, installed_code(), _references(), self._disabled]
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
