"""Two small runs as files, and what is needed to turn bits of them over."""

import asyncio
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import arena
import attrs
from arena_engine import Journal, verify_journal
from arena_engine.benchmark.benchmark import load_benchmark
from arena_engine.execution.runner import create_run
from arena_engine.journal.database import FILE
from arena_engine.journal.schema import TABLES
from arena_report.formats.exports import finished_matches, jsonl

BENCHMARK = {
    "name": "flips",
    "seed": 4,
    "games": {"ttt": {"use": "tic-tac-toe"}, "kuhn": {"use": "kuhn-poker"}},
    "agents": {"model": {"use": "llm", "backend": {"use": "scripted"}}, "random": {"use": "random"}},
    "schedule": {"use": "round-robin", "repeats": 2},
    "illegal-actions": {"retries": 1, "then": "random"},
    "metrics": ["outcomes"],
}

FRAME = 24


@attrs.frozen
class Files:
    """The files of one run, by name, and all that can be read from them."""

    name: str
    data: dict[str, bytes]
    rows: Any = None
    told: tuple[Any, ...] = ()

    def put(self, directory: Path, change: tuple[str, int] | None = None) -> Path:
        """Write the files, with one bit of one of them turned over, into a directory of their own."""
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir()
        for name, data in self.data.items():
            if change and change[0] == name:
                flipped = bytearray(data)
                flipped[change[1] // 8] ^= 1 << (change[1] % 8)
                data = bytes(flipped)
            (directory / name).write_bytes(data)
        return directory


def read(run: Path) -> Any:
    """All rows of a journal as SQLite reads them, and what it says of the structure; ``None`` if it cannot."""
    try:
        with closing(sqlite3.connect(run / FILE)) as database:
            database.text_factory = bytes
            rows = [database.execute(f"SELECT * FROM {table.name}").fetchall() for table in TABLES]
            return rows, database.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.Error:
        return None


def exported(run: Path) -> bytes:
    """The matches of a run as ``arena export`` writes them."""
    with Journal.open(run) as journal:
        return b"".join(jsonl(finished_matches(journal.records()), events=True))


def resumed(run: Path) -> list[Any]:
    """What a run that goes on starts from: its plans, what has ended, and every recorded answer."""
    with Journal.open(run, write=True) as journal:
        return [(plan, journal.record_of(plan.id), journal.answers(plan.id)) for plan in journal.plans()]


def make_runs(directory: Path, *, compress: bool = True) -> list[Files]:
    """A finished run, and one that was killed: part of it stands in a log that nobody has merged."""
    benchmark = {**BENCHMARK, "journal": {"compress": compress}}
    finished = arena.run(benchmark, output=directory / "finished").directory
    with Journal.open(finished) as journal:
        records, answers = list(journal.records()), [journal.answers(plan.id) for plan in journal.plans()]
    (directory / "killed").mkdir()

    async def begin() -> None:
        with create_run(load_benchmark(benchmark), directory / "begun") as begun:
            for record, given in zip(records[:5], answers, strict=False):
                for answer in given:
                    await begun.record(answer)
                begun.finish(record)
            await begun.flush()
            for name in (FILE, f"{FILE}-wal"):  # what a kill leaves behind
                shutil.copy(directory / "begun" / name, directory / "killed" / name)

    asyncio.run(begin())
    return [whole(directory / "finished"), whole(directory / "killed")]


def whole(run: Path) -> Files:
    """The files of a run before anybody has opened it again."""
    names = (FILE, f"{FILE}-wal")
    data = {path.name: path.read_bytes() for path in run.iterdir() if path.name in names and path.stat().st_size}
    files = Files(run.name, data)
    again = files.put(run.with_name(f"{run.name}-read"))
    assert not verify_journal(again).problems
    return attrs.evolve(files, rows=read(again), told=(exported(again), resumed(again)))


def bits(files: Files, rng: Random, number: int) -> Iterator[tuple[str, int]]:
    """Bits of the files drawn at random, as often from the log as from the database; not of the log's last frame."""
    names = sorted(files.data)
    for place in range(number):
        name = names[place % len(names)]
        size = len(files.data[name])
        if name.endswith("-wal"):
            (page,) = struct.unpack_from(">I", files.data[name], 8)
            size -= FRAME + page
        yield name, rng.randrange(size * 8)
