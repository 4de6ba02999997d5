"""Starts worker processes, talks to them, and ends them."""

import asyncio
import os
import pickle
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Self

from arena.errors import ArenaError, PluginError

from arena_engine.benchmark.credentials import names_credential
from arena_engine.child_process import ChildProcess, ended_how
from arena_engine.match.worker_messages import LENGTH, WorkerLost

START_S: Final = 60.0
"""Seconds within which a process must have started."""

_FROM_OUTSIDE: Final = frozenset((signal.SIGKILL, signal.SIGTERM)) if sys.platform != "win32" else frozenset[int]()


class WorkerProcess:
    """A process with an interpreter of its own, in which one player lives at a time."""

    is_possible: Final = ChildProcess.is_possible
    """Whether processes can be started here."""

    def __init__(self, process: ChildProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer

    @classmethod
    async def start(cls) -> Self:
        """Start a process and wait until it can be used."""
        process = ChildProcess.start("arena_engine.match.worker:main", _environment(os.environ))
        reader, writer = await asyncio.open_connection(sock=process.channel)
        worker = cls(process, reader, writer)
        try:
            async with asyncio.timeout(START_S):
                await worker.receive()
        except TimeoutError:
            worker.kill()
            raise PluginError(f"a process did not start within {START_S:g} s") from None
        except BaseException:
            worker.kill()
            raise
        return worker

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.is_alive

    @property
    def number(self) -> int:
        """The number by which the system knows the process."""
        return self._process.number

    async def send(self, message: bytes) -> None:
        """Send a message that was packed; a process that has ended is noticed by ``receive``."""
        self._writer.write(message)
        with suppress(ConnectionError):
            await self._writer.drain()

    async def receive(self) -> Any:
        """Wait for the next message; ``WorkerLost`` or ``PluginError`` say how the process ended instead."""
        try:
            (length,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
            return pickle.loads(await self._reader.readexactly(length))
        except (asyncio.IncompleteReadError, ConnectionError):
            self.kill()
            raise _ended(self._process.wait()) from None

    def kill(self) -> None:
        """End the process, whatever it does; one that has ended keeps its exit code."""
        if not self._writer.is_closing():
            self._writer.close()
        self._process.kill()

    def reap(self) -> None:
        """Wait until a process that was ended is gone."""
        self._process.wait()


def _ended(status: int) -> ArenaError:
    if -status in _FROM_OUTSIDE:
        name = signal.Signals(-status).name
        return WorkerLost(f"its process was ended from outside, by {name}; resume the run to play the match again")
    return PluginError(f"its process ended {ended_how(status)}, without an answer")


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment without what is named like a credential: no search needs a key."""
    return {name: value for name, value in variables.items() if not names_credential(name)}
