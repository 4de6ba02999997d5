"""Keeps that a run is finished, so that resuming it ends at once, however long the run is.

It lies in the user's cache under the content of the journal and all code that is installed: a journal of which a byte
has changed, or another metric, finds nothing, and the journal is read.
"""

from collections.abc import Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Final

from arena.record import canonical_json
from arena_engine import KeptTexts, is_played
from arena_engine.foundation.provenance import installed_code
from arena_engine.journal.database import FILE

ROOM: Final = 10_000_000
"""So many bytes there are on disk at most."""

FOLDER: Final = "finished"


def keep_finished(directory: Path, disabled: Sequence[str], report: str) -> None:
    """Keep that every match of a run has a result, and the name of its report's file; its journal is closed."""
    if key := _key(directory, disabled):
        KeptTexts(FOLDER, ROOM).put(key, report)


def report_of_finished(directory: Path, disabled: Sequence[str]) -> str | None:
    """The name of the report's file of a finished run, empty if there is none; ``None`` if matches may be left."""
    key = _key(directory, disabled)
    report = KeptTexts(FOLDER, ROOM).get(key) if key else None
    return report if not report or (directory / report).is_file() else ""


def _key(directory: Path, disabled: Sequence[str]) -> str:
    """A digest of everything that has to be as it was; empty where that is still changing."""
    path = directory / FILE
    log = path.with_name(f"{FILE}-wal")
    try:
        if is_played(directory) or (log.exists() and log.stat().st_size):
            return ""
        with path.open("rb") as file:
            content = file_digest(file, "blake2b").hexdigest()
    except OSError:
        return ""
    made_from = [content, installed_code(), sorted(disabled)]
    return sha256(canonical_json(made_from).encode()).hexdigest()
