"""A command's side of its guard: tells it what runs here, and ends with it."""

import os
import signal
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from types import FrameType
from typing import Any, Final, NoReturn

_DIE_WITH_PARENT: Final = 1
"""``PR_SET_PDEATHSIG`` of Linux."""

SAME_S: Final = 1.0
"""A terminal tells the guard and the command, and the guard hands it on: within so many seconds that is one Ctrl-C.

Much longer than the guard's own, which ends the command by itself when a second one comes.
"""


ENDED: Final = b'{"ended": true}\n'
"""What a command tells last."""


class Guarded:
    """The connection to the guard. ``vanished`` are entry points that ended the process when they were imported."""

    def __init__(self, channel: int, lifeline: int, vanished: tuple[Mapping[str, Any], ...] = ()) -> None:
        self.vanished = vanished
        self._channel = channel
        self._process = os.getpid()
        self._interrupted = 0.0
        _end_with_parent(lifeline)
        self._dump_where_it_runs()
        self._leave = os._exit
        os._exit = self._exit
        signal.signal(signal.SIGINT, self._interrupt)

    def end(self) -> None:
        """Tell the guard that the command has come to its end, whatever its exit code.

        What is left for the interpreter is cut short by the guard alone: an interrupt here would only be a traceback.
        """
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with suppress(OSError):  # the guard is gone
            os.write(self._channel, ENDED)

    def tell(self, **facts: Any) -> None:
        """Tell the guard something that it needs to know if this process vanishes; never waits."""
        import json

        with suppress(OSError):  # the guard is gone, or has been told too much
            os.write(self._channel, json.dumps(facts).encode() + b"\n")

    def _dump_where_it_runs(self) -> None:
        """Let a crash, and the guard's question, write all stacks to the guard, even while C code holds the lock."""
        import faulthandler

        if not faulthandler.is_enabled():
            faulthandler.enable(file=self._channel)
        # The guard may ask when the interpreter that would answer has ended.
        signal.signal(signal.SIGVTALRM, signal.SIG_IGN)
        faulthandler.register(signal.SIGVTALRM, file=self._channel, all_threads=True)

    def _exit(self, status: int) -> NoReturn:
        if os.getpid() == self._process:  # a forked process of a plugin ends as it likes
            with suppress(Exception):  # whatever cannot be found out, the process ends
                from arena_cli.process.culprit import culprit

                self.tell(exit={"code": status, **culprit(sys._getframe(1))})  # pyright: ignore[reportPrivateUsage]
        self._leave(status)

    def _interrupt(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if now - self._interrupted > SAME_S:
            self._interrupted = now
            raise KeyboardInterrupt


def _end_with_parent(lifeline: int) -> None:
    """Let the system end this process when its parent has ended: on Linux by a signal, elsewhere by a thread."""
    if sys.platform == "linux":
        import ctypes

        os.close(lifeline)
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        return
    from threading import Thread

    Thread(target=wait_for_end, args=(lifeline,), daemon=True, name="arena-guard").start()


def wait_for_end(lifeline: int) -> None:
    """Wait until whoever holds the other end of a pipe has ended, then end this process."""
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGKILL)


here: Guarded | None = None
"""The connection of this process to its guard, if it has one."""
