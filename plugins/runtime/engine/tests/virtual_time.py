"""An event loop whose clock jumps to the next timer, so that a test of minutes takes milliseconds."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    now = 0.0

    def select(self, timeout=None):
        events = super().select(0)
        if not events and timeout is None:
            raise RuntimeError("everything waits for something that never comes")
        if not events:
            self.now += timeout
        return events


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self):
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self):
        return self._jumping.now


def play_through(main: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits for time only, not for threads or sockets."""
    with asyncio.Runner(loop_factory=_Loop) as runner:
        return runner.run(main)
