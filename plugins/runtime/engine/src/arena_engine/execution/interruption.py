"""Stops a run at a signal, however its plugins behave; a thread watches the event loop and names who blocks it."""

import asyncio
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import Event, Thread, current_thread, get_ident, main_thread
from types import FrameType
from typing import Any, Final

from arena_engine.execution.control import GRACE_S
from arena_engine.job.context import RunContext
from arena_engine.job.plugin_calls import RunningCode, frame_of, running_in
from arena_engine.job.stopping import Interrupted

TICK_S: Final = 0.1
"""How often the loop is asked whether it still turns."""

NAMED_AFTER_S: Final = 1.0
"""Seconds after which a plugin that blocks the loop is named."""

STOPPED_AFTER_S: Final = 0.5
"""Seconds that a plugin may go on blocking the loop when the run is to end."""

# Ignored by default, so that one that comes too late does no harm.
_SIGNAL: Final[signal.Signals | None] = getattr(signal, "SIGURG", None)


class LoopWatch:
    """The watching thread of one run; it must be created in the thread of the event loop, and closed there.

    ``tell`` is called in the watching thread with a sentence about each plugin that blocks the loop. Only in the main
    thread can Python interrupt what a plugin does; elsewhere it is named and nothing more.
    """

    def __init__(self, context: RunContext, tell: Callable[[str], None]) -> None:
        self._context = context
        self._tell = tell
        self._loop = asyncio.get_running_loop()
        self._thread = get_ident()
        self._closed = Event()
        self._turned = True
        self._target: RunningCode | None = None
        self._signal = _SIGNAL if self._thread == main_thread().ident else None
        if self._signal is not None:
            self._before = signal.signal(self._signal, self._interrupt)
        self._watching = Thread(target=self._watch, daemon=True, name="arena-watch")
        self._watching.start()

    def close(self) -> None:
        """End the thread; nothing is interrupted any more."""
        self._closed.set()
        self._watching.join()
        if self._signal is not None:
            signal.signal(self._signal, self._before)

    def _watch(self) -> None:
        blocked: RunningCode | None = None
        since = stopped = 0.0
        is_named = False
        while not self._closed.wait(TICK_S):
            now = time.monotonic()
            if self._context.reason is not None:
                stopped = stopped or now
            if self._turned:
                blocked = None
                self._turned = False
                try:
                    self._loop.call_soon_threadsafe(self._turn)
                except RuntimeError:  # the loop has closed
                    return
                continue
            code = self._running(frame_of(self._thread))
            if code is None or not code.is_same(blocked):
                since, is_named = now - TICK_S, False
            blocked = code
            if code is None:
                continue
            if not is_named and now - since >= NAMED_AFTER_S:
                is_named = True
                self._tell(f"{code.who} has kept the run waiting for {NAMED_AFTER_S:g} s at {code.place.text}")
            if stopped and now - stopped >= STOPPED_AFTER_S:
                self._context.tasks.cut_off[code.who] = None
                self._hit(code)
            elif not stopped and self._is_over_time(code):
                self._hit(code)

    def _turn(self) -> None:
        self._turned = True

    def _running(self, frame: FrameType | None) -> RunningCode | None:
        return running_in(self._thread, asyncio.current_task(self._loop), frame)

    def _is_over_time(self, code: RunningCode) -> bool:
        return code.player is not None and code.player.is_over_time(self._loop.time())

    def _hit(self, code: RunningCode) -> None:
        if self._signal is not None and code.place.is_innermost:
            self._target = code
            signal.pthread_kill(self._thread, self._signal)

    def _interrupt(self, _number: int, frame: FrameType | None) -> None:
        """Raise ``Interrupted``, in the thread of the loop, if the same call of the same plugin is still running."""
        target, self._target = self._target, None
        if target is None:
            return
        code = self._running(frame)
        if code is None or not code.is_same(target) or not code.place.is_innermost:
            return
        if self._context.reason is not None or self._is_over_time(code):  # the same player may be in another try
            raise Interrupted


INTERRUPTED: Final = "interrupted"


@contextmanager
def interruptible(context: RunContext, tell: Callable[[str], None]) -> Generator[None]:
    """Turn the first SIGINT or SIGTERM into a clean stop, the second into an immediate one, and watch the loop.

    ``tell`` is called in another thread with a sentence about each plugin that blocks the loop.
    """
    handle = _Signals(context, asyncio.current_task())
    before: dict[signal.Signals, Any] = {}
    if current_thread() is main_thread():
        before = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    watch = LoopWatch(context, tell)
    try:
        yield
    finally:
        watch.close()
        for number, handler in before.items():
            signal.signal(number, handler)


class _Signals:
    """What the signals of a run do."""

    def __init__(self, context: RunContext, task: "asyncio.Task[Any] | None") -> None:
        self._context = context
        self._task = task
        self._loop = asyncio.get_running_loop()
        self._first: float | None = None

    def __call__(self, _number: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._first is None:
            self._first = now
            # Set here, because a match that awaits nothing looks at it between its steps, and the loop must wait.
            self._context.reason, self._context.is_held = self._context.reason or INTERRUPTED, True
            self._loop.call_soon_threadsafe(self._context.stop, INTERRUPTED, GRACE_S)
        # A terminal tells a whole group of processes, and they tell each other, on a busy machine not at once.
        elif now - self._first > GRACE_S and self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)
