"""Lets other processes of the same user hold a run: a socket, the file that names it, and both of its ends.

The socket lies in the user's runtime directory, because a path of more than about a hundred bytes takes none, and
because a run that is copied must not bring one. The file lies in the directory of the run while it is played.

A request is ``{"do": NAME, …}`` with the arguments of the method of ``Control`` that it names, an answer is
``{"ok": VALUE}`` or ``{"error": SENTENCE}``. ``attend`` holds as long as its connection is open.
"""

import asyncio
import json
import os
import socket
import stat
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self, cast

import attrs
from arena.errors import ArenaError, ConfigError
from arena.record import JSON, Event, Player

from arena_engine.execution.control import Control, ControlledRun, ControlState
from arena_engine.job.open_seats import WaitingSeat
from arena_engine.journal.journal import Journal

FILE: Final = "control.json"

LONGEST: Final = 1_000_000
"""No message over a socket has more bytes."""

LONGEST_PATH: Final = 103
"""No socket has a path of more bytes, on any system."""

HAS_SOCKETS: Final = hasattr(socket, "AF_UNIX")


@attrs.frozen(kw_only=True)
class ControlAddress:
    """Which process plays a run, on which machine, and its socket; read from the file in the directory of the run."""

    path: str
    process: int
    machine: str

    @classmethod
    def of(cls, directory: Path) -> "Self | None":
        """The address in a run's directory; ``None`` if nobody plays the run, or there is no sound file."""
        try:
            raw: Any = json.loads((directory / FILE).read_text("utf-8"))
            found = cls(path=str(raw["path"]), process=int(raw["process"]), machine=str(raw["machine"]))
        except (OSError, ValueError, LookupError, TypeError):
            return None
        return found

    def write(self, directory: Path) -> None:
        """Put the file into the run's directory, in place of a stale one; only its user may read it."""
        descriptor = os.open(directory / f".{FILE}", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(attrs.asdict(self), file)
        os.replace(directory / f".{FILE}", directory / FILE)

    @property
    def is_here(self) -> bool:
        """Whether the run is played on this machine."""
        return self.machine == socket.gethostname()


def address_for(directory: Path, run: str) -> ControlAddress:
    """A new address for a run that this process plays; ``OSError`` if there is no safe place for its socket."""
    name = sha256(f"{directory.resolve()}\n{run}".encode()).hexdigest()[:16]
    path = _folder(len(f"/{name}.sock")) / f"{name}.sock"
    with suppress(FileNotFoundError):
        path.unlink()
    return ControlAddress(path=str(path), process=os.getpid(), machine=socket.gethostname())


def remove(directory: Path, address: ControlAddress) -> None:
    """Take away the socket and the file of a run that is over, unless the file is another process's by now."""
    with suppress(OSError):
        Path(address.path).unlink(missing_ok=True)
    if ControlAddress.of(directory) == address:
        with suppress(OSError):
            (directory / FILE).unlink()


def _folder(more: int) -> Path:
    """A folder that only this user can enter: in the runtime directory, or among temporary files.

    The runtime directory is left out where a path with so many bytes ``more`` would be too long for a socket.
    """
    runtime = Path(os.environ.get("XDG_RUNTIME_DIR", "")) / "arena"
    is_fit = runtime.is_absolute() and len(os.fsencode(runtime)) + more <= LONGEST_PATH
    folder = runtime if is_fit else Path(tempfile.gettempdir()) / f"arena-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise PermissionError(f"{folder} is not a folder that this user alone can enter; remove it")
    return folder


_ARGUMENTS: Final[dict[str, dict[str, type]]] = {
    "state": {},
    "pause": {},
    "proceed": {},
    "attend": {},
    "stop": {"reason": str},
    "cancel": {"match": str},
    "mark_watched": {"matches": list},
    "unfinished_step": {"match": str},
    "leave": {"match": str, "player": int},
    "send": {"match": str, "player": int, "message": object},
}


class ControlEndpoint:
    """The socket of a run that is played in this process. Where there can be none, the run is played all the same."""

    def __init__(self, control: Control, journal: Journal) -> None:
        self._control = control
        self._journal = journal
        self._tasks: set[asyncio.Task[Any]] = set()
        self._server: asyncio.Server | None = None
        self._address: ControlAddress | None = None

    async def open(self) -> None:
        """Listen, and write into the run's directory where."""
        if not HAS_SOCKETS:
            return
        directory = self._journal.directory
        with suppress(OSError):
            self._address = address_for(directory, self._journal.header.id)
            self._server = await asyncio.start_unix_server(self._serve, self._address.path, limit=LONGEST)
            os.chmod(self._address.path, 0o600)
            self._address.write(directory)

    def close(self) -> None:
        """Listen no more; whoever is connected is told nothing more."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        if self._address is not None:
            remove(self._journal.directory, self._address)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection, one after another, until it is closed."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        is_attending = False
        try:
            while line := await reader.readline():
                answer, attends = await self._answer(line)
                is_attending = is_attending or attends
                writer.write(json.dumps(answer).encode() + b"\n")
                await writer.drain()
        except (OSError, ValueError, asyncio.CancelledError):  # a line that is too long, or the end of the run
            pass
        finally:
            self._tasks.discard(task)
            if is_attending:
                self._control.attend(is_here=False)
            writer.close()

    async def _answer(self, line: bytes) -> tuple[dict[str, JSON], bool]:
        """What to say to a request, and whether whoever made it attends the run from here on."""
        try:
            request: Any = json.loads(line)
            name = request.pop("do")
            wanted = _ARGUMENTS[name]
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return {"error": f"expected {{'do': NAME, …}} with NAME one of {', '.join(_ARGUMENTS)}"}, False
        if request.keys() != wanted.keys() or not all(isinstance(request[key], wanted[key]) for key in wanted):
            needs = ", ".join(f"{key} ({kind.__name__})" for key, kind in wanted.items())
            return {"error": f"{name!r} needs {needs or 'nothing else'}"}, False
        try:
            return {"ok": await self._done(name, request)}, name == "attend"
        except ArenaError as error:
            return {"error": str(error)}, False
        except Exception as error:  # an agent that is sent a message is a plugin
            return {"error": f"{type(error).__name__}: {error}"}, False

    async def _done(self, name: str, given: dict[str, Any]) -> Any:
        control = self._control
        match name:
            case "state":
                return attrs.asdict(control.state)
            case "unfinished_step":
                return [list(event) for event in await control.unfinished(**given)]
            case "send":
                return await control.received(**given)
            case "cancel":
                return await control.cancelled(**given)
            case "mark_watched":
                return await control.marked_watched(list(map(str, given["matches"])))
            case "leave":
                return await control.left(given["match"], Player(given["player"]))
            case _:
                return getattr(control, name)(**given)


class RemoteControl(ControlledRun):
    """Holds the run in a directory while another process plays it; each call opens a connection.

    ``ConfigError`` says why a run cannot be held: nobody plays it, another machine does, or nothing answers for
    ``timeout_s`` seconds.
    """

    def __init__(self, directory: Path, *, timeout_s: float = 10.0) -> None:
        self.directory = directory
        self.timeout_s = timeout_s

    @property
    def state(self) -> ControlState:
        raw: dict[str, Any] = self._ask("state")
        raw["waiting"] = tuple(WaitingSeat(**each) for each in raw["waiting"])
        raw["playing"] = tuple(raw["playing"])
        return ControlState(**raw)

    def pause(self) -> None:
        self._ask("pause")

    def proceed(self) -> None:
        self._ask("proceed")

    def stop(self, reason: str = "stopped from outside") -> None:
        self._ask("stop", reason=reason)

    def cancel(self, match: str) -> None:
        self._ask("cancel", match=match)

    def leave(self, match: str, player: Player) -> None:
        self._ask("leave", match=match, player=player)

    def mark_watched(self, matches: Sequence[str]) -> None:
        self._ask("mark_watched", matches=list(matches))

    def unfinished_step(self, match: str) -> tuple[Event, ...]:
        return tuple(Event.from_json(raw) for raw in self._ask("unfinished_step", match=match))

    def send(self, match: str, player: Player, message: JSON) -> JSON:
        return self._ask("send", match=match, player=player, message=message)

    @contextmanager
    def attending(self) -> Generator[None]:
        """Watch the run meanwhile, so that it waits for open seats."""
        with self._connected() as connection:
            _answer(connection, {"do": "attend"})
            yield

    def _ask(self, what: str, **arguments: JSON) -> Any:
        with self._connected() as connection:
            return _answer(connection, {"do": what, **arguments})

    @contextmanager
    def _connected(self) -> Generator[Any]:
        address = ControlAddress.of(self.directory)
        if address is None:
            raise ConfigError(f"{self.directory}: nobody plays this run, or not so that it can be reached (no {FILE})")
        if not address.is_here:
            raise ConfigError(f"{self.directory}: played on {address.machine!r}; hold it there")
        if not HAS_SOCKETS:
            raise ConfigError(f"{self.directory}: runs cannot be held from outside on this system")
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(self.timeout_s)
        try:
            connection.connect(address.path)
            with connection.makefile("rwb") as stream:
                yield stream
        except TimeoutError as error:
            raise ConfigError(f"{self.directory}: process {address.process} does not answer") from error
        except OSError as error:
            raise ConfigError(f"{self.directory}: nobody plays this run any more; resume it") from error
        finally:
            connection.close()


def _answer(stream: Any, request: dict[str, JSON]) -> Any:
    stream.write(json.dumps(request).encode() + b"\n")
    stream.flush()
    line = stream.readline()
    if not line:
        raise ConnectionResetError("the run has ended")
    answer = cast("dict[str, Any]", json.loads(line))
    if "error" in answer:
        raise ConfigError(str(answer["error"]))
    return answer["ok"]
