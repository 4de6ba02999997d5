"""One timer for many things that are due after the same time, and most of which end before."""

import asyncio
from collections.abc import Callable


class SharedTimer:
    """Calls each function ``after_s`` seconds after it was begun, unless it is ended before; used in one event loop.

    A timer of its own for each request or match would cost more than what it watches over.
    """

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._due: dict[Callable[[], object], float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, function: Callable[[], object]) -> None:
        """Have a function called later, unless it is ended."""
        loop = asyncio.get_running_loop()
        self._due[function] = loop.time() + self._after_s
        if self._timer is None:
            self._timer = loop.call_later(self._after_s, self._call)

    def end(self, function: Callable[[], object]) -> None:
        """Forget a function, which is not called any more."""
        self._due.pop(function, None)

    def _call(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for function, due in list(self._due.items()):  # the oldest is the first
            if due > loop.time():
                self._timer = loop.call_at(due, self._call)
                break
            del self._due[function]
            function()


class TimeLimit:
    """A context in which the current task may take as long as a timer says, else ``TimeoutError`` is raised.

    It does what ``asyncio.timeout`` does.
    """

    def __init__(self, timer: SharedTimer) -> None:
        self._timer = timer
        self._is_over = False

    def __enter__(self) -> None:
        task = asyncio.current_task()
        assert task is not None  # only a task can be cancelled
        self._task = task
        self._cancelling = task.cancelling()
        self._timer.begin(self._cancel)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._timer.end(self._cancel)
        if self._is_over and self._task.uncancel() <= self._cancelling and kind is asyncio.CancelledError:
            raise TimeoutError from error

    def _cancel(self) -> None:
        self._is_over = True
        self._task.cancel()
