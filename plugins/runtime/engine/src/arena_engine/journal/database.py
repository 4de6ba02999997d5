"""Creates, opens and locks the SQLite file of a journal."""

import sqlite3
from pathlib import Path

from arena.errors import JournalError

SCHEMA = 1
"""The layout of the file; a newer one is refused, an older one would be migrated in ``open_existing``."""

FILE = "journal.sqlite"

_APPLICATION = 0x4152454E  # "AREN", so that another program's database is told apart from a damaged one

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE attempts (number INTEGER PRIMARY KEY, provenance TEXT NOT NULL);
CREATE TABLE matches (id TEXT PRIMARY KEY, place INTEGER NOT NULL, plan TEXT NOT NULL, ending TEXT, record TEXT);
CREATE INDEX matches_by_place ON matches (place);
CREATE TABLE answers (
    match TEXT NOT NULL, scope TEXT NOT NULL, kind TEXT NOT NULL, request_hash TEXT NOT NULL, request TEXT NOT NULL,
    value TEXT NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost_usd REAL,
    PRIMARY KEY (match, scope)
) WITHOUT ROWID;
CREATE TABLE judgements (match TEXT, metric TEXT, value TEXT NOT NULL, PRIMARY KEY (match, metric)) WITHOUT ROWID;
"""


class Transaction:
    """A context in which either all statements take effect or, if one fails, none."""

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database

    def __enter__(self) -> None:
        self._database.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        try:
            if kind is None:
                self._database.execute("COMMIT")
        finally:
            if self._database.in_transaction:
                self._database.execute("ROLLBACK")


def make_new(directory: Path) -> sqlite3.Connection:
    """Create an empty journal in ``directory`` and open it for writing."""
    database = _for_writing(directory / FILE)
    database.executescript(f"BEGIN; {_TABLES} PRAGMA application_id = {_APPLICATION}; COMMIT;")
    database.execute(f"PRAGMA user_version = {SCHEMA}")
    return database


def open_existing(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a journal; ``JournalError`` if the file is damaged, no journal, or of a newer schema."""
    try:
        database = _for_writing(path) if write else _for_reading(path)
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
    except sqlite3.Error as error:
        raise JournalError(f"{path}: damaged or not a journal ({error}); restore it from a copy") from error
    if application != _APPLICATION:
        raise JournalError(f"{path}: a database, but not a journal of Arena; expected the directory of a run")
    if version > SCHEMA:
        raise JournalError(
            f"{path}: written by a newer Arena (schema {version}, this one reads {SCHEMA}); upgrade arena-engine"
        )
    return database


def lock(directory: Path) -> sqlite3.Connection:
    """Exclude other writers. The operating system releases the lock however this process ends."""
    held = None
    try:
        held = sqlite3.connect(directory / f"{FILE}.lock", timeout=0, isolation_level=None, check_same_thread=False)
        held.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError as error:
        if held is not None:
            held.close()
        if "locked" in str(error):
            raise JournalError(f"{directory}: another process is playing this run; wait for it or stop it") from error
        raise JournalError(f"{directory}: cannot be written ({error}); make it writable, or take another") from error
    return held


def unlock(directory: Path, held: sqlite3.Connection) -> None:
    """Release the lock, so that other processes may write."""
    held.close()
    (directory / f"{FILE}.lock").unlink(missing_ok=True)


def _for_writing(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    return database


def _for_reading(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    database = sqlite3.connect(f"{address}?mode=ro", uri=True, check_same_thread=False)
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:  # a WAL file in a directory where its index cannot be made
        database.close()
        database = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    return database
