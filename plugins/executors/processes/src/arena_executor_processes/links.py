"""The driver's connection to one worker process: batches of pickled messages over a socket, in order."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from arena.errors import BackendError
from arena_engine import (
    Channel,
    ChildProcess,
    EnvironmentFingerprint,
    WorkerGone,
    WorkerHost,
    WorkerLink,
    WorkerSetup,
    ended_how,
    framed,
)

_MAIN: Final = "arena_executor_processes.main:main"


class ProcessLink(WorkerLink):
    """Talks to a worker in a process of its own, which ends with this one."""

    def __init__(self) -> None:
        self._process = ChildProcess.start(_MAIN, is_apart=True)
        self._channel: Channel | None = None

    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        self._channel = await Channel.over(self._process.channel)
        self._channel.send(framed(setup))
        answer = await self._received()
        if isinstance(answer, BaseException):
            raise WorkerGone(str(answer), is_broken=True)
        return answer

    def tell(self, messages: Sequence[object]) -> None:
        if self._channel is not None:
            self._channel.send(framed(messages))

    async def next_messages(self) -> Sequence[bytes]:
        return await self._received()

    async def close(self) -> None:
        if self._channel is not None:
            self._channel.send(framed(None))
            await self._ended()

    def kill(self) -> None:
        if self._channel is not None:
            self._channel.close()
        self._process.kill()
        self._process.wait()

    async def _received(self) -> Any:
        assert self._channel is not None  # it is set up first
        try:
            return await self._channel.receive()
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
