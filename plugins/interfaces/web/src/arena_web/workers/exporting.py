"""Writes a run's matches as `arena export` does; runs in a worker process."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from arena.catalog import Catalog
from arena.errors import ArenaError
from arena_cli import export_format
from arena_engine import Journal

from arena_web.foundation.hidden_matches import covered_matches

GRID: Final = "llm-game-benchmark"
"""The format in which the submission files of grid games are."""

_ALL: Final = "all.zip"
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def export(asked: Mapping[str, Any], catalog: Catalog) -> str:
    """Write a run into a new directory, and name what is to be sent of it: one file.

    Of a format that writes a directory it is the ``all.zip`` in it; ``ArenaError`` where there is none. With
    ``submission`` it is a ZIP of the submission files alone.
    """
    directory = Path(asked["to"])
    is_submission = bool(asked["submission"])
    made = export_format(asked["format"], catalog, **({"pictures": False} if is_submission else {}))
    target = directory / "export"
    with Journal.open(Path(asked["run"]), check=False) as journal:
        if covered_matches(journal, is_host=asked["is_host"]):
            raise ArenaError("somebody plays in it who may not know all of it yet; wait until that is over")
        made.write(journal, target)
    if is_submission:
        return str(_submission(target, directory / "submission.zip"))
    if target.is_file():
        return str(target)
    if not (target / _ALL).is_file():
        raise ArenaError(f"{asked['format']} writes a directory; `arena export` does that")
    return str(target / _ALL)


def _submission(directory: Path, target: Path) -> Path:
    """The submission files of an export, as they are, in one file; equal exports give equal bytes."""
    files = sorted(file for file in directory.iterdir() if file.stem.endswith("_submission"))
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name, _EPOCH), file.read_bytes(), zipfile.ZIP_DEFLATED)
    return target
