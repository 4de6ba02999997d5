"""A table of the matches of a run that have ended, by which they are sorted, filtered and counted.

A journal keeps matches in blocks, in the order in which they ended. The first listing of a run makes this table from
their summaries, in a file that goes away with the process; later ones add what has ended meanwhile.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from functools import lru_cache
from threading import Lock
from typing import Any, Final

import attrs

from arena_engine.journal.encoded_match import MatchSummary
from arena_engine.journal.reading import JournalReader

COLUMNS: Final = tuple(field.name for field in attrs.fields(MatchSummary))
"""The columns of the table."""

INDEXED: Final = ("game", "agents", "ending", "ended")
"""The columns that have an index."""

_KEPT: Final = 16  # runs whose table is kept


class MatchTable:
    """The table of one run. It may be used by several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._begin()

    def rows(self, journal: JournalReader, condition: str, *values: Any) -> list[tuple[Any, ...]]:
        """The columns of the matches that fit a condition in SQL, which may say an order and a limit too."""
        return self._found(journal, f"SELECT * FROM summaries WHERE {condition}", values)

    def values(self, journal: JournalReader, expression: str, condition: str, *values: Any) -> list[tuple[str, Any]]:
        """The ids of matches that fit a condition, as in ``rows``, each with a value in SQL."""
        return self._found(journal, f"SELECT match, {expression} FROM summaries WHERE {condition}", values)

    def count(self, journal: JournalReader, condition: str, *values: Any, at_most: int | None = None) -> int:
        """How many matches fit a condition in SQL, counted up to ``at_most``."""
        query = f"SELECT count(*) FROM (SELECT 1 FROM summaries WHERE {condition} LIMIT ?)"
        ((found,),) = self._found(journal, query, (*values, -1 if at_most is None else at_most))
        return found

    def _found(self, journal: JournalReader, query: str, values: Iterable[Any]) -> list[Any]:
        with self._lock:
            try:
                self._add_new(journal)
            except BaseException:  # the journal is damaged, or somebody was interrupted
                self._begin_again()
                raise
            return self._database.execute(query, tuple(values)).fetchall()

    def _begin(self) -> None:
        self._database = sqlite3.connect("", check_same_thread=False, isolation_level=None)
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("PRAGMA synchronous = OFF")
        self._last, self._mark = 0, None  # the last block that is in the table

    def _begin_again(self) -> None:
        self._database.close()
        self._begin()

    def _add_new(self, journal: JournalReader) -> None:
        """Add the matches of blocks that are not in the table; all, if the journal is another one than it was made of.

        Blocks are added behind others, and what is taken out of one comes back in a later one.
        """
        if self._mark != (journal.block_mark(self._last) if self._last else None):
            self._begin_again()
        is_first = not self._last
        if is_first:
            self._database.execute(f"CREATE TABLE IF NOT EXISTS summaries ({', '.join(COLUMNS)})")
        self._database.execute("BEGIN")
        put = f"INSERT {'' if is_first else 'OR REPLACE '}INTO summaries VALUES ({', '.join('?' * len(COLUMNS))})"
        self._database.executemany(put, self._new_rows(journal))
        if is_first and self._last:
            self._database.execute("CREATE UNIQUE INDEX summaries_by_match ON summaries (match)")
            for column in INDEXED:
                self._database.execute(f"CREATE INDEX summaries_by_{column} ON summaries ({column}, match)")
        self._database.execute("COMMIT")
        self._mark = journal.block_mark(self._last) if self._last else None

    def _new_rows(self, journal: JournalReader) -> Iterator[tuple[Any, ...]]:
        for block, rows in journal.summary_blocks(self._last):
            self._last = block
            yield from rows


@lru_cache(_KEPT)
def _table(path: str, run: str, file: int) -> MatchTable:
    return MatchTable()


def match_table(journal: JournalReader) -> MatchTable:
    """The table of a run, made when it is first asked for."""
    return _table(str(journal.path.absolute()), journal.header.id, journal.path.stat().st_ino)
