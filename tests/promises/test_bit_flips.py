"""A bit that turns over in the journal of a run is noticed: by ``verify``, and by each command whose output it changes.

Only bits in bytes that hold nothing may go unnoticed, and those of the very last frame of a log, which cannot be told
from a write that was torn.
"""

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from arena.errors import ArenaError, JournalError
from arena_engine import Journal, verify_journal
from arena_engine.journal.database import FILE

from .flips import FRAME, Files, bits, exported, make_runs, read, resumed

SEED = int(os.environ.get("ARENA_CAMPAIGN_SEED", "5"))


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("flips")


@pytest.fixture(scope="module")
def runs(directory) -> list[Files]:
    return make_runs(directory)


def unnoticed(files: Files, rng: Random, number: int, directory: Path) -> list[str]:
    """The flips that nobody noticed although they changed something."""
    wrong: list[str] = []
    for name, bit in bits(files, rng, number):
        where = f"{files.name}: bit {bit % 8} of byte {bit // 8} of {name}"
        run = files.put(directory / "flipped", (name, bit))
        if not found(run) and read(files.put(directory / "flipped", (name, bit))) != files.rows:
            wrong.append(f"{where}: verify is silent")
        for tell, expected in zip((exported, resumed), files.told, strict=True):
            run = files.put(directory / "flipped", (name, bit))
            if outcome(tell, run) not in (expected, "refused"):
                wrong.append(f"{where}: {tell.__name__} says something else")
    return wrong


def found(run: Path) -> bool:
    try:
        return bool(verify_journal(run).problems)
    except JournalError:
        return True


def outcome(call: Callable[[Path], Any], run: Path) -> Any:
    try:
        return call(run)
    except ArenaError:
        return "refused"


@pytest.mark.parametrize("place", [0, 1], ids=["finished", "killed"])
@pytest.mark.slow
def test_flips_are_noticed(runs, directory, place):
    """Thirty random bits of a finished run and thirty of a killed one."""
    assert unnoticed(runs[place], Random(SEED), 30, directory) == []


@pytest.mark.campaign
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("compress", [True, False], ids=["packed", "plain"])
@pytest.mark.parametrize("place", [0, 1], ids=["finished", "killed"])
def test_many_flips_are_noticed(tmp_path, place, compress):
    """Three hundred random bits of each."""
    runs = make_runs(tmp_path, compress=compress)

    assert unnoticed(runs[place], Random(SEED + 1), 300, tmp_path) == []


def test_damage_in_a_log_is_no_end_of_it(runs, directory):
    """What stands behind a damaged frame of a log is not dropped in silence, and nothing is written to the files."""
    killed = runs[1]
    name = f"{FILE}-wal"
    run = killed.put(directory / "torn", (name, 8 * (32 + FRAME + 100)))
    before = {path.name: path.read_bytes() for path in run.iterdir()}

    with pytest.raises(JournalError, match="frame 1 of the log is damaged"):
        Journal.open(run, write=True)

    assert {path.name: path.read_bytes() for path in run.iterdir() if not path.name.endswith(".lock")} == before


def test_rows_that_vanish_double_or_are_foreign_are_noticed(runs, directory):
    """Rows are sound one by one, but not all of those that were written, or not of this run."""
    changes = {
        "vanished": ["DELETE FROM answers WHERE match = (SELECT min(match) FROM answers)"],
        "foreign": [
            f"ATTACH '{directory / 'begun' / FILE}' AS other",
            "DELETE FROM plans",
            "INSERT INTO plans SELECT * FROM other.plans",
        ],
        "older": ["DELETE FROM records WHERE block = (SELECT min(block) FROM records)"],
    }
    for name, statements in changes.items():
        run = runs[0].put(directory / name)
        with closing(sqlite3.connect(run / FILE, isolation_level=None)) as database:
            for statement in statements:
                database.execute(statement)

        assert verify_journal(run).problems, name
        assert outcome(exported, run) == "refused", name


AS_NOBODY = """
import os, sys
from pathlib import Path
import msgspec  # nobody may read what Python is made of
from arena_engine import Journal
if os.geteuid() == 0:  # modes of files do not hold for root
    os.seteuid(65534)
with Journal.open(Path(sys.argv[1])) as journal:
    print(sum(1 for _ in journal.records()))
"""


def test_log_in_a_folder_that_cannot_be_written_is_read(runs, directory):
    """A killed run on a medium that can only be read shows everything that was acknowledged."""
    merged = exported(runs[1].put(directory / "merged"))
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        run = runs[1].put(Path(place) / "read-only")
        run.chmod(0o555)
        done = subprocess.run([sys.executable, "-c", AS_NOBODY, run], capture_output=True, text=True, check=False)
        run.chmod(0o755)

    assert (done.stderr, done.stdout) == ("", f"{merged.count(bytes([10]))}\n")
