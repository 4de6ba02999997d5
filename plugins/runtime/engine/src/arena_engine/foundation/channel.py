"""How processes talk: child processes that end with this one, and values that travel between them over a socket.

Whatever lives in a process of its own stands on this: players, the workers of a run, and who watches them. A value is
pickled, with its length before it; both ends run the same code, and nobody else can reach the socket.
"""

import asyncio
import errno
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from struct import Struct
from threading import Thread
from typing import Any, Final, Self

_LENGTH: Final = Struct("!Q")

_PROGRAM: Final = (
    "import importlib, json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "module, _, main = sys.argv.pop(1).partition(':'); "
    "getattr(importlib.import_module(module), main)(int(sys.argv[1]), int(sys.argv[2]))"
)
_LOOK_S: Final = 0.01
"""How often it is looked whether all that a process has sent before it ended was read."""


class ChildProcess:
    """A process with an interpreter of its own and a socket to talk to it; it lives no longer than its parent.

    Nothing is forked: it imports what it needs, in the same environment and from the same places. What is read from
    ``channel`` ends after all that the process has sent, once it has closed its end or is gone.
    """

    is_possible: Final = hasattr(socket, "AF_UNIX") and sys.platform != "win32"
    """Whether processes can be started here; on Windows, which hands no socket on to a child, they cannot."""

    def __init__(self, process: "subprocess.Popen[bytes]", channel: socket.socket, lifeline: int) -> None:
        self.channel = channel
        self._process = process
        self._lifeline: int | None = lifeline
        Thread(target=self._hang_up, daemon=True, name="arena-child").start()

    @classmethod
    def start(cls, main: str, environment: Mapping[str, str] | None = None, *, is_apart: bool = False) -> Self:
        """Start a process that calls ``main``, as ``MODULE:FUNCTION``, with the numbers of its socket and its lifeline.

        The function has to begin with ``end_with_parent``. A process that ``is_apart`` gets no signals of its parent's
        terminal, not even while it starts, and prints to standard error only.
        """
        ours, theirs = socket.socketpair()
        lifeline, held = os.pipe()
        numbers = (theirs.fileno(), lifeline)
        program = [sys.executable, "-u", "-c", _PROGRAM, json.dumps(sys.path), main, *map(str, numbers)]
        try:
            process = subprocess.Popen(
                program,
                stdin=subprocess.DEVNULL,
                stdout=2 if is_apart else None,
                pass_fds=numbers,
                env=environment,
                process_group=0 if is_apart else None,
            )
        except BaseException:
            ours.close()
            os.close(held)
            raise
        finally:
            theirs.close()
            os.close(lifeline)
        try:
            return cls(process, ours, held)
        except RuntimeError as error:  # there is no room for a thread
            process.kill()
            process.wait()
            ours.close()
            os.close(held)
            raise BlockingIOError(errno.EAGAIN, str(error)) from None

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return self._process.poll() is None

    @property
    def number(self) -> int:
        """The number by which the system knows the process."""
        return self._process.pid

    def kill(self) -> None:
        """End the process, whatever it does; one that has ended keeps its exit code."""
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        with suppress(ProcessLookupError):
            self._process.kill()

    def wait(self) -> int:
        """Wait until the process is gone; returns its exit code, or the signal that ended it as a negative number."""
        return self._process.wait()

    def _hang_up(self) -> None:
        """Let the socket end when the process has: what it forked may hold the other end open for ever."""
        self._process.wait()
        try:
            while self.channel.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT):
                time.sleep(_LOOK_S)  # some systems drop what was sent and not yet read when a socket is shut down
        except BlockingIOError:
            with suppress(OSError):
                self.channel.shutdown(socket.SHUT_RD)
        except OSError:  # it is closed
            pass


def framed(value: object) -> bytes:
    """A value as it is sent, with its length before it; raises whatever pickling it raises."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


class Channel:
    """One end of a socket between two processes, in an event loop: values are sent and received in order."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def over(cls, end: socket.socket) -> Self:
        """The channel over this end of a socket, which belongs to it from now on."""
        return cls(*await asyncio.open_connection(sock=end))

    def send(self, frame: bytes) -> None:
        """Send a value that was framed, without waiting; where the other side is gone, ``receive`` says so."""
        if not self._writer.is_closing():
            self._writer.write(frame)

    async def is_sent(self) -> None:
        """Wait until so much was sent that more may follow."""
        with suppress(ConnectionError):
            await self._writer.drain()

    async def receive(self) -> Any:
        """The next value of the other side; ``EOFError`` or ``ConnectionError`` if there is none any more."""
        (length,) = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))
        return pickle.loads(await self._reader.readexactly(length))

    def close(self) -> None:
        """Close this end; the other side gets all that was sent, and then an end."""
        if not self._writer.is_closing():
            self._writer.close()


class BlockingChannel:
    """The same for a process without an event loop."""

    def __init__(self, end: socket.socket) -> None:
        self._end = end
        self._incoming = end.makefile("rb")

    def send(self, frame: bytes) -> None:
        """Send a value that was framed; ``ConnectionError`` if the other side is gone."""
        self._end.sendall(frame)

    def receive(self) -> bytes:
        """The next value of the other side, still pickled; ``EOFError`` or ``ConnectionError`` if there is none."""
        (length,) = _LENGTH.unpack(self._exactly(_LENGTH.size))
        return self._exactly(length)

    def _exactly(self, size: int) -> bytes:
        found = self._incoming.read(size)
        if len(found) < size:
            raise EOFError
        return found


def ended_how(status: int) -> str:
    """How a process ended, in words: ``by SIGKILL``, or ``with exit code 3``."""
    return f"by {signal.Signals(-status).name}" if status < 0 else f"with exit code {status}"


def end_with_parent(lifeline: int) -> None:
    """End this process as soon as its parent is gone, or closes the pipe ``lifeline``; signals to a group do nothing.

    Called first in the main thread of a ``ChildProcess``.
    """
    for number in (signal.SIGINT, signal.SIGTERM):  # sent to a whole group of processes; the parent decides what ends
        signal.signal(number, signal.SIG_IGN)
    if sys.platform == "linux":  # the thread cannot run while code in C holds the interpreter's lock
        import fcntl

        # Not the parent-death signal, which Linux sends as soon as the thread ends that has started this process.
        fcntl.fcntl(lifeline, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(lifeline, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(lifeline, fcntl.F_SETFL, os.O_ASYNC)
    Thread(target=_end, args=(lifeline,), daemon=True, name="arena-lifeline").start()


def _end(lifeline: int) -> None:
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGKILL)
