"""Writes rows in group commits: each transaction takes all rows that came in while the one before was written."""

import asyncio
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeAlias

from arena.errors import JournalFull

from arena_engine.journal.database import FILE, Transaction

LATEST_S = 0.1
"""Seconds after which a row that nobody waits for is written at the latest."""

Statement: TypeAlias = tuple[str, tuple[Any, ...]]


class Writer:
    """The one writer of a journal. After the first failure everything fails with the same ``JournalFull``."""

    def __init__(self, directory: Path, database: sqlite3.Connection) -> None:
        self._path = directory / FILE
        self._database = database
        self._rows: list[Statement] = []
        self._waiting: list[asyncio.Future[None]] = []
        self._flushing: asyncio.Task[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._thread = ThreadPoolExecutor(1, "journal")
        self._failure: JournalFull | None = None

    async def now(self, statement: Statement) -> None:
        """Write a row; it is on disk when this returns."""
        self._check()
        done = asyncio.get_running_loop().create_future()
        self._rows.append(statement)
        self._waiting.append(done)
        self._start()
        await done

    def soon(self, statement: Statement) -> None:
        """Write a row within ``LATEST_S`` seconds, without waiting for it."""
        self._check()
        self._rows.append(statement)
        if self._flushing is None and self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(LATEST_S, self._start)

    def at_once(self, statements: Sequence[Statement]) -> None:
        """Write rows in one transaction and wait for the disk, without an event loop."""
        try:
            with Transaction(self._database):
                for text, group in groupby(statements, itemgetter(0)):
                    self._database.executemany(text, (values for _, values in group))
        except sqlite3.Error as error:
            reason = f"{self._path}: cannot be written ({error}); free space, then resume the run"
            raise JournalFull(reason) from error

    async def flush(self) -> None:
        """Wait until all rows given so far are on disk."""
        while self._rows or self._flushing:
            self._start()
            if self._flushing:
                await asyncio.shield(self._flushing)
            self._check()
        self._check()

    def close(self) -> None:
        """Wait for the group being written, then close the file."""
        self._thread.shutdown()
        self._database.close()

    def _check(self) -> None:
        if self._failure:
            raise self._failure

    def _start(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if self._rows and self._flushing is None:
            self._flushing = asyncio.create_task(self._run())

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            # Group commit: an fsync takes far longer than a row, so all rows that gather during one share the next.
            while self._rows and not self._failure:
                rows, self._rows = self._rows, []
                waiting, self._waiting = self._waiting, []
                try:
                    await loop.run_in_executor(self._thread, self.at_once, rows)
                except JournalFull as error:
                    self._failure = error
                self._release(waiting)
            if self._failure:
                self._release(self._waiting)
                self._rows, self._waiting = [], []
        finally:
            self._flushing = None

    def _release(self, waiting: Sequence[asyncio.Future[None]]) -> None:
        for done in waiting:
            if done.done():
                continue
            if self._failure:
                done.set_exception(self._failure)
            else:
                done.set_result(None)
