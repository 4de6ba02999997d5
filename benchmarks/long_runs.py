"""What reporting and resuming a long run cost: random tic-tac-toe, as many matches as are asked for.

    python benchmarks/long_runs.py [--matches 10000] [--rounds 5]

CPU seconds (user and system) of whole processes, taken in turns. `arena report` stands beside `arena export` to lines
of JSON of the same run, with nothing kept from before but what random play earns; `arena resume` of the finished run
beside that of a run of two matches. Each ratio is the median of the rounds' ratios, with its spread.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

GOAL_REPORT = 1.5
GOAL_RESUME = 1.3
ARENA = str(Path(sys.executable).with_name("arena"))


def cpu_seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """CPU seconds of one run of a command and all it starts."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def verdict(ratios: Sequence[float], goal: float, what: str) -> bool:
    """Say whether the median of some ratios is within its goal."""
    middle = statistics.median(ratios)
    word = "met" if middle <= goal else "MISSED"
    print(f"{word}: {what} takes {middle:.2f} x [{min(ratios):.2f}, {max(ratios):.2f}], goal {goal:g}")
    return middle <= goal


def main() -> int:
    """Measure and print; the exit status is 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        environment = {**os.environ, "XDG_CACHE_HOME": place}
        playing = [ARENA, "run", "--game", "tic-tac-toe", "--agent", "random", "--output"]
        runs = {number: str(Path(place, f"run{number}")) for number in (options.matches, 2)}
        for number, run in runs.items():
            cpu_seconds([*playing, run, "-n", str(number)], environment)
        long, short = runs.values()
        reports: list[float] = []
        resumed: list[float] = []
        for _ in range(options.rounds):
            shutil.rmtree(Path(place, "arena", "measured"), ignore_errors=True)
            exporting = [ARENA, "export", long, "--format", "jsonl", "--output", f"{place}/matches.jsonl"]
            exported = cpu_seconds(exporting, environment)
            reports.append(cpu_seconds([ARENA, "report", long], environment) / exported)
            by_run = [cpu_seconds([ARENA, "resume", run], environment) for run in (long, short)]
            resumed.append(by_run[0] / by_run[1])
    is_quick = verdict(reports, GOAL_REPORT, f"arena report of {options.matches:,} matches, beside arena export,")
    is_over = verdict(resumed, GOAL_RESUME, f"arena resume of {options.matches:,} finished matches, beside that of 2,")
    return 0 if is_quick and is_over else 1


if __name__ == "__main__":
    sys.exit(main())
