"""Finds the runs that are shown: those given, and those in directories, two levels deep."""

import os
import re
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

import attrs
from arena.errors import did_you_mean
from arena_cli import begun
from arena_engine import ControlAddress

from arena_web.foundation.errors import ApiError, not_found

JOURNAL: Final = "journal.sqlite"

LEVELS: Final = 2
"""So many directories deep runs are looked for."""

_UNSAFE: Final = re.compile(r"[^A-Za-z0-9._-]+")


@attrs.frozen
class FoundRun:
    """A run that is shown: the name by which addresses call it, and its directory."""

    name: str
    directory: Path

    @property
    def stamp(self) -> tuple[int, int, int]:
        """What changes when the journal's file is another one, or was written to."""
        file = self.directory / JOURNAL
        log = file.with_name(f"{JOURNAL}-wal")
        found = file.stat()
        written = log.stat().st_mtime_ns if log.is_file() else 0
        return found.st_ino, found.st_mtime_ns, written

    @property
    def state_stamp(self) -> tuple[int, int, int, bool]:
        """What changes when the run may do something else: its stamp, and whether a process says that it plays it."""
        return *self.stamp, (self.directory / "control.json").is_file()


class FoundRuns:
    """The runs of some directories, which are searched again when somebody asks.

    Links that lead out of the directories are not followed.
    """

    def __init__(self, places: Sequence[Path]) -> None:
        self.places = tuple(places)
        self._begun: dict[tuple[Path, int], str] = {}

    def all(self) -> list[FoundRun]:
        """All runs there are, by their paths."""
        found: dict[str, Path] = {}
        for place in self.places:
            for directory in _runs_in(place):
                name = _name(place, directory)
                if name in found and found[name] != directory:
                    name = f"{name}-{_mark(directory)}"
                found.setdefault(name, directory)
        return [FoundRun(name, directory) for name, directory in found.items()]

    def newest_first(self) -> list[FoundRun]:
        """All runs, the one that was begun last first."""
        return sorted(self.all(), key=lambda run: (self._begun_of(run), run.name), reverse=True)

    def get(self, name: str) -> FoundRun:
        """The run of this name; an answer of 404 says which there are."""
        runs = self.all()
        for run in runs:
            if run.name == name:
                return run
        raise self._unknown(name, [run.name for run in runs])

    def shown(self, directory: Path) -> FoundRun:
        """The run in a directory, which is shown from here on if it was not."""
        resolved = directory.resolve()
        for run in self.all():
            if run.directory == resolved:
                return run
        self.places = (*self.places, resolved)
        return next(run for run in self.all() if run.directory == resolved)

    def _begun_of(self, run: FoundRun) -> str:
        """When a run was begun, for which a journal is opened once; one that another machine plays is not opened."""
        address = ControlAddress.of(run.directory)
        if address is not None and not address.is_here:
            return ""
        key = run.directory, run.stamp[0]
        if key not in self._begun:
            self._begun[key] = begun(run.directory)
        return self._begun[key]

    @property
    def empty(self) -> str:
        """What to say where there is no run."""
        named = " or ".join(repr(str(place)) for place in self.places)
        return f"no runs in {named}; start one with `arena run`"

    def _unknown(self, name: str, names: Sequence[str]) -> ApiError:
        if not names:
            return not_found("run", f"there is no run {name!r}", self.empty)
        listed = ", ".join(names[:5]) + (f" and {len(names) - 5:,} more" if len(names) > 5 else "")
        return not_found("run", f"there is no run {name!r}{did_you_mean(name, names)}", f"there is: {listed}")


def _runs_in(place: Path) -> Iterator[Path]:
    root = place.resolve()
    yield from _below(root, root, LEVELS)


def _below(directory: Path, root: Path, levels: int) -> Iterator[Path]:
    if (directory / JOURNAL).is_file():
        yield directory
        return
    if not levels:
        return
    try:
        with os.scandir(directory) as entries:
            names = sorted(entry.name for entry in entries if entry.is_dir() and not entry.name.startswith("."))
    except OSError:
        return
    for name in names:
        below = (directory / name).resolve()
        if below.is_relative_to(root):
            yield from _below(below, root, levels - 1)


def _name(place: Path, directory: Path) -> str:
    """A name of letters that need no escapes in an address."""
    root = place.resolve()
    parts = directory.relative_to(root).parts or (directory.name,)
    plain = ".".join(parts)
    safe = _UNSAFE.sub("-", plain).strip(".-") or "run"
    return safe if safe == plain else f"{safe}-{_mark(directory)}"


def _mark(directory: Path) -> str:
    return sha256(os.fsencode(directory)).hexdigest()[:6]
