"""Writes rows with checksums and sums, all in one transaction that came in while the one before was written.

The writer is a thread with a queue and needs no event loop, so what was handed to it reaches the disk while plugins
block the loop.
"""

import asyncio
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set as AbstractSet
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeAlias

from arena.errors import JournalError, JournalFull

from arena_engine.journal.blocks import (
    Ended,
    EndedBlock,
    PlanBlock,
    lines_of,
    mark,
    marks,
    number_of,
    numbers_of,
    parts,
)
from arena_engine.journal.database import FILE, Transaction
from arena_engine.journal.packing import COPY, DICTIONARY, PLAIN, Packer, UnknownPacking, Unpacker
from arena_engine.journal.schema import (
    ANSWERS,
    META,
    PAIRINGS,
    PLANNED_MATCHES,
    PLANS,
    RECORDS,
    RESERVATIONS,
    SUMMED,
    SUMS,
    JournalTable,
    checksum,
    is_sound,
)

NOBODY_WON: Final = -1
"""What stands for the winner in a row of totals that counts matches without one: a key cannot be empty."""

_PLANNED = (
    "SELECT (SELECT coalesce(max(block) + 1, 0) FROM plans), "
    f"coalesce((SELECT CAST(value AS INTEGER) FROM meta WHERE key = '{PLANNED_MATCHES}'), 0)"
)
"""The number of the next block of plans, and how many plans there are."""

_USED = (
    "SELECT used.*, unanswered.* FROM (SELECT "
    "count(*), total(counted = 'estimated'), total(prompt_tokens), total(completion_tokens), sum(cost_usd) "
    "FROM answers WHERE match = :match AND kind = 'completion' AND scope GLOB '[0-9]*') AS used, "
    "(SELECT count(*), total(prompt_tokens), total(completion_tokens), sum(cost_usd) "
    "FROM reservations WHERE match = :match AND scope GLOB '[0-9]*') AS unanswered"
)
"""What the players of a match used."""

_NOTHING: Final = (0, 0, 0, 0, None)
_MOST_ENDED: Final = 1_000  # matches that wait for the others of their block


class Rows:
    """The rows of an open journal, for its writer; every method belongs inside a transaction that ends with ``store``.

    If the transaction is rolled back, make another one: sums are remembered between transactions.
    """

    def __init__(self, database: sqlite3.Connection, run: str, packer: Packer | None = None) -> None:
        self._database = database
        self._run = run
        self._packer = packer
        self._unpacker = Unpacker(self._dictionary)
        self._sums: dict[str, list[int]] = {table.name: [0, 0] for table in SUMMED}
        self._changed: set[str] = set()
        self._ended: dict[str, Ended] = {}  # by match, until the transaction ends
        self._again = set[str]()  # those of them that may be in a block already
        self._known: set[int] | None = None  # the marks of all matches that are in a block
        self._next = 0  # the number of the next block of them
        self._pairings: dict[tuple[str, str, str, int, str], list[int]] = {}
        for row in database.execute(SUMS.select):
            if row[0] not in self._sums or not is_sound(run, SUMS, row):
                raise JournalError(f"damaged: the sum of table {row[0]!r} is not what was written")
            self._sums[row[0]] = [row[1], row[2]]

    def execute(self, statement: str, values: Iterable[Any] = ()) -> sqlite3.Cursor:
        """Run a statement that changes no row of a summed table."""
        return self._database.execute(statement, tuple(values))

    def put(self, table: JournalTable, *values: Any) -> None:
        """Write a row, in place of the one with the same key if there is one."""
        self._forget(table, values[: table.keys])
        self._insert(table, values)

    def put_new(self, table: JournalTable, rows: Iterable[tuple[Any, ...]]) -> None:
        """Write rows whose keys are not in the table yet."""
        sums = self._sums[table.name]

        def checked() -> Iterator[tuple[Any, ...]]:
            for values in rows:
                of_row = checksum(self._run, table, values)
                sums[0] += 1
                sums[1] += of_row
                yield table.stored(values, of_row)

        self._database.executemany(table.insert, checked())
        self._changed.add(table.name)

    def put_answer(self, row: tuple[Any, ...], request: bytes, value: bytes) -> None:
        """Write an answer, with its request and its value as UTF-8 too."""
        if self._packer is not None and request:
            row = (*row[:4], *self._packer.answer(request, value, self.put_dictionary), *row[7:])
        of_row = checksum(self._run, ANSWERS, row)
        if self._database.execute(ANSWERS.add, ANSWERS.stored(row, of_row)).rowcount:
            self._add(ANSWERS, 1, of_row)
        else:  # hardly ever: an answer takes the place of one that a match cannot use any more
            self.put(ANSWERS, *row)

    def delete(self, table: JournalTable, *key: Any) -> None:
        """Remove the row with this key, if there is one."""
        self._forget(table, key)
        self._database.execute(f"DELETE FROM {table.name} WHERE {table.where_key}", key)

    def put_dictionary(self, number: int, dictionary: Mapping[str, str]) -> None:
        """Write a dictionary by which texts are packed, twice."""
        text = json.dumps(dictionary, ensure_ascii=False)
        self.put_new(META, [(f"{DICTIONARY}{number}{copy}", text) for copy in ("", COPY)])

    def delete_all(self, table: JournalTable, column: str, value: Any) -> None:
        """Remove the rows that have this value in a column."""
        condition = f"FROM {table.name} WHERE {column} = ?"
        for (old,) in self._database.execute(f"SELECT checksum {condition}", (value,)).fetchall():
            self._add(table, -1, -old)
        self._database.execute(f"DELETE {condition}", (value,))

    def put_plans(self, blocks: Iterable[PlanBlock]) -> None:
        """Write blocks of plans behind those that are there."""
        ((first, planned),) = self.execute(_PLANNED)
        written = list(blocks)
        self.put_new(PLANS, ((first + place, *block) for place, block in enumerate(written)))
        planned += sum(len(numbers_of(ids)) for ids, _, _ in written)
        self.put(META, PLANNED_MATCHES, str(planned))

    def clear_plans(self) -> None:
        """Remove all plans; those that take their place belong into the same transaction."""
        for (block,) in self.execute("SELECT block FROM plans").fetchall():
            self.delete(PLANS, block)
        self.put(META, PLANNED_MATCHES, "0")

    def put_match(self, text: bytes, summary: tuple[Any, ...]) -> None:
        """Write the record of a match, as UTF-8, and its summary with the usage of its players."""
        match = summary[0]
        if len(self._ended) >= _MOST_ENDED:
            self._write_ended()
        if match in self._ended:
            self._count(self._ended[match][1], -1)
        elif self._is_known(match):
            self._again.add(match)
        row = (*summary[:9], *self._usage(match), *summary[14:])
        self._ended[match] = (text, row)
        self._count(row, 1)

    def put_ended_block(self, row: tuple[Any, ...]) -> None:
        """Write a block as another journal of the run has it; ``JournalError`` if it cannot be unpacked."""
        for summary in self._unpacked(row).summaries.values():
            self._count(summary, 1)
        self.put_new(RECORDS, [row])

    def take_out(self, matches: Iterable[str]) -> None:
        """Remove the records and summaries of matches; those of others in the same blocks stay."""
        wanted, gone = set(matches), set[str]()
        for match in wanted:
            if match in gone:
                continue
            for row in self._database.execute(f"{RECORDS.select} WHERE instr(ids, ?)", (mark(match),)).fetchall():
                block = self._unpacked(row)
                if leaving := wanted & block.summaries.keys():
                    gone |= leaving
                    self._shrink(block, leaving)

    def store(self) -> None:
        """Write the matches of the transaction, and the sums and totals that have changed."""
        self._write_ended()
        for key, totals in self._pairings.items():
            self.put(PAIRINGS, *key, *totals)
        self._pairings.clear()
        for name in self._changed:
            values = (name, *self._sums[name])
            self._database.execute(SUMS.insert, (*values, checksum(self._run, SUMS, values)))
        self._changed.clear()

    def _write_ended(self) -> None:
        if not self._ended:
            return
        if not self._next:  # before any is taken out: a number is not given twice
            ((self._next,),) = self.execute("SELECT coalesce(max(block), 0) + 1 FROM records")
        if self._again:
            self.take_out(self._again)
            self._again.clear()
        self.put_new(RECORDS, list(self._blocks(list(self._ended.values()))))
        if self._known is not None:
            self._known.update(map(number_of, self._ended))
        self._ended.clear()

    def _blocks(self, matches: Sequence[Ended]) -> Iterator[tuple[Any, ...]]:
        for part in parts(matches):
            yield (self._next, *self._block(part))
            self._next += 1

    def _block(self, matches: Sequence[Ended]) -> tuple[Any, ...]:
        """The columns of a block but its number."""
        rows = [row for _, row in matches]
        summaries, records = lines_of(rows), b"\n".join(text for text, _ in matches)
        ids = marks(row[0] for row in rows)
        if self._packer is None:
            return ids, PLAIN, summaries, records
        return (ids, *self._packer.block(rows[0][1], summaries, records, self.put_dictionary))

    def _shrink(self, block: EndedBlock, leaving: AbstractSet[str]) -> None:
        """Write a block anew without some of its matches; without any, it is removed."""
        for match in leaving:
            self._count(block.summaries[match], -1)
        texts = block.by_match()
        left = [(texts[match].encode(), row) for match, row in block.summaries.items() if match not in leaving]
        self.delete(RECORDS, block.number)
        if left:
            self.put_new(RECORDS, [(block.number, *self._block(left))])

    def _is_known(self, match: str) -> bool:
        """Whether a match may be in a block already."""
        if self._known is None:
            self._known = set[int]().union(*(numbers_of(ids) for (ids,) in self.execute("SELECT ids FROM records")))
        return number_of(match) in self._known

    def _unpacked(self, row: tuple[Any, ...]) -> EndedBlock:
        number, _, packing, summaries, records, *_ = row
        try:
            if len(row) > len(RECORDS.names) and not is_sound(self._run, RECORDS, row):
                raise ValueError("it is not what was written")
            texts = (self._unpacker.unpack(packing, packed) for packed in (summaries, records))
            return EndedBlock.of(number, *texts)
        except (ValueError, LookupError, UnknownPacking) as error:
            raise JournalError(f"damaged: {RECORDS.name}: {RECORDS.named(row)} cannot be unpacked ({error})") from error

    def _dictionary(self, number: int) -> str:
        for (text,) in self.execute(f"SELECT value FROM {META.name} WHERE key = ?", (f"{DICTIONARY}{number}",)):
            return json.loads(text)["text"]
        raise LookupError(f"there is no dictionary {number}")

    def _usage(self, match: str) -> tuple[Any, ...]:
        """The usage of a match as its summary has it, which is not asked of SQLite in a run without any."""
        if not (self._sums[ANSWERS.name][0] or self._sums[RESERVATIONS.name][0]):
            return _NOTHING
        used = self._database.execute(_USED, {"match": match}).fetchone()
        calls, estimated, prompt, completion, cost, left, sent, written, usd = used
        usd = cost if usd is None else usd + (cost or 0.0)
        return calls + left, int(estimated) + left, int(prompt + sent), int(completion + written), usd

    def _insert(self, table: JournalTable, values: tuple[Any, ...]) -> None:
        of_row = checksum(self._run, table, values)
        self._database.execute(table.insert, table.stored(values, of_row))
        self._add(table, 1, of_row)

    def _forget(self, table: JournalTable, key: tuple[Any, ...]) -> None:
        """Take the row with this key, if there is one, out of its table's sum."""
        query = f"SELECT checksum FROM {table.name} WHERE {table.where_key}"
        for (old,) in self._database.execute(query, key).fetchall():
            self._add(table, -1, -old)

    def _add(self, table: JournalTable, rows: int, total: int) -> None:
        sums = self._sums[table.name]
        sums[0] += rows
        sums[1] += total
        self._changed.add(table.name)

    def _count(self, summary: tuple[Any, ...], sign: int) -> None:
        """Add a match to the totals of its pairing, or take it out of them."""
        _, game, agents, _, ending, winner, turns, refusals, substitutes, *_, at_fault, _ = summary
        key = (game, agents, ending, NOBODY_WON if winner is None else winner, at_fault)
        totals = self._pairings.get(key)
        if totals is None:
            known = self._database.execute(f"{PAIRINGS.select} WHERE {PAIRINGS.where_key}", key).fetchone()
            totals = self._pairings[key] = list(known[5:9]) if known else [0, 0, 0, 0]
        for place, value in enumerate((1, turns, refusals, substitutes)):
            totals[place] += sign * value


LATEST_S: Final = 0.1
"""Seconds after which a row that nobody waits for is written at the latest."""

Change: TypeAlias = Callable[[Rows], object]
"""Something to write: it is called with the rows, inside a transaction, in the writer's thread."""

_FULL: Final = 13  # SQLITE_FULL
_DISK: Final = 10  # SQLITE_IOERR


class Writer:
    """The one writer of a journal. After the first failure everything fails with the same ``JournalError``."""

    def __init__(self, directory: Path, database: sqlite3.Connection, run: str, packer: Packer | None) -> None:
        self._path = directory / FILE
        self._database = database
        self._rows = Rows(database, run, packer)
        self._changes: list[Change] = []
        self._waiting: list[Future[None] | asyncio.Future[None]] = []
        self._state = threading.Condition()
        self._due = 0.0  # when the oldest of the changes must be written
        self._is_closing = False
        self._failure: JournalError | None = None
        self._thread = threading.Thread(target=self._work, name="journal", daemon=True)
        self._thread.start()

    async def now(self, change: Change) -> None:
        """Write something; it is on disk when this returns. Raises ``JournalError``, which says why it failed."""
        done = asyncio.get_running_loop().create_future()
        self._queue(change, done)
        await done

    def soon(self, change: Change, within_s: float = LATEST_S) -> None:
        """Write something within so many seconds, without waiting for it."""
        self._queue(change, None, within_s)

    def check(self) -> None:
        """Raise the ``JournalError`` that everything fails with, if there is one."""
        if self._failure:
            raise self._failure

    def at_once(self, change: Change) -> None:
        """Write something and wait for the disk, without an event loop."""
        done: Future[None] = Future()
        self._queue(change, done)
        done.result()

    async def flush(self) -> None:
        """Wait until everything given so far is on disk."""
        await self.now(lambda rows: None)

    def close(self) -> None:
        """Write what is left, then close the file."""
        with self._state:
            self._is_closing = True
            self._state.notify()
        self._thread.join()
        self._database.close()

    def _queue(
        self, change: Change, done: "Future[None] | asyncio.Future[None] | None", within_s: float = LATEST_S
    ) -> None:
        with self._state:
            if self._failure:
                raise self._failure
            if self._is_closing:
                raise JournalError(f"{self._path}: closed, so nothing more can be written; resume the run")
            self._changes.append(change)
            if done is not None:
                self._waiting.append(done)
            due = time.monotonic() + within_s
            is_first = len(self._changes) == 1
            if done is not None or is_first or due < self._due:
                self._due = due if is_first else min(due, self._due)
                self._state.notify()

    def _work(self) -> None:
        while True:
            with self._state:
                self._state.wait_for(lambda: self._changes or self._is_closing)
                while not (self._waiting or self._is_closing) and (left := self._due - time.monotonic()) > 0:
                    self._state.wait(left)
                changes, self._changes = self._changes, []
                waiting, self._waiting = self._waiting, []
                if not changes:
                    return
            # Group commit: an fsync takes far longer than a row, so all rows that gather during one share the next.
            failure = self._write(changes)
            if failure:
                with self._state:
                    self._failure = failure
                    waiting += self._waiting
                    self._changes, self._waiting = [], []
            _release(waiting, failure)
            if failure:
                return

    def _write(self, changes: list[Change]) -> JournalError | None:
        try:
            with Transaction(self._database):
                for change in changes:
                    change(self._rows)
                self._rows.store()
        except JournalError as error:
            return error
        except BaseException as error:  # whatever it is, nobody may wait for it for ever
            return self._as_journal_error(error)
        return None

    def _as_journal_error(self, error: BaseException) -> JournalFull:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in (_FULL, _DISK):
            advice = "free space" if code == _FULL else "free space or mend the disk"
            return JournalFull(f"{self._path}: cannot be written ({error}); {advice}, then resume the run")
        why = f"{type(error).__name__}: {error}"
        return JournalFull(f"{self._path}: cannot be written ({why}); what was acknowledged is safe, resume the run")


def _release(waiting: "list[Future[None] | asyncio.Future[None]]", failure: JournalError | None) -> None:
    """Wake everybody who waits; futures of an event loop are settled in its thread, all of one loop in one call."""
    by_loop: dict[asyncio.AbstractEventLoop, list[asyncio.Future[None]]] = {}
    for done in waiting:
        if isinstance(done, Future):
            _settle([done], failure)
        else:
            by_loop.setdefault(done.get_loop(), []).append(done)
    for loop, futures in by_loop.items():
        try:
            loop.call_soon_threadsafe(_settle, futures, failure)
        except RuntimeError:  # the loop is closed: nobody waits any more
            continue


def _settle(waiting: "list[Any]", failure: JournalError | None) -> None:
    for done in waiting:
        if done.done():  # whoever waited was cancelled
            continue
        if failure:
            done.set_exception(failure)
        else:
            done.set_result(None)
