"""Writes the runs in ``folders`` with the Arena that is installed, and what it shows of them into ``golden``.

    python tests/old_runs/make.py             # what is missing
    python tests/old_runs/make.py --golden    # and all golden files again

A folder stays as the version wrote it that was the oldest to know its kind: that is what makes it an old run. Golden
files are written again only where a change of what users see is meant, and their diff is read; a word of prose that is
called otherwise goes into ``RENAMED`` in ``tests/test_old_runs.py`` instead.
"""

import argparse
import json
import platform
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import chdir, closing, contextmanager
from pathlib import Path

from arena_engine.journal.database import Transaction
from arena_engine.journal.rows import Rows
from arena_engine.journal.schema import META, RECORDS
from shown import BENCHMARKS, CACHE, GOLDEN, HERE, LARGER, RUNS, arena, larger, put, resumed, view, views

FROM = re.compile(r'File \\"[^"]*?/((?:core|plugins)/)')
"""Where a traceback in a journal says in whose checkout a module lies."""


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--golden", action="store_true", help="write all golden files again")
    if parser.parse_args().golden:
        shutil.rmtree(GOLDEN, ignore_errors=True)
    write_folders()
    for folder in sorted(RUNS.iterdir()):
        if not (GOLDEN / folder.name).exists():
            write_golden(folder.name)


def write_folders() -> None:
    """Play everything, and keep the runs that are not there yet."""
    with elsewhere() as directory:
        for file in sorted(BENCHMARKS.glob("*.yaml")):
            shutil.copy(file, directory)
            arena("run", file.name, "--output", file.stem, "--quiet")
        arena("run", "cached.yaml", "--output", "cached-again", "--quiet")
        arena("run", "extended.yaml", "--extend", "extended", "--set", "schedule.repeats=2", "--quiet")
        arena("replay", "finished", "--match", "1", "--turn", "2", "--branch", "random", "--output", "branched")
        for journal in sorted(directory.glob("*/journal.sqlite")):
            kept = RUNS / journal.parent.name
            if not kept.exists():
                clean(journal)
                kept.mkdir(parents=True)
                shutil.copy(journal, kept)
        if not (HERE / CACHE).exists():
            shutil.copytree(directory / CACHE, HERE / CACHE)


def write_golden(run: str) -> None:
    """Write down what is shown of a folder, and what comes of it when it goes on."""
    with opened(run):
        made = {name: view(run, name) for name in views(run)}
    with opened(run):
        made |= resumed(run)
    if run in LARGER:
        with opened(run):
            made |= larger(run)
    (GOLDEN / run).mkdir(parents=True)
    for name, text in made.items():
        (GOLDEN / run / name).write_bytes(text.encode())


def clean(journal: Path) -> None:
    """Leave nothing of this machine in a journal, and all of it in one small file."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as database:
        with Transaction(database):
            ((text,),) = database.execute("SELECT value FROM meta WHERE key = 'header'")
            header = {**json.loads(text), "platform": platform.system()}
            rows = Rows(database, header["id"])
            rows.put(META, "header", json.dumps(header, separators=(",", ":")))
            for *row, record, _ in database.execute(RECORDS.select).fetchall():
                rows.put(RECORDS, *row, FROM.sub(r'File \\"\1', record))
            rows.store()
        database.execute("VACUUM")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for name in (str(Path.home()), str(HERE.parents[1]), platform.node(), platform.release()):
        assert name.encode() not in journal.read_bytes(), f"{journal.parent.name} names {name!r}"


@contextmanager
def opened(run: str) -> Iterator[Path]:
    """A directory to be in, with a copy of a folder."""
    with elsewhere() as directory:
        put(run, directory)
        yield directory


@contextmanager
def elsewhere() -> Iterator[Path]:
    """A directory to be in that is gone afterwards."""
    with tempfile.TemporaryDirectory() as name, chdir(name):
        yield Path(name)


if __name__ == "__main__":
    main()
