"""Checks a journal: each row as it is read, or all of it with sums, log and SQLite's own structure."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Set as AbstractSet
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import attrs

from arena_engine.foundation.json_values import shaped
from arena_engine.journal import database as files
from arena_engine.journal.blocks import ids_in, mark
from arena_engine.journal.packing import DICTIONARY, PLAIN, UnknownPacking, Unpacker
from arena_engine.journal.schema import META, PLANS, RECORDS, SUMMED, SUMS, Header, JournalTable, is_sound
from arena_engine.journal.stored_json import HEADER, KEPT_DICTIONARY, parsed


class CheckedRows:
    """The rows of one journal, each checked when it is read; an error names the damaged row."""

    def __init__(self, directory: Path, reader: sqlite3.Connection) -> None:
        self.directory = directory
        self._reader = reader
        self._run = ""
        self._unpacker = Unpacker(self._dictionary)
        self.header = self._read_header()
        self._run = self.header.id

    @property
    def path(self) -> Path:
        """The path of the journal's file."""
        return self.directory / files.FILE

    def _rows(self, table: JournalTable, where: str = "TRUE", *values: Any) -> Iterator[tuple[Any, ...]]:
        """The rows of a table without their checksums, each checked."""
        return (self._checked(table, row) for row in self._select(f"{table.select} WHERE {where}", *values))

    def _checked(self, table: JournalTable, row: tuple[Any, ...]) -> tuple[Any, ...]:
        if not is_sound(self._run, table, row):
            raise files.DamagedJournal(self.path, f"{table.name}: {table.named(row)} is not what was written")
        return row[:-1]

    def _unpacked(self, table: JournalTable, row: tuple[Any, ...]) -> tuple[Any, ...]:
        """The same row with its texts, if they are packed in a way that is known."""
        return self._unpacked_at(table, row, table.packed)

    def _unpacked_at(self, table: JournalTable, row: tuple[Any, ...], places: Iterable[int]) -> tuple[Any, ...]:
        """The same row with the texts in these places."""
        packing = row[table.packed[0] - 1]
        if packing == PLAIN:
            return row
        texts = list(row)
        try:
            for place in places:
                texts[place] = self._unpacker.unpack(packing, row[place])
        except UnknownPacking:
            raise files.DamagedJournal(
                self.path, f"texts are packed as {packing!r}, which this version cannot read; upgrade playarena-engine"
            ) from None
        except (ValueError, LookupError) as error:
            why = f"{table.name}: {table.named(row)} cannot be unpacked ({error})"
            raise files.DamagedJournal(self.path, why) from error
        return tuple(texts)

    def _dictionary(self, number: int) -> str:
        for _, text in self._rows(META, "key = ?", f"{DICTIONARY}{number}"):
            return parsed(text, "a dictionary", shaped(KEPT_DICTIONARY, "dictionary"))["text"]
        raise LookupError(f"there is no dictionary {number}")

    def _select(self, query: str, *values: Any) -> Iterator[Any]:
        try:
            # "yield from" would close the cursor of a reader that stops half way, when the journal may be closed.
            for row in self._reader.execute(query, values):  # noqa: UP028
                yield row
        except (sqlite3.Error, ValueError) as error:
            raise files.DamagedJournal(self.path, str(error)) from error

    def _read_header(self) -> Header:
        for _, text in self._rows(META, "key = 'header'"):
            return parsed(text, f"{self.path}: the header", shaped(HEADER, "header", Header.from_json))
        raise files.DamagedJournal(self.path, "no header")


_MATCH: Final = {table.name: table.names.index("match") for table in SUMMED if "match" in table.names}


@attrs.frozen(kw_only=True)
class Verification:
    """What a check of a journal found. ``matches`` are those that damage touches, as far as it can be told.

    ``rows`` counts the rows that were checked.
    """

    problems: tuple[str, ...] = ()
    matches: tuple[str, ...] = ()
    rows: int = 0


def check_rows(database: sqlite3.Connection, run: str) -> Verification:
    """Check every row of a journal, and the number and sum of the rows of each table, in one snapshot.

    Works with texts as ``str`` and, so that damaged ones can be read at all, as ``bytes``.
    """
    problems: list[str] = []
    touched: dict[str, None] = {}
    in_blocks = set[bytes]()
    total = 0
    database.execute("BEGIN")
    try:
        sums = _sums(database, run, problems)
        for table in SUMMED:
            found = [0, 0]
            try:
                for row in _misplaced(database, table, run, found):
                    problems.append(f"{table.name}: {table.named(row)} is not what was written")
                    if table.name in _MATCH:
                        touched[_text(row[_MATCH[table.name]])] = None
                    if table in (PLANS, RECORDS):
                        in_blocks.update(marks_in(row))
            except (sqlite3.Error, TypeError, ValueError, OverflowError) as error:
                problems.append(f"{table.name}: cannot be read to its end ({error})")
            expected = sums.get(table.name, [0, 0])
            total += found[0]
            if found[0] != expected[0]:
                problems.append(f"{table.name}: there are {found[0]} rows where {expected[0]} were written")
            elif found[1] != expected[1]:
                problems.append(f"{table.name}: its rows are not all of those that were written")
        touched |= dict.fromkeys(matches_of(database, in_blocks))
    finally:
        with suppress(sqlite3.Error):  # a snapshot of a damaged file cannot always be ended
            database.execute("COMMIT")
    return Verification(problems=tuple(problems), matches=tuple(touched), rows=total)


def marks_in(row: tuple[Any, ...]) -> Iterator[bytes]:
    """The marks of a block, which may be damaged."""
    ids = row[1] if isinstance(row[1], bytes) else b""
    return (ids[place : place + 4] for place in range(0, len(ids), 4))


def matches_of(database: sqlite3.Connection, marks: AbstractSet[bytes]) -> list[str]:
    """The ids that have these marks, of all that can be read in blocks, damaged ones too."""
    return sorted({id_ for id_ in _ids(database) if mark(id_) in marks}) if marks else []


def _ids(database: sqlite3.Connection) -> Iterator[str]:
    def dictionary(number: int) -> str:
        ((text,),) = database.execute(f"SELECT value FROM {META.name} WHERE key = ?", (f"{DICTIONARY}{number}",))
        return json.loads(text)["text"]

    unpacker = Unpacker(dictionary)
    for table in (PLANS, RECORDS):
        with suppress(sqlite3.Error, OverflowError):
            for row in database.execute(table.select):
                packing, text = _text(row[2]), row[3]
                with suppress(ValueError, LookupError, UnknownPacking):
                    plain = _text(text) if packing == PLAIN else unpacker.unpack(packing, text)
                    yield from ids_in(plain, is_of_plans=table is PLANS)


def verify_journal(directory: Path, *, is_held: bool = False) -> Verification:
    """Check the journal of a run and write nothing. ``JournalError`` if there is none.

    ``is_held`` says that the caller has the run's lock.
    """
    path = directory if directory.is_file() else directory / files.FILE
    if not path.is_file():
        raise files.no_journal(directory)
    try:
        files.check_log(path, is_held=is_held)
        database = files.open_existing(path, write=False)
    except files.DamagedJournal as error:
        return Verification(problems=(error.why,))
    try:
        structure = _structure(database)
        database.text_factory = bytes
        found = check_rows(database, _run_id(database))
        return attrs.evolve(found, problems=(*found.problems, *structure))
    finally:
        database.close()


def _misplaced(
    database: sqlite3.Connection, table: JournalTable, run: str, found: list[int]
) -> Iterator[tuple[Any, ...]]:
    """The rows that are damaged or not in the order of their keys; counts and sums all rows into ``found``."""
    before: tuple[Any, ...] | None = None
    for row in database.execute(table.select):
        found[0] += 1
        found[1] += row[-1] if isinstance(row[-1], int) else 0
        key = row[: table.keys]
        if not is_sound(run, table, row) or (before is not None and key <= before):
            yield row
        before = key


def _sums(database: sqlite3.Connection, run: str, problems: list[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    try:
        for row in database.execute(SUMS.select):
            if is_sound(run, SUMS, row):
                found[_text(row[0])] = [row[1], row[2]]
            else:
                problems.append(f"sums: the sum of table {_text(row[0])!r} is not what was written")
    except sqlite3.Error as error:
        problems.append(f"sums: cannot be read to its end ({error})")
    return found


def _structure(database: sqlite3.Connection) -> tuple[str, ...]:
    try:
        found = [str(line) for (line,) in database.execute("PRAGMA integrity_check(20)")]
    except sqlite3.Error as error:
        found = [str(error)]
    return () if found == ["ok"] else tuple(f"structure: {' '.join(line.split())}" for line in found)


def _run_id(database: sqlite3.Connection) -> str:
    """The run's id as the header says it; damage of the header is found where its row is checked."""
    query = "SELECT json_extract(value, '$.id') FROM meta WHERE key = 'header' AND json_valid(value)"
    try:
        return next((_text(found) for (found,) in database.execute(query)), "")
    except sqlite3.Error:
        return ""


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
