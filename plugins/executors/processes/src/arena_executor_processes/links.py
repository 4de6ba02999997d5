"""The driver's connection to one worker process: batches of pickled messages over a socket, in order."""

import asyncio
import pickle
from collections.abc import Sequence
from struct import Struct
from typing import Any, Final

from arena.errors import BackendError
from arena_engine import (
    ChildProcess,
    EnvironmentFingerprint,
    WorkerGone,
    WorkerHost,
    WorkerLink,
    WorkerSetup,
    ended_how,
)

LENGTH: Final = Struct("!Q")
"""Before each batch stands its length in bytes."""

_MAIN: Final = "arena_executor_processes.main:main"


def framed(value: object) -> bytes:
    """A value as bytes, with their length before them."""
    body = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(body)) + body


async def received(reader: asyncio.StreamReader) -> Any:
    """The next value that the other side framed; ``EOFError`` or ``ConnectionError`` if there is none any more."""
    (length,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
    return pickle.loads(await reader.readexactly(length))


class ProcessLink(WorkerLink):
    """Talks to a worker in a process of its own, which ends with this one."""

    def __init__(self) -> None:
        self._process = ChildProcess.start(_MAIN, is_apart=True)
        self._writer: asyncio.StreamWriter | None = None
        self._reader: asyncio.StreamReader | None = None

    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        self._reader, self._writer = await asyncio.open_connection(sock=self._process.channel)
        self._writer.write(framed(setup))
        answer = await self._received()
        if isinstance(answer, BaseException):
            raise WorkerGone(str(answer), is_broken=True)
        return answer

    def tell(self, messages: Sequence[object]) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(framed(messages))

    async def next_messages(self) -> Sequence[bytes]:
        return await self._received()

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.write(framed(None))
            await self._ended()

    def kill(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._process.kill()
        self._process.wait()

    async def _received(self) -> Any:
        assert self._reader is not None  # it is set up first
        try:
            return await received(self._reader)
        except (EOFError, ConnectionError):
            how = ended_how(await self._ended())
            raise WorkerGone(
                f"its process was ended {how}", blame=f"the process that played it was ended {how}"
            ) from None

    async def _ended(self) -> int:
        return await asyncio.to_thread(self._process.wait)


class ThisMachine(WorkerHost):
    """Starts workers as processes of this machine."""

    def start(self) -> ProcessLink:
        try:
            return ProcessLink()
        except OSError as error:
            raise BackendError(
                f"executor: a process cannot be started ({error.strerror or error}); ask for fewer workers, "
                "or raise the limits on processes and open files (ulimit -u, ulimit -n)"
            ) from None

    def missing(self) -> str:
        return "the machine is too busy, or has too little memory; ask for fewer workers"
