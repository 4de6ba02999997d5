"""Observes an import for side effects: network, writes, programs, threads, output, seeding, and its duration."""

import contextlib
import io
import os
import random
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Final, Self

from arena_devkit.review.findings import Finding

_RULES: Final[Mapping[str, str]] = {
    "socket.connect": "network",
    "socket.getaddrinfo": "network",
    "socket.gethostbyname": "network",
    "os.mkdir": "writes",
    "os.rename": "writes",
    "os.remove": "writes",
    "os.rmdir": "writes",
    "os.truncate": "writes",
    "shutil.copyfile": "writes",
    "shutil.rmtree": "writes",
    "sqlite3.connect": "writes",
    "subprocess.Popen": "program",
    "os.system": "program",
    "os.exec": "program",
    "os.posix_spawn": "program",
    "os.fork": "program",
}
"""Python's audit events and the rules they break."""

_WRITING: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_DOINGS: Final = {
    "network": "reaches out to the network",
    "writes": "writes to the disk",
    "program": "starts a program",
}


class Watch:
    """Records the side effects of the block it is entered for.

    Afterwards ``seconds`` is how long the block took, ``modules`` what it imported and ``error`` the exception it
    raised; exceptions do not leave the block.
    """

    _current: "Watch | None" = None
    _is_hooked = False

    def __init__(self) -> None:
        self.seconds = 0.0
        self.modules: frozenset[str] = frozenset()
        self.error: BaseException | None = None
        self._seen: dict[str, str] = {}
        self._printed = io.StringIO()
        self._printing = contextlib.redirect_stdout(self._printed)

    def __enter__(self) -> Self:
        if not Watch._is_hooked:
            sys.addaudithook(_on_audit_event)  # Python cannot remove an audit hook, so all watches share one
            Watch._is_hooked = True
        self._before = frozenset(sys.modules)
        self._threads = set(threading.enumerate())
        self._randomness = random.getstate()
        self._seeded, self._seed = False, random.seed
        random.seed = self._note_seed
        self._printing.__enter__()
        self._began = time.perf_counter()
        Watch._current = self
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        Watch._current = None
        self.seconds = time.perf_counter() - self._began
        self._printing.__exit__(kind, error, trace)
        random.seed = self._seed
        self.modules = frozenset(sys.modules) - self._before
        self._randomness_after = random.getstate()
        self.error = error
        return error is not None and not isinstance(error, KeyboardInterrupt)

    def findings(self, what: str, *, is_heavy: bool = False) -> Iterator[Finding]:
        """The side effects that importing ``what`` should not have had.

        ``is_heavy`` is for imports that bring libraries along: those may start programs and threads and write files,
        which are warnings only, and may draw random numbers, so that only seeding is a fault.
        """
        minor = frozenset({"program", "threads", "writes"}) if is_heavy else frozenset[str]()
        for rule, seen in self._seen.items():
            yield Finding.of(rule, f"importing {what} {_DOINGS[rule]}: {seen}", is_warning=rule in minor)
        if self._printed.getvalue():
            yield Finding.of("output", f"importing {what} prints {self._printed.getvalue()[:80]!r}")
        if self._seeded or (self._randomness_after != self._randomness and not is_heavy):
            doing = "seeds" if self._seeded else "draws from"
            yield Finding.of("global-luck", f"importing {what} {doing} the generator of the module 'random'")
        if started := [t.name for t in threading.enumerate() if t not in self._threads]:
            reason = f"importing {what} starts the thread {started[0]!r}"
            yield Finding.of("threads", reason, is_warning="threads" in minor)

    def _note_seed(self, *arguments: Any, **more: Any) -> None:
        self._seeded = True
        self._seed(*arguments, **more)

    def on_audit_event(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note an event that breaks a rule; only the first of each rule is kept."""
        rule = _RULES.get(event)
        if event == "open" and _is_writing(*arguments[:3]):
            rule = "writes"
        if rule == "writes" and any("__pycache__" in str(argument) for argument in arguments[:2]):
            return  # Python and compilers cache bytecode there
        if rule is not None and rule not in self._seen:
            self._seen[rule] = f"{event} {', '.join(map(repr, arguments[:2]))}"[:200]


def _on_audit_event(event: str, arguments: tuple[Any, ...]) -> None:
    if Watch._current is not None:  # pyright: ignore[reportPrivateUsage]
        Watch._current.on_audit_event(event, arguments)  # pyright: ignore[reportPrivateUsage]


def _is_writing(path: Any, mode: Any, flags: Any) -> bool:
    if not isinstance(path, str | bytes | os.PathLike) or os.fspath(path) in ("/dev/null", b"/dev/null"):  # pyright: ignore[reportUnknownArgumentType]
        return False
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & _WRITING)
