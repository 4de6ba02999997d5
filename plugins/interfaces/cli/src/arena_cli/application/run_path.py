"""A run as commands take it: its directory, ``@`` for the newest one, or a part of its name."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click
from arena.errors import ArenaError
from arena_engine import Journal
from arena_engine.journal import BEGUN, FILE
from click.shell_completion import CompletionItem

RUNS: Final = Path("runs")
"""The folder in which runs are written unless told otherwise, in the working directory."""

_NEWEST: Final = re.compile(r"@(\d*)")
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d")

_LISTED: Final = 3
"""The most runs that a message names."""


class RunPath(click.Path):
    """The type of an argument or option that takes a run.

    A path that exists is taken as it is. Otherwise ``@`` or ``@1`` is the newest run in ``runs/``, ``@2`` the one
    before, and a part of a name is the one run whose name holds it.
    """

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """The path of the run that ``value`` means; click's error says what to do if it means none, or several."""
        path = Path(value)
        if path.exists():
            return path
        try:
            return run_called(str(value))
        except LookupError as error:
            self.fail(str(error.args[0]), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The runs in ``runs/`` whose path or name begins so, the newest first, and paths of the shell's own."""
        found = [run for run in newest_first() if incomplete in ("", "@") or str(run).startswith(incomplete)]
        found = found or [run for run in newest_first() if incomplete in run.name]
        return [*(CompletionItem(str(run)) for run in found), CompletionItem(incomplete, type="file")]


def run_called(word: str) -> Path:
    """The run in ``runs/`` that ``@``, ``@2`` or a part of a name means; ``LookupError`` says why it means none."""
    runs = newest_first()
    if found := _NEWEST.fullmatch(word):
        number = int(found[1] or 1)
        if 1 <= number <= len(runs):
            return runs[number - 1]
        raise LookupError(f"no run {word}, since there {_are(len(runs))} in {RUNS}/; arena runs lists them")
    part = word.rstrip("/")
    exact = [run for run in runs if part in (run.name, without_stamp(run.name))]
    meant = exact if len(exact) == 1 else [run for run in runs if part in run.name]
    if len(meant) == 1:
        return meant[0]
    if len(meant) > 1:
        named = ", ".join(run.name for run in meant[:_LISTED])
        more = f" and {len(meant) - _LISTED} more" if len(meant) > _LISTED else ""
        raise LookupError(f"{word!r} is part of the names of {len(meant)} runs ({named}{more}); write more of one")
    raise LookupError(f"no run called {word!r}{_meant(part, runs)}; arena runs lists those in {RUNS}/")


def newest_first(folder: Path = RUNS) -> list[Path]:
    """The runs in a folder, the one that was begun last first; of those of one second, the one that was played last."""
    runs = {path.parent: _written_ns(path) for name in (BEGUN, FILE) for path in folder.glob(f"*/{name}")}
    return sorted(runs, key=lambda run: (begun(run), runs[run], run.name), reverse=True)


def _written_ns(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:  # it got its own name, or was removed, since it was seen
        return 0


def begun(run: Path) -> str:
    """When a run was begun, in UTC, as text that sorts by time: from its name, else from its journal."""
    if found := _STAMP.match(run.name):
        day, time = found[0].split("T")
        return f"{day}T{time.replace('-', ':')}"
    try:
        with Journal.open(run, check=False) as journal:
            return journal.header.created[:19]
    except (
        ArenaError,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        MemoryError,
        RecursionError,
    ):  # whoever opens it is told what is wrong with it
        return ""


def without_stamp(name: str) -> str:
    """A run's name without the time at which it was begun."""
    return _STAMP.sub("", name, count=1).removeprefix("-")


def _are(count: int) -> str:
    return {0: "are no runs", 1: "is 1 run"}.get(count, f"are {count:,} runs")


def _meant(word: str, runs: Iterable[Path]) -> str:
    from arena_cli.output.mistakes import nearest

    close = nearest(word, (run.name for run in runs), least=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""
