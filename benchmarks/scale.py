"""What one match costs the driver: the figures behind docs/scale.md.

    python benchmarks/scale.py [--rounds 5] [--matches 300] [--answers 5000] [--ray WORKERS] [--quick] [--write]

Plays matches of tic-tac-toe between an ``llm`` agent on the ``scripted`` backend and a random one, journal on the
disk, and measures: CPU of the whole process per match and per completion; bytes of the journal per match and per
answer; the size of an answer and of a finished match as a worker of a cluster sends them; and, with nothing else
going on, how many answers a second the journal makes durable, one after another and many at once. With ``--ray`` the
matches are played on workers of a Ray cluster of this machine, and CPU is that of the driver alone.
"""

import argparse
import asyncio
import json
import pickle
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
from arena_engine import Journal, JournalEntry, build_benchmark
from arena_engine.execution.runner import create_run, play_run
from ratios.rows import Row, limited
from ratios.script import run

AT_ONCE = 256
"""Answers waiting for the disk together."""


DEMAND_MS = 0.2
"""What a thousand GPUs leave the driver for each completion, by docs/scale.md."""


def measure(options: argparse.Namespace) -> Iterator[Row]:
    """Print all figures, and hold those of the two nearest limits against the demand."""
    matches, answers = (50, 500) if options.quick else (options.matches, options.answers)
    cpu: list[float] = []
    durable: list[float] = []
    for _ in range(options.rounds):
        with tempfile.TemporaryDirectory() as directory:
            cpu.append(played(Path(directory) / "run", matches, options.ray))
            durable.append(written(Path(directory), answers))
    if options.ray:
        yield limited("CPU of the driver for a completion", cpu, DEMAND_MS, "ms")
    yield limited(f"CPU of an answer made durable, {AT_ONCE} waiting together", durable, DEMAND_MS, "ms")


def arguments(parser: argparse.ArgumentParser) -> None:
    """What only this benchmark asks."""
    parser.add_argument("--matches", type=int, default=300)
    parser.add_argument("--answers", type=int, default=5_000)
    parser.add_argument("--ray", type=int, default=0, metavar="WORKERS", help="play on so many workers")


def played(directory: Path, matches: int, workers: int) -> float:
    """CPU, disk and messages of whole matches; gives milliseconds of CPU for a completion."""
    plain = {
        "name": "scale",
        "seed": 1,
        "games": {"game": "tic-tac-toe"},
        "agents": {
            "model": {"use": "llm", "backend": {"use": "scripted", "concurrency": matches}},
            "random": "random",
        },
        "schedule": {"use": "round-robin", "repeats": matches, "rotate_seats": False},
        "limits": {"concurrency": matches},
        "metrics": [],
    }
    if workers:
        plain["executor"] = {"use": "ray", "workers": workers, "matches_per_worker": -(-matches // workers)}
    who = "driver" if workers else "driver, agents and games"
    benchmark = build_benchmark(plain)
    with create_run(benchmark, directory) as journal:
        cpu = time.process_time()
        outcome = asyncio.run(play_run(journal, benchmark, {}, lambda *failure: sys.exit(str(failure))))
        cpu = time.process_time() - cpu
        if outcome.finished != matches:
            sys.exit(f"{matches - outcome.finished} matches have no result")
        records = list(journal.records())
        answers = [answer for record in records for answer in journal.answers(record.id)]
    calls = len(answers)
    size = sum(path.stat().st_size for path in directory.iterdir())
    sent = sum(len(pickle.dumps(attrs.astuple(answer))) for answer in answers)
    ended = sum(len(json.dumps(record.to_json())) for record in records)
    show("matches played", matches)
    show("completions per match", calls / matches)
    show(f"CPU of {who} per match, ms", 1e3 * cpu / matches)
    show(f"CPU of {who} per completion, ms", 1e3 * cpu / calls)
    show("journal per match, kB", size / matches / 1e3)
    show("journal per completion, kB", size / calls / 1e3)
    show("message of an answer, kB", sent / calls / 1e3)
    show("message of a finished match, kB", ended / matches / 1e3)
    return 1e3 * cpu / calls


def written(directory: Path, count: int) -> float:
    """Answers made durable per second, where ``fsync`` decides if they come one by one; gives CPU ms of one."""
    source = directory / "run"
    with Journal.open(source) as journal:
        record = next(journal.records())
        (sample, *_) = journal.answers(record.id)
        header, plans = journal.header, journal.plans()
    few, cpu, answers = max(count // 20, 1), 0.0, 1
    for name, answers, at_once in (("one by one", few, 1), (f"{AT_ONCE} at once", count, AT_ONCE)):
        with Journal.create(directory / name.split()[0], header, plans) as journal:
            wall, cpu = time.monotonic(), time.process_time()
            asyncio.run(write(journal, sample, answers, at_once))
            wall, cpu = time.monotonic() - wall, time.process_time() - cpu
        show(f"answers durable per second, {name}", answers / wall)
        show(f"CPU per answer written, {name}, ms", 1e3 * cpu / answers)
    return 1e3 * cpu / answers


async def write(journal: Journal, sample: JournalEntry, count: int, at_once: int) -> None:
    """Keep ``count`` copies of an answer, so many waiting together."""
    left = iter(range(count))

    async def keep() -> None:
        for number in left:
            await journal.record(attrs.evolve(sample, scope=f"0/{number}/0/0"))

    await asyncio.gather(*(keep() for _ in range(at_once)))
    await journal.flush()


def show(name: str, value: float) -> None:
    """Print one result under its name, large numbers without decimals."""
    print(f"{name:52} {value:12,.3g}" if value < 1000 else f"{name:52} {value:12,.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(run(__doc__, measure, arguments=arguments))
