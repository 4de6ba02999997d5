"""A thousand matches at once against a backend that takes two seconds: wall time, CPU per completion, memory.

    python benchmarks/concurrency.py [--matches 1000] [--latency 2]

Matches of tic-tac-toe between two ``llm`` agents on the ``scripted`` backend, which answers at random but legally after
the latency; the journal is on. The limit is the ideal time: latency times the larger of the longest chain of calls in
one match and the number of calls over the concurrency.
"""

import argparse
import asyncio
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from arena.catalog import Catalog
from arena_engine import build_benchmark
from arena_engine.running.runner import create_run, play_run

GOAL_TIME = 1.1
GOAL_CPU_S = 0.0005
GOAL_MEMORY_MB = 400


def main() -> int:
    """Play, print what was found beside the goals; the exit status is 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--latency", type=float, default=2.0, help="seconds per completion")
    options = parser.parse_args()
    catalog = Catalog()
    player = {"use": "llm", "backend": {"use": "scripted", "latency_s": options.latency}}
    player["backend"]["concurrency"] = options.matches
    plain = {
        "name": "concurrency",
        "seed": 1,
        "games": {"game": {"use": "tic-tac-toe"}},
        "agents": {"one": player, "two": player},
        "schedule": {"use": "round-robin", "repeats": options.matches, "rotate_seats": False},
        "limits": {"concurrency": options.matches},
    }
    benchmark = build_benchmark(plain, catalog)
    with tempfile.TemporaryDirectory() as directory, create_run(benchmark, Path(directory) / "run") as journal:
        wall, cpu = time.monotonic(), time.process_time()
        outcome = asyncio.run(play_run(journal, benchmark, {}, lambda *failure: sys.exit(str(failure))))
        wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        calls = Counter(
            record.id
            for record in journal.records()
            for event in record.events
            if event.source == "referee" and event.kind in ("played", "refused")
        )
        completions = journal.totals().calls
    if outcome.failed or outcome.finished != options.matches:
        sys.exit(f"{len(outcome.failed)} matches failed: {next(iter(outcome.failed.values()), '')}")
    ideal = options.latency * max(max(calls.values()), completions / options.matches)
    memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{options.matches} matches at once, {completions} completions of {options.latency:g} s each, journal on")
    goals = (
        ("time over the ideal", wall / ideal, GOAL_TIME, f"{wall:.2f} s against {ideal:.2f} s"),
        ("CPU milliseconds per completion", 1_000 * cpu / completions, 1_000 * GOAL_CPU_S, f"{cpu:.2f} s in all"),
        ("memory in MB", memory_mb, GOAL_MEMORY_MB, "largest resident set of the process"),
    )
    for name, found, goal, detail in goals:
        print(f"{'met' if found <= goal else 'MISSED'}: {name}: {found:.3g}, goal {goal:g} ({detail})")
    return 0 if all(found <= goal for _, found, goal, _ in goals) else 1


if __name__ == "__main__":
    sys.exit(main())
