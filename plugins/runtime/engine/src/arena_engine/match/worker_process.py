"""Starts worker processes, talks to them, and ends them."""

import asyncio
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final, Self

from arena.errors import ArenaError, PluginError

from arena_engine.benchmark.credentials import names_credential
from arena_engine.match.worker_messages import LENGTH, WorkerLost

START_S: Final = 60.0
"""Seconds within which a process must have started."""

_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from arena_engine.match.worker import main; main(int(sys.argv[1]), int(sys.argv[2]))"
)

_FROM_OUTSIDE: Final = frozenset((signal.SIGKILL, signal.SIGTERM)) if sys.platform != "win32" else frozenset[int]()


class WorkerProcess:
    """A process with an interpreter of its own, in which one player lives at a time."""

    is_possible: Final = hasattr(socket, "AF_UNIX") and sys.platform != "win32"
    """Whether processes can be started here; on Windows, which hands no socket on to a child, they cannot."""

    def __init__(
        self, process: "subprocess.Popen[bytes]", reader: asyncio.StreamReader, writer: asyncio.StreamWriter, held: int
    ) -> None:
        self._process = process
        self._reader = reader
        self._writer = writer
        self._held = held

    @classmethod
    async def start(cls) -> Self:
        """Start a process and wait until it can be used."""
        process, ours, held = _started()
        reader, writer = await asyncio.open_connection(sock=ours)
        worker = cls(process, reader, writer, held)
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
        return self._process.poll() is None

    @property
    def number(self) -> int:
        """The number by which the system knows the process."""
        return self._process.pid

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
            os.close(self._held)
        with suppress(ProcessLookupError):
            self._process.kill()

    def reap(self) -> None:
        """Wait until a process that was ended is gone."""
        self._process.wait()


def _started() -> tuple["subprocess.Popen[bytes]", socket.socket, int]:
    """A process with a socket to talk to it, and the end of a pipe that must be open for as long as it is to live."""
    ours, theirs = socket.socketpair()
    lifeline, held = os.pipe()
    program = [sys.executable, "-u", "-c", _PROGRAM, json.dumps(sys.path), str(theirs.fileno()), str(lifeline)]
    try:
        process = subprocess.Popen(
            program, stdin=subprocess.DEVNULL, pass_fds=(theirs.fileno(), lifeline), env=_environment(os.environ)
        )
    except BaseException:
        ours.close()
        os.close(held)
        raise
    finally:
        theirs.close()
        os.close(lifeline)
    return process, ours, held


def _ended(status: int) -> ArenaError:
    if -status in _FROM_OUTSIDE:
        name = signal.Signals(-status).name
        return WorkerLost(f"its process was ended from outside, by {name}; resume the run to play the match again")
    how = f"by {signal.Signals(-status).name}" if status < 0 else f"with exit code {status}"
    return PluginError(f"its process ended {how}, without an answer")


def _environment(variables: Mapping[str, str]) -> dict[str, str]:
    """The environment without what is named like a credential: no search needs a key."""
    return {name: value for name, value in variables.items() if not names_credential(name)}
