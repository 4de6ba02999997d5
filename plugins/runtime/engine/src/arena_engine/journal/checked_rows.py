"""Reads the rows of a journal: each is checked, and its texts are unpacked."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena_engine.journal import database as files
from arena_engine.journal.header import Header
from arena_engine.journal.packing import DICTIONARY, PLAIN, UnknownPacking, Unpacker
from arena_engine.journal.schema import META, JournalTable, is_sound
from arena_engine.journal.shapes import shaped
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
        packing = row[table.packed[0] - 1]
        if packing == PLAIN:
            return row
        texts = list(row)
        try:
            for place in table.packed:
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
