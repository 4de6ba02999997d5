"""The handle on a run that another process of this user plays on this machine."""

import json
import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from arena.errors import ConfigError
from arena.record import JSON, Event, Player

from arena_engine.running.control import ControlledRun, ControlState
from arena_engine.running.control_socket import FILE, HAS_SOCKETS, ControlAddress
from arena_engine.running.open_seats import WaitingSeat


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
