"""The driver's side of one worker: how it is reached, whether its plugins are the driver's, what it plays."""

import asyncio
import hashlib
import platform
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import attrs
from arena.catalog import InstalledPlugin
from arena.errors import ConfigError
from arena.record import Ending, Failure, MatchPlan, MatchRecord

from arena_engine.foundation.provenance import provenance_of
from arena_engine.models.throttle import Permit
from arena_engine.workers.messages import Answered, Ask, Method, ToDriver, ToWorker, WorkerSetup, unpacked

SHOWN = 12
"""How many characters of a digest are shown in a message."""


@attrs.frozen
class PluginOrigin:
    """A distribution, its version, and a digest of all files of the package that was loaded from it."""

    dist: str
    version: str
    code: str

    def __str__(self) -> str:
        return f"{self.dist} {self.version} (code {self.code[:SHOWN]})"


@attrs.frozen
class EnvironmentFingerprint:
    """The host, its Python version, and the origin of core and of each plugin that the benchmark uses.

    Files are compared, not commits: a commit during a run that leaves these files unchanged makes no difference, and an
    uncommitted edit does.
    """

    host: str
    python: str
    origins: Mapping[str, PluginOrigin]

    @classmethod
    def of(cls, plugins: Iterable[InstalledPlugin]) -> "EnvironmentFingerprint":
        """The fingerprint of this process, which plays with ``plugins``."""
        origins = {"the core": PluginOrigin("playarena-core", version("playarena-core"), digest("arena"))}
        for entry in sorted(plugins, key=lambda entry: entry.key):
            if entry.plugin is not None:
                written = provenance_of(entry)
                code = digest(entry.plugin.factory.partition(":")[0].partition(".")[0])
                origins[f"{entry.kind} {entry.name!r}"] = PluginOrigin(
                    str(written["dist"]), str(written["version"]), code
                )
        return cls(platform.node(), platform.python_version(), origins)

    def difference(self, worker: "EnvironmentFingerprint") -> str | None:
        """How a worker differs from this driver, in one sentence; ``None`` if both play the same."""
        mine, theirs = self._parts(), worker._parts()
        for name, part in mine.items():
            other = theirs.get(name, "nothing")
            if part != other:
                return (
                    f"the worker on {worker.host!r} has {other} for {name} and the driver has {part}; "
                    "install the same for both, or begin again if one was changed meanwhile"
                )
        return None

    def _parts(self) -> dict[str, str]:
        named = {name: str(origin) for name, origin in self.origins.items()}
        return {"python": ".".join(self.python.split(".")[:2]), **named}


def digest(package: str) -> str:
    """A digest of a package's source files, wherever they are installed; compiled files are left out."""
    spec = find_spec(package)
    found = hashlib.sha256()
    for place in (spec and spec.submodule_search_locations) or ():
        for path in sorted(Path(place).rglob("*")):
            if path.is_file() and path.suffix != ".pyc":
                found.update(path.relative_to(place).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


class WorkerGone(Exception):
    """The process of a worker has ended, or cannot be reached any more.

    ``reason`` says how, as the end of a sentence. ``is_broken`` says that its code raised an error, which every other
    worker would raise too. ``blame`` is what a match that was played there alone is told to have done, or ``None``
    where a lost worker says nothing about its matches.
    """

    def __init__(self, reason: str, *, is_broken: bool = False, blame: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_broken = is_broken
        self.blame = blame

    def outcome(self, plan: MatchPlan, losses: int) -> MatchRecord:
        """What becomes of a match under which so many workers were lost, this last one while it played nothing else."""
        if self.blame is None:
            ending, why = Ending.INFRASTRUCTURE_FAILURE, f"{losses} workers were lost while they played it"
        else:
            ending, why = Ending.FAILED, f"{self.blame}, {losses} times, at last while it played alone"
        return MatchRecord(plan=plan, seats=(), ending=ending, returns=None, failure=Failure(why))


class WorkerLink(ABC):
    """The connection to one worker: calls its methods of the same names, in order. Raises ``WorkerGone``."""

    @abstractmethod
    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        """Wait until the worker runs and has built the benchmark; see ``Worker.set_up``."""

    @abstractmethod
    def tell(self, messages: Sequence[object]) -> None:
        """Send messages without waiting; a worker that is gone is noticed by ``next_messages``."""

    @abstractmethod
    async def next_messages(self) -> Sequence[bytes]:
        """Wait until the worker has messages, and return all of them, packed."""

    @abstractmethod
    async def close(self) -> None:
        """Let the worker close its backends, and end it."""

    @abstractmethod
    def kill(self) -> None:
        """End the process of the worker, whatever it does."""


class WorkerHost(ABC):
    """A place where workers can be started, such as this machine or a cluster."""

    @abstractmethod
    def start(self) -> WorkerLink:
        """Start a worker, without waiting until it runs; ``BackendError`` if there cannot be another."""

    @abstractmethod
    def missing(self) -> str:
        """Why no worker was ready in time, and what to do, as the end of an error message."""


class WorkerHandle:
    """Sends and receives batches of messages, and tracks the worker's matches, leases and open requests.

    ``asking`` are its requests for models that the driver holds, to them, and for room in the budget. ``number`` counts
    the workers of a run from 1, ``per_second`` is how many matches it ended lately, and ``plays_suspect`` says that it
    plays a match alone.
    """

    def __init__(self, link: WorkerLink, number: int) -> None:
        self.number = number
        self.playing: dict[str, MatchPlan] = {}
        self.leases: dict[int, asyncio.Task[None] | Permit] = {}
        self.asking: dict[int, asyncio.Task[None]] = {}
        self.is_ready = False
        self.plays_suspect = False
        self.per_second = 0.0
        self._link = link
        self._since = 0.0
        self._outbox: list[ToWorker] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._asked: dict[int, asyncio.Future[Any]] = {}
        self._number = 0

    async def set_up(self, setup: WorkerSetup) -> EnvironmentFingerprint | str:
        """Wait until the worker is placed and has built the benchmark; see ``Worker.set_up``."""
        return await self._link.set_up(setup)

    def begins(self) -> None:
        """Note that a worker that had nothing to do begins to play."""
        self._since = asyncio.get_running_loop().time()

    def ended(self, matches: int) -> None:
        """Note that so many matches have ended since the last time."""
        now = asyncio.get_running_loop().time()
        lately = matches / max(now - self._since, 1e-4)
        self.per_second = (self.per_second + lately) / 2 if self.per_second else lately
        self._since = now

    def tell(self, message: ToWorker) -> None:
        """Send a message, in one batch with all others of this turn of the event loop."""
        if not self._outbox:
            asyncio.get_running_loop().call_soon(self._flush)
        self._outbox.append(message)

    async def ask(self, match: str, method: Method, *arguments: Any) -> Any:
        """Call a method of a match that the worker plays; ``ConfigError`` if the match ends meanwhile."""
        self._number += 1
        number, asked = self._number, asyncio.get_running_loop().create_future()
        self._asked[number] = asked
        self.tell(Ask(number, match, method, arguments))
        try:
            return await asked
        finally:
            self._asked.pop(number, None)

    def answered(self, answer: Answered) -> None:
        """Wake whoever has asked."""
        asked = self._asked.pop(answer.number, None)
        if asked is None or asked.done():
            return
        if answer.error is None:
            asked.set_result(answer.value)
        else:
            asked.set_exception(answer.error)

    async def messages(self) -> AsyncIterator[ToDriver]:
        """Yield the worker's messages in order; raises ``WorkerGone`` when the worker is lost."""
        while True:
            for parcel in await self._link.next_messages():
                yield unpacked(parcel)

    def run(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Start ``work`` on behalf of the worker, concurrently with its other requests."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def tasks_done(self) -> None:
        """Wait until everything started with ``run`` has ended."""
        if self._tasks:
            await asyncio.wait(set(self._tasks))

    async def close(self) -> None:
        """Let the worker close its backends."""
        if self.is_ready:
            with suppress(WorkerGone):
                await self._link.close()

    def kill(self) -> None:
        """Kill the worker's process, even while it plays."""
        for task in self._tasks:
            task.cancel()
        for number in list(self._asked):
            self.answered(Answered(number, error=ConfigError(f"worker {self.number} is gone; ask again")))
        self._link.kill()

    def _flush(self) -> None:
        messages, self._outbox = self._outbox, []
        self._link.tell(messages)
