"""Lets readers see matches that last: one timer for all matches in play, most of which are over before it ends."""

import asyncio
from collections.abc import Callable


class Showing:
    """The matches that nobody sees yet, each by the function that shows it, which is called after ``after_s``."""

    def __init__(self, after_s: float) -> None:
        self._after_s = after_s
        self._due: dict[Callable[[], None], float] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, show: Callable[[], None]) -> None:
        """Have a match shown later, unless it ends before."""
        loop = asyncio.get_running_loop()
        self._due[show] = loop.time() + self._after_s
        if self._timer is None:
            self._timer = loop.call_later(self._after_s, self._show)

    def end(self, show: Callable[[], None]) -> None:
        """Forget a match that is over."""
        self._due.pop(show, None)

    def _show(self) -> None:
        loop = asyncio.get_running_loop()
        self._timer = None
        for show, due in list(self._due.items()):  # the oldest is the first
            if due > loop.time():
                self._timer = loop.call_at(due, self._show)
                break
            del self._due[show]
            show()
