"""Runs parts of a review in a child process with a time limit, so that a plugin that crashes cannot end the review."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from arena_devkit.review.findings import Finding, Item

DONE = "is_done"
"""The name of the value that a child process reports last."""

_LIBRARY = sysconfig.get_paths()["stdlib"]
_TOLD = 3
"""How many of the last lines of a dead process's output are quoted."""


@attrs.frozen(kw_only=True)
class Task:
    """What a child process is to check, as plain data; ``parts`` are all parts that were asked for.

    ``hash_seed`` is the process's ``PYTHONHASHSEED``; its clocks are ``shift_s`` seconds ahead.
    """

    task: str
    parts: tuple[str, ...] = ()
    kind: str
    name: str
    dist: str
    seed: int = 0
    is_quick: bool = False
    is_online: bool = False
    game: str | None = None
    hash_seed: str = "0"
    shift_s: float = 0.0


@attrs.frozen
class TaskResult:
    """The items that a child process reported, and other values by name."""

    items: tuple[Item, ...]
    values: Mapping[str, Any]


def carry_out(task: Task, parts: Sequence[str], limit_s: float) -> TaskResult:
    """Run a task in a child process; returns an item for each of ``parts``, even if the process dies."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="arena-check-") as place:
        report, said = Path(place) / "report", Path(place) / "said"
        (home := Path(place) / "home").mkdir()
        status = _run(task, report, said, home, limit_s)
        lines = _lines(report)
        last = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    items = [Item.from_json(line["item"]) for line in lines if "item" in line]
    values = {key: value for line in lines for key, value in line.get("value", {}).items()}
    missing = [part for part in parts if part not in {item.part for item in items}]
    if DONE in values:  # it ran to its end: missing parts could not be checked
        items += [Item(part=part, untested="it cannot be imported") for part in missing]
    elif missing:
        begun = [line["part"] for line in lines if "part" in line]
        dying = begun[-1] if begun and begun[-1] in missing else missing[0]
        seconds = time.monotonic() - began
        for part in missing:
            if part == dying:
                items.append(Item(part=part, findings=(_death(status, limit_s, last),), seconds=seconds))
            else:
                items.append(Item(part=part, untested=f"the process ended under {dying!r}"))
    return TaskResult(tuple(items), values)


def _run(task: Task, report: Path, said: Path, home: Path, limit_s: float) -> int | None:
    """The exit status, or ``None`` if the time ran out; all processes that it started are killed as well."""
    environment = {
        **os.environ,
        "PYTHONHASHSEED": task.hash_seed,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
    }
    with said.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-X", "faulthandler", "-m", "arena_devkit.review.task_process", str(report)],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=out,
            cwd=home,
            env=environment,
            start_new_session=True,
        )
        try:
            process.communicate(json.dumps(attrs.asdict(task)).encode(), timeout=limit_s)
        except subprocess.TimeoutExpired:
            return None
        finally:
            _end(process)
    return process.returncode


def _end(process: "subprocess.Popen[bytes]") -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _lines(report: Path) -> list[dict[str, Any]]:
    try:
        written = report.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    found: list[dict[str, Any]] = []
    for line in written:
        try:
            found.append(json.loads(line))
        except ValueError:  # the process ended while it wrote
            break
    return found


def _death(status: int | None, limit_s: float, last: Sequence[str]) -> Finding:
    told = f"; it said last: {' / '.join(line.strip() for line in last[-_TOLD:])}" if last else ""
    if status is None:
        return Finding.of("time", f"it was not done after {limit_s:g} s and was ended{told}")
    if status < 0:
        traced = [line.strip() for line in last if line.lstrip().startswith("File ")]
        own = [line for line in traced if _LIBRARY not in line and "<frozen" not in line]
        where = f" at {(own or traced)[0]}" if traced else ""
        return Finding.of("killed", f"the process was killed by {signal.Signals(-status).name}{where}")
    return Finding.of("exit", f"the process was ended with exit code {status} from inside{told}")
