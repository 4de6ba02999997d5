"""Creates, opens and locks the SQLite file of a journal, and notices damage in its log.

The log of a killed run holds what has not been merged into the database. SQLite reads it up to the first frame whose
checksum is wrong, as the file format (https://www.sqlite.org/fileformat2.html#walformat) says, and forgets the rest.
"""

import os
import sqlite3
import struct
import sys
from array import array
from collections import Counter
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

import attrs
from arena.errors import JournalError

from arena_engine.journal.schema import SCHEMA, TABLES

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
STEPS: Final = 100_000
"""How many steps of SQLite's machine lie between two looks at how many there were."""
LEAST_STEPS: Final = 10_000_000
STEPS_A_BYTE: Final = 30
"""A statement may take ``LEAST_STEPS``, and so many more for each byte of the file; honest ones take less than two."""
LONGEST_LOG: Final = 1 << 30
"""The longest log that is read where nobody is writing it; SQLite begins it anew after some megabytes."""
_MAGIC = 0x377F0682  # the last bit says whether checksums are computed over big-endian words


class LimitedConnection(sqlite3.Connection):
    """A connection whose statements end, whatever somebody has written into the file, by ``OperationalError``.

    Each may take so many steps of SQLite's machine as reading the whole file takes several times over.
    """

    _path: Path | None = None
    _steps = 0

    def limit(self, path: Path) -> None:
        """Limit what is executed from here on by the size of a file and its log."""
        self._path = path
        self.set_progress_handler(self._is_too_much, STEPS)

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Execute a statement, as ever, with all of its steps before it."""
        self._steps = 0
        return super().execute(*arguments)

    def _is_too_much(self) -> bool:
        self._steps += STEPS
        if self._steps <= LEAST_STEPS or self._path is None:
            return False
        files = [self._path, self._path.with_name(f"{self._path.name}-wal")]
        return self._steps > LEAST_STEPS + STEPS_A_BYTE * sum(_stored_bytes(file) for file in files)


def _stored_bytes(path: Path) -> int:
    """How many bytes of a file are on the disk: one with holes says that it has more."""
    try:
        found = path.stat()
    except OSError:
        return 0
    return min(found.st_size, getattr(found, "st_blocks", found.st_size) * 512)


@attrs.frozen
class LogFile:
    """What a log holds: its page size, its committed pages by number (the newest of each), and its damage.

    ``pages_in_database`` is the database's size in pages after the last commit. ``damage`` says what is wrong, or is
    ``""``. Frames that no commit follows are no damage, whatever their checksums: a transaction was cut off before its
    end, and nothing in them was ever acknowledged.
    """

    page_size: int = 0
    pages_in_database: int = 0
    pages: dict[int, bytes] = attrs.field(factory=dict[int, bytes], repr=False)
    damage: str = ""


def read_log(path: Path) -> LogFile:
    """Read a log; one that is missing or empty has no pages and no damage."""
    data = path.read_bytes() if path.is_file() else b""
    if len(data) <= _HEADER.size:  # nothing but a header: nothing was committed
        return LogFile()
    magic, _, page_size, _, salt1, salt2, sum1, sum2 = _HEADER.unpack_from(data)
    is_big = bool(magic & 1)
    step = _FRAME.size + page_size
    if magic & ~1 != _MAGIC or _sums(data[:24], (0, 0), is_big=is_big) != (sum1, sum2) or page_size < 512:
        return LogFile(damage=f"{path.name}: the header of the log is damaged; what it holds cannot be read")
    sums, committed, pending, size = (sum1, sum2), dict[int, bytes](), dict[int, bytes](), 0
    for at in range(_HEADER.size, len(data) - step + 1, step):
        page, pages_after, *salts, sum1, sum2 = _FRAME.unpack_from(data, at)
        body = data[at + _FRAME.size : at + step]
        found = _sums(body, _sums(data[at : at + 8], sums, is_big=is_big), is_big=is_big)
        if salts != [salt1, salt2] or found != (sum1, sum2):
            # Inside a long transaction SQLite overwrites frames and mends the checksums behind them at its end, so that
            # only a commit, the one kind of frame that says the size of the database, tells that they were valid once.
            later = (_FRAME.unpack_from(data, other) for other in range(at + step, len(data) - step + 1, step))
            if any(size_then and [*salts_then] == [salt1, salt2] for _, size_then, *salts_then, _, _ in later):
                number = (at - _HEADER.size) // step + 1
                damage = f"{path.name}: frame {number} of the log is damaged; what was written from there on is unread"
                return LogFile(page_size, size, committed, damage)
            break
        sums = found
        pending[page] = body
        if pages_after:
            committed |= pending
            pending, size = {}, pages_after
    return LogFile(page_size, size, committed)


def every_page(path: Path, database: bytes) -> LogFile:
    """Read the pages of a damaged log up to its last commit, for the database whose bytes are given, unchecked.

    What it says is not to be trusted; whoever reads rows from such pages has to check each row.
    """
    data = path.read_bytes() if path.is_file() else b""
    (page_size,) = struct.unpack_from(">H", database, 16)
    page_size = page_size if page_size > 1 else 1 << 16
    step = _FRAME.size + page_size
    frames = [_FRAME.unpack_from(data, at) for at in range(_HEADER.size, len(data) - step + 1, step)]
    if not frames:
        return LogFile()
    salts = Counter(frame[2:4] for frame in frames).most_common(1)[0][0]  # frames of an older log may stand behind
    commits = [place for place, frame in enumerate(frames) if frame[2:4] == salts and frame[1]]
    if not commits:
        return LogFile()
    pages: dict[int, bytes] = {}
    for place, frame in enumerate(frames[: commits[-1] + 1]):
        if frame[2:4] == salts:
            at = _HEADER.size + place * step + _FRAME.size
            pages[frame[0]] = data[at : at + page_size]
    size = frames[commits[-1]][1]
    return LogFile(page_size, size, {page: body for page, body in pages.items() if 0 < page <= size})


def merged(database: bytes, log: LogFile) -> bytes:
    """Return the bytes of a database with a log's pages in place, marked as one that has no log."""
    image = bytearray(database)
    if log.pages:
        image.extend(bytes(max(0, log.pages_in_database * log.page_size - len(image))))
        for number, page in log.pages.items():
            image[(number - 1) * log.page_size : number * log.page_size] = page
        del image[log.pages_in_database * log.page_size :]
    image[18:20] = b"\x01\x01"  # the versions of the format for writing and for reading
    return bytes(image)


def _sums(data: bytes, start: tuple[int, int], *, is_big: bool) -> tuple[int, int]:
    words = array("I", data)
    if is_big != (sys.byteorder == "big"):
        words.byteswap()
    first, second = start
    each = iter(words)
    for word in each:
        first = (first + word + second) & 0xFFFFFFFF
        second = (second + next(each) + first) & 0xFFFFFFFF
    return first, second


FILE: Final = "journal.sqlite"

BEGUN: Final = f"{FILE}.begun"
"""The name of a journal that is being created; it gets its own name when all plans are in it."""

_APPLICATION = 0x4152454E  # "AREN", so that another program's database is told apart from a damaged one

_LOGGED = b"\x02\x02"  # the versions in a database's header that say it has a write-ahead log
_PLAIN = b"\x01\x01"  # and those of one that has none, on a file system that supports no such log


class DamagedJournal(JournalError):
    """A journal is not what was written; ``why`` says where."""

    def __init__(self, path: Path, why: str) -> None:
        why = "a read of it does not end" if why == "interrupted" else why
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
        found = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL LIMIT 100").fetchall()
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
    try:
        with path.open("rb") as file:
            versions = file.read(20)[18:]
    except OSError as error:
        raise JournalError(f"{path}: cannot be read ({error.strerror}); make it readable") from None
    if versions and versions not in (_LOGGED, _PLAIN):
        raise DamagedJournal(path, "the header of the file is not what was written")
    if not log.is_file() or (not is_held and is_played(path.parent)):
        return
    if log.stat().st_size > LONGEST_LOG:
        raise DamagedJournal(path, f"the log beside it is longer than {LONGEST_LOG:,} bytes")
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


def _fits(found: list[tuple[str, str, str]]) -> bool:
    """Whether a file holds the tables of a journal and nothing else, by the statements that made them."""
    return sorted(found) == sorted(("table", table.name, table.create) for table in TABLES)


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
    database = sqlite3.connect(path, check_same_thread=False, isolation_level=None, factory=LimitedConnection)
    database.limit(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    # A transaction reaches the log when it commits and not before, each page once: however it is cut off, the log ends
    # with the transaction before it.
    database.execute("PRAGMA cache_spill = OFF")
    return database


def _for_reading(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    database = _reader(f"{address}?mode=ro", path)
    try:
        database.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:  # a log in a directory where its index cannot be made
        database.close()
        log = read_log(path.with_name(f"{path.name}-wal"))
        if log.pages:
            database = _reader(":memory:", path)
            database.deserialize(merged(path.read_bytes(), log))
        else:
            database = _reader(f"{address}?mode=ro&immutable=1", path)
    return database


def _reader(address: str, path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(address, uri=True, check_same_thread=False, factory=LimitedConnection)
    database.limit(path)
    return database
