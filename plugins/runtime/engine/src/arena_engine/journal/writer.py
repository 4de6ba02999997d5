"""Writes rows in group commits: each transaction takes all rows that came in while the one before was written.

The writer is a thread with a queue and needs no event loop, so what was handed to it reaches the disk while plugins
block the loop.
"""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Final, TypeAlias

from arena.errors import JournalError, JournalFull

from arena_engine.journal.database import FILE, Transaction
from arena_engine.journal.rows import Rows

LATEST_S: Final = 0.1
"""Seconds after which a row that nobody waits for is written at the latest."""

Change: TypeAlias = Callable[[Rows], object]
"""Something to write: it is called with the rows, inside a transaction, in the writer's thread."""

_FULL: Final = 13  # SQLITE_FULL
_DISK: Final = 10  # SQLITE_IOERR


class Writer:
    """The one writer of a journal. After the first failure everything fails with the same ``JournalError``."""

    def __init__(self, directory: Path, database: sqlite3.Connection, run: str) -> None:
        self._path = directory / FILE
        self._database = database
        self._rows = Rows(database, run)
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
