"""Lets other processes of the same user hold a run: answers one JSON object a line over a socket.

A request is ``{"do": NAME, …}`` with the arguments of the method of ``Control`` that it names, an answer is
``{"ok": VALUE}`` or ``{"error": SENTENCE}``. ``attend`` holds as long as its connection is open.
"""

import asyncio
import json
import os
from contextlib import suppress
from typing import Any, Final

import attrs
from arena.errors import ArenaError
from arena.record import JSON, Player

from arena_engine.journal.journal import Journal
from arena_engine.running.control import Control
from arena_engine.running.control_socket import HAS_SOCKETS, LONGEST, ControlAddress, address_for, remove

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
