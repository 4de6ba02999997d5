"""Plays one small run for each feature, and says what is shown of it as text that is the same on every machine.

The first line of each file of ``benchmarks`` says which feature its run has. ``python -m tests.feature_runs.played``
writes the golden files again; read the difference, since it is what users see.
"""

import io
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Final, TypeAlias
from unittest.mock import patch

Call: TypeAlias = tuple[str, ...]
"""The arguments of one call of ``arena``."""

HERE: Final = Path(__file__).parent
BENCHMARKS, GOLDEN = HERE / "benchmarks", HERE / "golden"

MADE: Final[Mapping[str, tuple[str, ...]]] = {"branched": ("finished",), "cached-again": ("cached",)}
"""Runs that have no benchmark of their own, with those that they need."""

_MORE: Final[Mapping[str, tuple[Call, ...]]] = {
    "branched": (("replay", "finished", "--match", "1", "--turn", "2", "--branch", "random", "--output", "branched"),),
    "cached-again": (("run", "cached.yaml", "--output", "cached-again", "--quiet"),),
    "extended": (
        ("run", "extended.yaml", "--output", "extended", "--quiet"),
        (
            *("run", "extended.yaml", "--extend", "extended", "--quiet"),
            *("--set", "schedule.repeats=2", "--set", "agents.first=first-legal", "--metric", "costs"),
        ),
    ),
    "failed": (("run", "failed.yaml", "--output", "failed", "--quiet", "--trust-code"),),
}
"""The calls that make a run, where they are more than playing its benchmark."""

RESUMED: Final = ("judging", "stopped", "traded")
"""Runs that a budget stops, and that go on with a greater one."""

FEATURES: Final = tuple(sorted({*(file.stem for file in BENCHMARKS.glob("*.yaml")), *MADE}))
"""The names of all runs."""

_VARIABLES: Final = ("ARENA_DISABLE", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")

_FIXED: Final = (
    (re.compile(r"\b20\d\d-\d\d-\d\dT\d\d([:-])\d\d[:-]\d\d"), r"2026-01-01T00\g<1>00\g<1>00"),
    (re.compile(r"(?<= in )(\d+ (s|min)\b|less than a second|\d+ seconds?)"), "0 s"),
    (re.compile(r"(?<=with arena )[\w.+]+"), "VERSION"),
)
"""What differs from time to time, and what stands for it."""


def play(name: str, directory: Path) -> Path:
    """Play a run of that name into a directory, unless it is there; return its own."""
    run = directory / name
    if not run.exists():
        directory.mkdir(parents=True, exist_ok=True)
        for needed in MADE.get(name, ()):
            play(needed, directory)
        for file in BENCHMARKS.glob("*.yaml"):
            shutil.copy(file, directory)
        told = [
            arena(*call, directory=directory)
            for call in _MORE.get(name, (("run", f"{name}.yaml", "--output", name, "--quiet"),))
        ]
        assert (run / "journal.sqlite").is_file(), "\n".join(told)
    return run


def copy(name: str, directory: Path, to: Path) -> Path:
    """Copy a run into another directory, with what it needs to go on; return its own there."""
    shutil.copytree(play(name, directory), to / name)
    return to / name


def resume(name: str, directory: Path) -> str:
    """Let a run go on to its end, and return what that says."""
    more = ("--set", "limits.budget-calls=500", "--trust-paths") if name in RESUMED else ()
    return arena("resume", name, "--quiet", *more, directory=directory)


def shown(name: str, directory: Path) -> str:
    """The report on a run and its matches as CSV; what random play earns is known to the report already."""
    arena("report", name, "--output", f"{name}.md", directory=directory)
    calls = ("report", name), ("export", name, "--format", "csv", "--output", "-")
    return "\n".join(arena(*call, directory=directory) for call in calls)


def golden(name: str, directory: Path, scratch: Path) -> str:
    """The text of a golden file: what is shown of a run, and of a stopped one when it has gone on as well."""
    play(name, directory)
    told = shown(name, directory)
    if name in RESUMED:
        copy(name, directory, scratch)
        told = "\n".join((told, resume(name, scratch), shown(name, scratch)))
    return told


def arena(*arguments: str, directory: Path) -> str:
    """Call the command line in a directory: what it wrote, and its exit code."""
    from arena_cli.application.group import group

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="", write_through=True) for _ in range(2))
    variables = {name: value for name, value in os.environ.items() if name not in _VARIABLES}
    variables |= {"COLUMNS": "120", "XDG_CACHE_HOME": str(directory / "known")}
    code: object = 0
    with (
        chdir(directory),
        patch.dict(os.environ, variables, clear=True),
        patch.object(sys, "stdin", io.StringIO()),
        redirect_stdout(out),
        redirect_stderr(err),
        patch("arena_cli.results.run_results.write", lambda report, form, path: path.touch()),
    ):
        try:
            group.main(list(arguments), prog_name="arena")
        except SystemExit as end:
            code = end.code
    written, said = (stream.detach().getvalue().decode() for stream in (out, err))
    told = f"[standard error]\n{said}" if said else ""
    text = f"$ arena {' '.join(arguments)}\n{written}{told}[exit code {code or 0}]\n"
    for pattern, value in _FIXED:
        text = pattern.sub(value, text)
    return text


def main() -> None:
    """Write all golden files."""
    with tempfile.TemporaryDirectory() as place:
        for name in FEATURES:
            made = golden(name, Path(place, "runs"), Path(place, "scratch"))
            (GOLDEN / f"{name}.txt").write_text(made, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
