"""Keeps what a finished run said last, so that resuming it says it again without reading what was played.

It lies in the user's cache under the content of the journal and all code that is installed: a journal of which a byte
has changed, or another metric, finds nothing and is read as a whole.
"""

import json
import sys
from collections.abc import Sequence
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.record import canonical_json
from arena_engine import KeptTexts, is_played
from arena_engine.journal.database import FILE
from arena_engine.references.installed_code import installed_code

from arena_cli import output

ROOM: Final = 10_000_000
"""So many bytes there are on disk at most."""

FOLDER: Final = "verdicts"


@attrs.frozen
class KeptVerdict:
    """The last lines of a run for one width and kind of terminal; ``None`` if the run was quiet.

    ``report`` is the file that they name; without it they are no longer true.
    """

    lines: tuple[str, ...] | None = None
    report: str = ""

    def keep(self, directory: Path, disabled: Sequence[str]) -> None:
        """Keep the lines of a run in which every match has a result; its journal is closed."""
        if key := _key(directory, disabled):
            KeptTexts(FOLDER, ROOM).put(key, json.dumps([_terminal(), self.lines, self.report]))


def kept_verdict(directory: Path, disabled: Sequence[str], *, needs_lines: bool) -> KeptVerdict | None:
    """What a finished run said last, if it is kept for this terminal; ``None`` for a run that has something left."""
    key = _key(directory, disabled)
    text = KeptTexts(FOLDER, ROOM).get(key) if key else None
    if text is None:
        return None
    terminal, lines, report = cast("tuple[Any, list[str] | None, str]", json.loads(text))
    is_true = lines is not None and terminal == _terminal() and (not report or Path(report).is_file())
    return None if needs_lines and not is_true else KeptVerdict(None if lines is None else tuple(lines), report)


def _key(directory: Path, disabled: Sequence[str]) -> str:
    """A digest of everything that the last lines follow from; empty where that is still changing."""
    path = directory / FILE
    log = path.with_name(f"{FILE}-wal")
    try:
        if is_played(directory) or (log.exists() and log.stat().st_size):
            return ""
        with path.open("rb") as file:
            content = file_digest(file, "blake2b").hexdigest()
    except OSError:
        return ""
    made_from = [content, installed_code(), str(directory), sys.argv[0], sorted(disabled)]
    return sha256(canonical_json(made_from).encode()).hexdigest()


def _terminal() -> list[Any]:
    return list(attrs.astuple(output.terminal_of(sys.stderr)))
