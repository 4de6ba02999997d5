"""The journal: everything a run has computed or paid for, in one SQLite file.

One process writes, many may read (WAL). Answers from outside are durable before an agent sees them; they are committed
in groups. Finished matches are written with the next group, or after 100 ms at the latest. A journal never holds a
secret: the values of all secrets in use are removed from every text before it is written.
"""

import json
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import attrs
from arena.errors import JournalError
from arena.metric import Measurement
from arena.record import JSON, Event, MatchPlan, MatchRecord, encoder

from arena_engine.foundation.json_values import storable
from arena_engine.foundation.redaction import CUT, Redactor
from arena_engine.journal import database as files
from arena_engine.journal.blocks import plan_blocks
from arena_engine.journal.encoded_match import EncodedMatch, events_text, record_bytes, summary_row
from arena_engine.journal.packing import ALONE, PACKING, PLAIN, JournalSettings, Packer
from arena_engine.journal.reading import JournalReader
from arena_engine.journal.schema import (
    ATTEMPTS,
    BATCH,
    JUDGEMENTS,
    META,
    PLANNED_MATCHES,
    PROGRESS,
    RESERVATIONS,
    Header,
    is_sound,
)
from arena_engine.journal.sent_batches import SentBatch
from arena_engine.journal.stored_json import JournalEntry, Reservation
from arena_engine.journal.writer import Rows, Writer

SEEN_S: Final = 0.01
"""Seconds between two writes of how far matches are, so that steps in quick succession share one."""

_encode_any = encoder(allow_nan=False)


_Ended = tuple[bytes, tuple[Any, ...], bool]
"""The record of a match, the columns of its summary, and whether it has progress."""


class Journal(JournalReader):
    """The journal of one run. Get one from ``create`` or ``open``, and ``close`` it, or use it as a context.

    ``open`` without ``write`` changes nothing on disk. Only one process at a time can have it open for writing.
    """

    def __init__(self, directory: Path, reader: sqlite3.Connection, held: sqlite3.Connection | None = None) -> None:
        super().__init__(directory, reader)
        self._lock = held
        self._writer: Writer | None = None
        self._packer = Packer(self.dictionaries()) if held and self.metadata(PACKING) == ALONE else None
        if held:
            database = files.open_existing(self.path, write=True)
            self._writer = Writer(directory, database, self.header.id, self._packer)
        self._ended: deque[_Ended] = deque()  # matches to be written
        self._redactor = Redactor({})
        self._seen = 0.0  # when the last row of progress was to be written
        self._in_progress = set(self.matches_with_progress()) if held else set[str]()

    @classmethod
    def create(
        cls,
        directory: Path,
        header: Header,
        plans: Iterable[MatchPlan],
        settings: JournalSettings | None = None,
        *,
        is_scheduled: bool = False,
    ) -> Self:
        """Create a journal in ``directory``, which is created too if needed and must not hold one yet.

        It is written under another name, and gets its own when all plans are in it: a process that is killed before
        leaves no journal, and what it leaves is replaced by the next one. Plans that ``is_scheduled`` says to follow
        from the header's benchmark can be made again from the header alone, which ``begun_header`` then gives. Without
        ``settings`` texts are stored as they are.
        """
        path = directory / files.FILE
        exists = JournalError(f"{path}: there is a run here already; resume it or choose another --output")
        if path.exists():
            raise exists
        held, begun = None, directory / files.BEGUN
        try:
            directory.mkdir(parents=True, exist_ok=True)
            held = files.lock(directory)
            if path.exists():  # made by somebody else meanwhile
                raise exists
            files.remove(begun)
            with closing(files.make_new(begun)) as made:
                _write_new(made, header, plans, settings, header_first=is_scheduled)
            files.publish(begun, path)
            return cls(directory, files.open_existing(path, write=False), held)
        except BaseException as error:
            if held:
                files.remove(begun)
                files.unlock(directory, held)
            if isinstance(error, (OSError, sqlite3.Error)):
                why = f"{directory}: a run cannot be written here ({error}); choose another --output"
                raise JournalError(why) from error
            raise

    @classmethod
    def open(cls, directory: Path, *, write: bool = False, check: bool = True) -> Self:
        """Open the journal in ``directory``, which may also be the path of the journal's file.

        ``JournalError`` if anything in it is damaged. Without ``check``, for whoever reads a single match of a long
        run, rows that vanished are not noticed; rows that are read are checked in any case.
        """
        if directory.is_file():
            if directory.name != files.FILE:
                raise JournalError(
                    f"{directory}: this is a file and no run; expected the directory of a run or its {files.FILE} "
                    "(tables of results, such as arena import writes, go into arena leaderboard)"
                )
            directory = directory.parent
        path = directory / files.FILE
        if not path.is_file():
            raise files.no_journal(directory)
        files.check_log(path)
        files.open_existing(path, write=False).close()  # a file that is none of ours is not even locked
        held = files.lock(directory) if write else None
        try:
            journal = cls(directory, files.open_existing(path, write=False), held)
            if check:
                try:
                    journal.check()
                except BaseException:
                    journal.close()
                    raise
            return journal
        except BaseException:
            if held:
                files.unlock(directory, held)
            raise

    def close(self) -> None:
        """Write what is left, close the file and release the lock."""
        self._reader.close()
        if self._writer:
            self._writer.close()
        if self._lock:
            files.unlock(self.directory, self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def redact(self, secrets: Iterable[str]) -> None:
        """Replace these values by ``[secret]`` in every text that is written from here on, however they are written."""
        self._redactor = Redactor(dict.fromkeys(secrets, CUT))

    def set_metadata(self, key: str, value: JSON) -> None:
        """Store a small value about the whole run under ``key``, replacing an earlier one."""
        text = self._clean(_encode(value))
        self._write.at_once(lambda rows: rows.put(META, key, text))

    def mark_watched(self, matches: Iterable[str]) -> None:
        """Record that the host sees all of these matches from here on, though somebody outside plays in them."""
        self.set_metadata("watched", sorted({*self.watched(), *matches}))

    def begin_attempt(self, provenance: Iterable[Mapping[str, JSON]]) -> None:
        """Record that the run is resumed or extended, with the plugins it uses this time."""
        number, text = len(self.attempts()) + 1, _encode(list(provenance))
        self._write.at_once(lambda rows: rows.put(ATTEMPTS, number, text))

    def replace_header(self, header: Header) -> None:
        """Replace the header by another one of the same run and the same matches."""
        text = _encode(header.to_json())
        self._write.at_once(lambda rows: rows.put(META, "header", text))
        self.header = header

    def extend(self, header: Header, plans: Sequence[MatchPlan]) -> None:
        """Replace the header and add plans; old plans that are not in ``plans`` stay, ordered after all others."""
        begun = {plan.id for plan in plans}
        left = [plan for plan in self.iter_plans() if plan.id not in begun]
        blocks = list(plan_blocks([*plans, *left], is_packed=self._packer is not None))

        def change(rows: Rows) -> None:
            rows.clear_plans()
            rows.put_plans(blocks)
            rows.put(META, "header", _encode(header.to_json()))

        self._write.at_once(change)
        self.header = header

    async def record(self, answer: JournalEntry, reserved: int | None = None) -> None:
        """Write an entry; it is on disk when this returns. Raises ``JournalFull``.

        ``reserved`` is the try whose reservation the answer replaces, in the same transaction.
        """
        row = self._redactor.row(answer.to_row())
        texts = row[5].encode(), row[6].encode()  # a lone surrogate is an error here, as in ``_clean``

        def change(rows: Rows) -> None:
            rows.put_answer(row, *texts)
            if reserved is not None:
                rows.delete(RESERVATIONS, answer.match, answer.scope, reserved)

        await self._write.now(change)

    async def keep_batch(self, batch: SentBatch, calls: Iterable[Reservation]) -> None:
        """Write a batch, and what new calls in it may use; all is on disk when this returns."""
        text, rows_of_calls = self._clean(_encode(batch.to_json())), list(map(attrs.astuple, calls))

        def change(rows: Rows) -> None:
            rows.put(META, f"{BATCH}{batch.name}", text)
            for row in rows_of_calls:
                rows.put(RESERVATIONS, *row)

        await self._write.now(change)

    def drop_batch(self, name: str) -> None:
        """Remove a batch, of which nothing is waited for any more, within 100 ms."""
        self._soon(lambda rows: rows.delete(META, f"{BATCH}{name}"))

    async def reserve(self, call: Reservation) -> None:
        """Write what a call may use; it is on disk when this returns, so that a resumed run counts the call too."""
        await self._write.now(lambda rows: rows.put(RESERVATIONS, *attrs.astuple(call)))

    def reserve_soon(self, call: Reservation) -> None:
        """Write within 100 ms what a call may have used that will not be answered."""
        self._soon(lambda rows: rows.put(RESERVATIONS, *attrs.astuple(call)))

    def release(self, match: str, scope: str, number: int) -> None:
        """Remove the reservation of a call that used nothing, within 100 ms."""
        self._soon(lambda rows: rows.delete(RESERVATIONS, match, scope, number))

    def finish(self, record: MatchRecord, started: datetime | None = None) -> None:
        """Write the record of a match within 100 ms, with a summary that says when it was ``started``.

        ``JournalFull`` if an earlier write failed; ``ValueError``, ``TypeError`` or ``RecursionError`` if something in
        the record is no JSON.
        """
        ended = None if started is None else datetime.now(UTC)
        self.store(EncodedMatch(record_bytes(record), summary_row(record, started, ended)))

    def store(self, match: EncodedMatch) -> None:
        """Write a match that was encoded where it was played within 100 ms; ``JournalFull`` as in ``finish``."""
        self._write.check()
        text, summary = self._redactor.utf8(match.text), match.summary
        self._ended.append((text, summary, match.id in self._in_progress))
        self._in_progress.discard(match.id)
        if len(self._ended) == 1:  # otherwise the writer has been told, and takes this one along
            self._write.soon(partial(_put_ended, self._ended))

    def progress(self, match: str, step: int, events: Sequence[Event], *, is_first: bool) -> None:
        """Write the events that led a match to ``step`` since the last call; a record replaces them.

        They are written at once, so that a person's move is soon on other screens, or ``SEEN_S`` after those before.
        The first call for a match drops what is known of an attempt that was cut off. Events that are no JSON are not
        written here: ``finish`` says so.
        """
        try:
            text = self._clean(events_text(events))
        except (TypeError, ValueError, RecursionError):
            return
        if is_first:
            self._soon(lambda rows: rows.delete_all(PROGRESS, "match", match))
        self._in_progress.add(match)
        now = time.monotonic()
        if now >= self._seen:  # else others are about to be written, and these go with them
            self._seen = max(now, self._seen + SEEN_S)
        self._soon(lambda rows: rows.put(PROGRESS, match, step, PLAIN, text), self._seen - now)

    def save_judgement(self, match: str, metric: str, measurements: Iterable[Measurement]) -> None:
        """Write the measurements of a metric's judge within 100 ms."""
        value = self._clean(_encode([m._asdict() for m in measurements]))
        self._soon(lambda rows: rows.put(JUDGEMENTS, match, metric, value))

    async def flush(self) -> None:
        """Wait until everything written so far is on disk. Raises ``JournalFull``."""
        await self._write.flush()

    def _soon(self, change: Callable[[Rows], object], *within_s: float) -> None:
        """Queue a change; matches that end later are written after it, and not along with those that ended before."""
        self._ended = deque()
        self._write.soon(change, *within_s)

    @property
    def _write(self) -> Writer:
        if self._writer is None:
            raise JournalError(f"{self.path}: opened for reading only")
        return self._writer

    def _clean(self, text: str) -> str:
        text = self._redactor.text(text)
        text.encode()  # a lone surrogate is an error here, where whoever made it can still be told
        return text


def _encode(value: JSON) -> str:
    """The text of everything but matches and answers, which is stored whatever somebody has put into it."""
    return storable(_encode_any(value))


def begun_header(directory: Path) -> Header | None:
    """The header of a scheduled run whose creation in ``directory`` was cut off; ``None`` if there is none."""
    if not files.is_cut_off(directory):
        return None
    try:
        with closing(files.open_existing(directory / files.BEGUN, write=False)) as database:
            rows = database.execute(f"{META.select} WHERE key = 'header'").fetchall()
    except (sqlite3.Error, JournalError):  # cut off before the first transaction
        return None
    return next((Header.from_json(json.loads(row[1])) for row in rows if is_sound("", META, row)), None)


def _write_new(
    made: sqlite3.Connection,
    header: Header,
    plans: Iterable[MatchPlan],
    settings: JournalSettings | None,
    *,
    header_first: bool,
) -> None:
    """Write a new journal, a transaction for each block of plans, so that no long plan is held in memory."""
    rows, is_packed = Rows(made, header.id), settings is not None and settings.compress
    with files.Transaction(made):
        rows.put(META, PLANNED_MATCHES, "0")
        if header_first:
            rows.put(META, "header", _encode(header.to_json()))
        rows.store()
    for block in plan_blocks(plans, is_packed=is_packed):
        with files.Transaction(made):
            rows.put_plans([block])
            rows.store()
    with files.Transaction(made):
        if not header_first:
            rows.put(META, "header", _encode(header.to_json()))
        rows.put(ATTEMPTS, 1, _encode(list(header.provenance)))
        if is_packed:
            rows.put(META, PACKING, _encode(ALONE))
        rows.store()


def _put_ended(ended: deque[_Ended], rows: Rows) -> None:
    """Write the matches that have ended until now."""
    while ended:
        text, summary, has_progress = ended.popleft()
        if has_progress:
            rows.delete_all(PROGRESS, "match", summary[0])
        rows.put_match(text, summary)
