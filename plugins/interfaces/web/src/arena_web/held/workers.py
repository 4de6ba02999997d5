"""Worker processes with bounds: a request has so many seconds and so much memory; one that takes more is ended."""

import asyncio
import json
import os
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

import attrs
from arena_engine import names_credential

from arena_web.held.provider_keys import ProviderKeys

SECONDS: Final = 10.0
"""Seconds that positions may take."""

MEMORY: Final = 1_000_000_000
"""Bytes of memory that positions may take."""

LONGEST: Final = 200_000_000
"""No answer of a worker has more bytes."""

_PROGRAM: Final = (
    "import json, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "from arena_web.workers.worker import main; main(int(sys.argv[1]), sys.argv[2])"
)

START_S: Final = 60.0
"""Seconds more that the first request of a process may take, which imports what it needs."""


class WorkerFailed(Exception):
    """A worker could not answer; the text says why in a sentence without its subject."""


@attrs.define(eq=False)
class _Worker:
    """A process, the state of the keys that it was started with, and whether it has answered before."""

    process: Process
    changes: int
    is_warm: bool = False


class Workers:
    """At most ``most`` worker processes, which are started when they are needed and used again.

    Make it inside the event loop that uses it, or before. ``close`` ends all processes. They have no credentials of the
    server's environment, unless ``keys`` are given, which they have too: a process that was started with others is not
    used again.
    """

    def __init__(
        self,
        most: int = 2,
        *,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        start_s: float = START_S,
        disabled: Sequence[str] = (),
        keys: ProviderKeys | None = None,
    ) -> None:
        self._free: list[_Worker] = []
        self._all: set[_Worker] = set()
        self._ended: list[Process] = []
        self._turns = asyncio.Semaphore(most)
        self._seconds = seconds
        self._memory = memory
        self._start_s = start_s
        self._disabled = tuple(disabled)
        self._keys = keys

    async def ask(self, asked: Mapping[str, Any], tell: Callable[[Any], None] | None = None) -> Any:
        """The answer to a request; ``WorkerFailed`` says why there is none. ``tell`` is called with its progress."""
        async with self._turns:
            worker = await self._take()
            try:
                async with asyncio.timeout(self._seconds + (0 if worker.is_warm else self._start_s)):
                    answer = await self._answer(worker, asked, tell)
            except TimeoutError:
                self._end(worker)
                raise WorkerFailed(f"it takes longer than {self._seconds:g} s") from None
            except (OSError, ValueError, EOFError) as error:
                self._end(worker)
                raise WorkerFailed(str(error) or "it ended its process without an answer") from None
            except BaseException:
                self._end(worker)
                raise
            worker.is_warm = True
            self._free.append(worker)
            self.renew()
        if "error" in answer:
            raise WorkerFailed(answer["error"])
        return answer["ok"]

    def renew(self) -> None:
        """End the processes that are not in use and have other keys than there are."""
        for worker in [each for each in self._free if each.changes != self._changes]:
            self._free.remove(worker)
            self._end(worker)

    @property
    def _changes(self) -> int:
        return 0 if self._keys is None else self._keys.changes

    async def close(self) -> None:
        """End all processes, whatever they do, and wait until they are gone."""
        for worker in [*self._all]:
            self._end(worker)
        for process in self._ended:
            await process.wait()
            if process.stdin is not None:
                with suppress(OSError):
                    await process.stdin.wait_closed()
        self._ended.clear()

    async def _take(self) -> _Worker:
        while self._free:
            worker = self._free.pop()
            if worker.process.returncode is None and worker.changes == self._changes:
                return worker
            self._end(worker)
        changes = self._changes
        program = [sys.executable, "-u", "-c", _PROGRAM, json.dumps(sys.path), str(self._memory)]
        process = await asyncio.create_subprocess_exec(
            *program,
            json.dumps(self._disabled),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST,
            env=_environment(os.environ, self._keys),
        )
        worker = _Worker(process, changes)
        self._all.add(worker)
        return worker

    async def _answer(self, worker: _Worker, asked: Mapping[str, Any], tell: Callable[[Any], None] | None) -> Any:
        stdin, stdout = worker.process.stdin, worker.process.stdout
        assert stdin is not None  # both are pipes
        assert stdout is not None
        stdin.write(json.dumps(asked).encode() + b"\n")
        await stdin.drain()
        while line := await stdout.readline():
            answer: Any = json.loads(line)
            if "progress" not in answer:
                return answer
            if tell is not None:
                tell(answer["progress"])
        raise EOFError

    def _end(self, worker: _Worker) -> None:
        self._all.discard(worker)
        self._ended = [process for process in self._ended if process.returncode is None]
        self._ended.append(worker.process)
        if worker.process.stdin is not None:
            worker.process.stdin.close()
        with suppress(ProcessLookupError):
            worker.process.kill()


def _environment(variables: Mapping[str, str], keys: ProviderKeys | None) -> dict[str, str]:
    """The environment with the keys, or without what is named like a credential; one thread for small arrays."""
    kept = {name: value for name, value in variables.items() if keys is not None or not names_credential(name)}
    typed: Mapping[str, str] = {} if keys is None else keys.environment()
    return {**kept, **typed, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
