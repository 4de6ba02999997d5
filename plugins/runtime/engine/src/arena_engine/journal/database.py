"""Creates, opens and locks the SQLite file of a journal."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from arena.errors import JournalError

from arena_engine.journal.log_file import merged, read_log
from arena_engine.journal.schema import INDICES, SCHEMA, TABLES

FILE: Final = "journal.sqlite"

BEGUN: Final = f"{FILE}.begun"
"""The name of a journal that is being created; it gets its own name when all plans are in it."""

_APPLICATION = 0x4152454E  # "AREN", so that another program's database is told apart from a damaged one

_LOGGED = b"\x02\x02"  # the versions in a database's header that say it has a write-ahead log
_PLAIN = b"\x01\x01"  # and those of one that has none, on a file system that supports no such log


class DamagedJournal(JournalError):
    """A journal is not what was written; ``why`` says where."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: damaged ({why}); restore it from a copy, or see with arena verify what is touched "
            "and play that again with arena resume --repair"
        )
        self.why = why


class UnknownSchema(JournalError):
    """The layout of a journal has a number that this version of Arena does not know."""


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


def make_new(path: Path) -> sqlite3.Connection:
    """Create an empty journal in the file ``path`` and open it for writing.

    Its transactions do not wait for the disk: call ``publish`` once it is written and closed.
    """
    database = _for_writing(path)
    database.execute("PRAGMA synchronous = OFF")
    tables = "; ".join(table.create for table in TABLES)
    numbers = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {SCHEMA}"
    database.executescript(f"BEGIN; {tables}; {numbers}; COMMIT;")
    return database


def publish(made: Path, path: Path) -> None:
    """Give a journal that was made under another name the name ``path``, once all of it is on the disk."""
    with made.open("rb+") as file:
        os.fsync(file.fileno())
    made.rename(path)
    with suppress(OSError):  # not every system lets folders be opened
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def remove(path: Path) -> None:
    """Remove a database and its log, if they are there."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(f"{path.name}{suffix}").unlink(missing_ok=True)


def is_cut_off(directory: Path) -> bool:
    """Whether the creation of a run here was cut off, so that nothing has been played and it can begin again."""
    return (directory / BEGUN).is_file() and not (directory / FILE).is_file() and not is_played(directory)


def no_journal(directory: Path) -> JournalError:
    """What is to be said where a directory holds no journal."""
    if is_cut_off(directory):
        return JournalError(
            f"{directory}: this run was cut off while it was created, before anything was played; begin it again with "
            f"arena resume {directory}, or with the command that created it"
        )
    if (directory / BEGUN).is_file():
        return JournalError(f"{directory}: this run is being created by another process; wait until it has begun")
    return JournalError(f"{directory / FILE}: no such journal; expected the directory of a run")


def open_existing(path: Path, *, write: bool) -> sqlite3.Connection:
    """Open a journal; ``JournalError`` if the file is damaged, no journal, or of a schema that is not known.

    Call ``check_log`` first: opening a file can drop what its log holds.
    """
    try:
        database = _for_writing(path) if write else _for_reading(path)
        application = database.execute("PRAGMA application_id").fetchone()[0]
        version = database.execute("PRAGMA user_version").fetchone()[0]
        found = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
    except (sqlite3.Error, OSError) as error:
        raise DamagedJournal(path, f"or no journal at all: {error}") from error
    if application != _APPLICATION:
        raise JournalError(f"{path}: a database, but not a journal of Arena; expected the directory of a run")
    fits = _fits(found)
    if version != SCHEMA and not fits:
        raise UnknownSchema(
            f"{path}: a journal of schema {version}, but this Arena reads schema {SCHEMA} only; read it with the "
            "version of Arena that wrote it"
        )
    if version != SCHEMA:
        raise DamagedJournal(path, f"it says schema {version}, but its tables are those of schema {SCHEMA}")
    if not fits:
        raise DamagedJournal(path, f"its tables are not those of schema {SCHEMA}")
    return database


def check_log(path: Path, *, is_held: bool = False) -> None:
    """Raise ``JournalError`` if a journal that nobody is writing has a log of which SQLite would drop a part.

    ``is_held`` says that this process has the lock, so that nobody else can be writing.
    """
    log = path.with_name(f"{path.name}-wal")
    with path.open("rb") as file:
        versions = file.read(20)[18:]
    if versions and versions not in (_LOGGED, _PLAIN):
        raise DamagedJournal(path, "the header of the file is not what was written")
    if not log.is_file() or (not is_held and is_played(path.parent)):
        return
    held = read_log(log)
    if held.damage:
        raise DamagedJournal(path, held.damage)
    if held.pages and versions == _PLAIN:
        raise DamagedJournal(path, "the header of the file denies the log beside it")


def is_played(directory: Path) -> bool:
    """Whether a process has this run open for writing."""
    path = directory / f"{FILE}.lock"
    if not path.is_file():
        return False
    try:
        # Whoever held it may have let go, and the file be gone, since it was seen: then it cannot be opened.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=0)) as held:
            held.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError as error:
        return "locked" in str(error)
    return False


def _fits(found: dict[str, str]) -> bool:
    """Whether the tables of a file are those of a journal, by the statements that made them."""
    expected = {table.name: table.create for table in TABLES}
    indices = {index.split()[2]: index for index in INDICES}
    return expected.items() <= found.items() <= {**expected, **indices}.items()


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
    # A transaction reaches the log when it commits and not before, each page once: however it is cut off, the log ends
    # with the transaction before it.
    database.execute("PRAGMA cache_spill = OFF")
    return database


def _for_reading(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    database = sqlite3.connect(f"{address}?mode=ro", uri=True, check_same_thread=False)
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:  # a log in a directory where its index cannot be made
        database.close()
        log = read_log(path.with_name(f"{path.name}-wal"))
        if log.pages:
            database = sqlite3.connect(":memory:", check_same_thread=False)
            database.deserialize(merged(path.read_bytes(), log))
        else:
            database = sqlite3.connect(f"{address}?mode=ro&immutable=1", uri=True, check_same_thread=False)
    return database
