"""The small process that a command runs under: it ends what does not end, and says who was running when it vanished.

The guard is the parent. It imports nothing of Arena, hands on signals and the exit code, and shares its terminal with
the command. Where Python cannot fork (on Windows), commands run without one.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NoReturn

from arena_cli.process import guard_link
from arena_cli.process.guard_link import ENDED, Guarded

if TYPE_CHECKING:
    from arena_cli.process.command_end import CommandEnd

LOOK_S: Final = 1.55
"""Seconds after a signal at which a command that has not ended is asked what it does."""

KILL_S: Final = 1.7
"""Seconds after a signal at which it is ended."""

SAME_S: Final = 0.3
"""Signals within so many seconds are one, since some programs send theirs to a process and to its group."""

FAILED: Final = 1
STOPPED: Final = 3

_STOP: Final = (signal.SIGINT, signal.SIGTERM)
_HANDED_ON: Final = [
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
]
_COMPLETION: Final = "_ARENA_COMPLETE"
_AGAIN: Final = "list-plugins"
_TIMES: Final = 20


def start() -> None:
    """Go on in a child of this process, which then watches it and never returns from here.

    Nothing is done where Python cannot fork, in a process with other threads, and for a shell that asks for
    completions.
    """
    threads = len(sys._current_frames())  # pyright: ignore[reportPrivateUsage]
    if not hasattr(os, "fork") or threads > 1 or _COMPLETION in os.environ:
        return
    vanished: list[dict[str, Any]] = []
    while True:
        reader, writer = os.pipe()
        lifeline, held = os.pipe()
        for end in (reader, writer):
            os.set_blocking(end, False)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _HANDED_ON)
        child = os.fork()
        if child == 0:
            os.close(reader)
            os.close(held)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            guard_link.here = Guarded(writer, lifeline, tuple(vanished))
            return
        os.close(writer)
        os.close(lifeline)
        watch = _Watch(child, reader, before)
        status = watch.wait()
        os.close(held)
        told = watch.read()
        if status >= 0 and ENDED in told and not watch.is_killed:
            os._exit(max(status, FAILED) if vanished else status)
        from arena_cli.process.command_end import CommandEnd

        end = CommandEnd.of(told)
        if end.is_import and _AGAIN in sys.argv[1:] and len(vanished) < _TIMES:
            vanished.append(end.exit)
            continue
        _leave(watch, end, status)


class _Watch:
    """One child, and what is to be done about it."""

    def __init__(self, child: int, reader: int, before: set[int | signal.Signals]) -> None:
        self.child = child
        self.is_stopped = False
        self.is_killed = False
        self.is_at_once = False
        self._first = 0.0
        self._reader = reader
        self._terminal = _terminal()
        for number in _HANDED_ON:
            if signal.getsignal(number) is not signal.SIG_IGN or number in _STOP:
                signal.signal(number, self._hand_on)
        signal.signal(signal.SIGALRM, self._time_is_over)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def wait(self) -> int:
        """Wait for the child's end; returns its exit code, or the negative number of the signal that ended it."""
        status = os.waitpid(self.child, 0)[1]
        signal.setitimer(signal.ITIMER_REAL, 0)
        if status & 0x7F:
            _restore(self._terminal)
        return os.waitstatus_to_exitcode(status)

    def read(self) -> bytes:
        """All that the child has told; it is small enough to wait in the pipe."""
        told = b""
        try:
            while more := os.read(self._reader, 65_536):
                told += more
        except BlockingIOError:  # a process that the child has left behind holds the other end
            pass
        os.close(self._reader)
        return told

    def _hand_on(self, number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if number in _STOP and self.is_stopped and now - self._first > SAME_S:
            self.is_at_once = True
            self._kill()
            return
        self._send(number)
        if number in _STOP and not self.is_stopped:
            self.is_stopped, self._first = True, now
            signal.setitimer(signal.ITIMER_REAL, LOOK_S)

    def _time_is_over(self, _number: int, _frame: FrameType | None) -> None:
        if time.monotonic() - self._first < KILL_S - 0.01:
            self._send(signal.SIGVTALRM)
            signal.setitimer(signal.ITIMER_REAL, KILL_S - LOOK_S)
        else:
            self._kill()

    def _kill(self) -> None:
        self.is_killed = True
        self._send(signal.SIGKILL)

    def _send(self, number: int) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.child, number)


def _leave(watch: _Watch, end: "CommandEnd", status: int) -> NoReturn:
    """Say why a command has ended that has not said it itself, and end with its exit code."""
    if watch.is_killed:
        said, code = end.killed(is_at_once=watch.is_at_once), STOPPED
    elif status < 0 and watch.is_stopped and -status in _STOP:
        said, code = "interrupted", STOPPED
    elif status < 0 and -status in _HANDED_ON:
        signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
        raise SystemExit(FAILED)
    else:
        said, code = end.vanished(status), FAILED
    _write(2, f"arena: {said}\n")
    if end.directory:
        _write(1, f"{end.directory}\n")
    os._exit(code)


def _write(stream: int, text: str) -> None:
    with suppress(OSError):  # nobody reads it any more
        os.write(stream, text.encode(errors="backslashreplace"))


def _terminal() -> Any:
    """How the terminal is set, so that it can be set so again if the command is ended while it draws or reads."""
    if not sys.stdin.isatty():
        return None
    import termios

    return termios.tcgetattr(0)


def _restore(settings: Any) -> None:
    if settings is not None:
        import termios

        termios.tcsetattr(0, termios.TCSANOW, settings)
    if sys.stderr.isatty():
        _write(2, "\x1b[?25h\n")  # a bar that is drawn hides the cursor
