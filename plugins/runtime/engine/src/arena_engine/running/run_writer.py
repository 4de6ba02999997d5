"""Writes a run of matches that were played elsewhere, so that everything that reads runs reads them too."""

import asyncio
import shutil
from collections.abc import Iterable
from pathlib import Path

from arena.errors import JournalError
from arena.record import MatchRecord

from arena_engine.benchmark.benchmark import Benchmark
from arena_engine.journal.database import FILE, publish
from arena_engine.references.recorded_games import record_games
from arena_engine.running.runner import create_run


def write_run(benchmark: Benchmark, directory: Path, records: Iterable[MatchRecord]) -> None:
    """Write ``records`` as a new run of ``benchmark`` into ``directory``, which must not hold a run yet.

    The matches are those of the records' plans, whatever the benchmark's schedule says. Nothing is played and nobody is
    asked. The run is there when all of it is written: a process that is killed before leaves none. Call it outside of
    a running event loop. ``JournalError`` if the run cannot be written.
    """
    played = tuple(records)
    making = directory / "writing"
    if (directory / FILE).exists():
        raise JournalError(f"{directory}: there is a run here already; choose another --output")
    shutil.rmtree(making, ignore_errors=True)
    with create_run(benchmark, making, [record.plan for record in played]) as journal:
        record_games(journal, benchmark.games, seconds=0.0)
        for record in played:
            journal.finish(record)
        asyncio.run(journal.flush())
        journal.finish_run()
    publish(making / FILE, directory / FILE)
    making.rmdir()
