"""Measures in turns, so that all who are compared meet the same machine."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

ARENA = str(Path(sys.executable).with_name("arena"))


def in_turns(works: Mapping[str, Callable[[], T]], rounds: int, *, is_warm: bool = False) -> Mapping[str, Sequence[T]]:
    """What each of the works gives in each round; unless all is warm, each does it once more before, uncounted."""
    for work in () if is_warm else works.values():
        work()
    found: dict[str, list[T]] = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            found[name].append(work())
    return found


def own_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of this process for one call."""
    began = time.process_time()
    work()
    return time.process_time() - began


def program(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> float:
    """CPU seconds (user and system) of one run of a program and of all that it starts and waits for."""
    return measured(command, environment)[0]


def measured(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> tuple[float, float]:
    """CPU seconds of a program, and the most memory that it or a process it waited for had, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
    assert process.stderr is not None
    said = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}: {said.strip()}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def own_memory_mb() -> float:
    """The most memory this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
