"""Stops a run at a signal, however its plugins behave."""

import asyncio
import signal
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, Final

from arena_engine.running.context import RunContext
from arena_engine.running.control import GRACE_S
from arena_engine.running.watching import LoopWatch

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
