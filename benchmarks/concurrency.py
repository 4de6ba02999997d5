"""A thousand matches at once against a backend that takes two seconds: wall time, CPU per completion, memory.

    python benchmarks/concurrency.py [--rounds 5] [--matches 1000] [--latency 2] [--quick] [--write]

Matches of tic-tac-toe between two ``llm`` agents on the ``scripted`` backend, which answers at random but legally after
the latency; the journal is on. The limit is the ideal time: latency times the larger of the longest chain of calls in
one match and the number of calls over the concurrency.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from arena_engine import build_benchmark
from arena_engine.execution.runner import create_run, play_run
from ratios.rounds import own_memory_mb
from ratios.rows import Row, limited
from ratios.script import run

GOAL_TIME = 1.1
GOAL_CPU_MS = 0.5
GOAL_MEMORY_MB = 400


def played(matches: int, latency: float) -> tuple[float, float]:
    """Wall time over the ideal, and milliseconds of CPU for each completion."""
    player = {"use": "llm", "backend": {"use": "scripted", "latency_s": latency, "concurrency": matches}}
    plain = {
        "name": "concurrency",
        "seed": 1,
        "games": {"game": {"use": "tic-tac-toe"}},
        "agents": {"one": player, "two": player},
        "schedule": {"use": "round-robin", "repeats": matches, "rotate_seats": False},
        "limits": {"concurrency": matches},
    }
    benchmark = build_benchmark(plain)
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
    if outcome.failed or outcome.finished != matches:
        sys.exit(f"{len(outcome.failed)} matches failed: {next(iter(outcome.failed.values()), '')}")
    ideal = latency * max(max(calls.values()), completions / matches)
    return wall / ideal, 1_000 * cpu / completions


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Time, CPU and memory."""
    matches, latency = (100, 0.2) if options.quick else (options.matches, options.latency)
    times, cpu_ms = zip(*(played(matches, latency) for _ in range(options.rounds)), strict=True)
    yield Row(name=f"{matches:,} matches at once, time × the ideal", ratios=times, goal=GOAL_TIME, against="limit")
    yield limited("CPU for a completion, game and journal included", cpu_ms, GOAL_CPU_MS, "ms")
    yield limited("memory", own_memory_mb(), GOAL_MEMORY_MB, "MB")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=1_000)
    parser.add_argument("--latency", type=float, default=2.0, help="seconds per completion")


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
