"""The places of a run's concurrent matches, which a match gives back while it waits for somebody outside."""

from asyncio import Future, get_running_loop
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager


class Places:
    """So many matches are played at once as there are places; ``changed`` is called when one becomes free.

    A match that comes back takes the next place that becomes free, before any new match. ``free`` may be negative:
    matches that are cut off while they wait come back at once, to end.
    """

    def __init__(self, size: int, changed: Callable[[], None]) -> None:
        self.free = size
        self.size = size
        self.returning: deque[Future[None]] = deque()
        self._changed = changed

    @property
    def is_idle(self) -> bool:
        """Whether no match has a place."""
        return self.free == self.size

    def take(self) -> bool:
        """Take a place for a match that begins; false if none is free."""
        if self.free <= 0:
            return False
        self.free -= 1
        return True

    def give(self) -> None:
        """Give a place back: to a match that comes back from waiting, if there is one."""
        while self.returning and self.free >= 0:
            back = self.returning.popleft()
            if not back.done():
                back.set_result(None)
                return
        self.free += 1
        self._changed()

    @asynccontextmanager
    async def given_back(self) -> AsyncGenerator[None]:
        """Let others have this match's place, and take one again afterwards."""
        self.give()
        try:
            yield
        except BaseException:
            self.free -= 1
            raise
        if self.take():
            return
        back = get_running_loop().create_future()
        self.returning.append(back)
        try:
            await back
        except BaseException:
            if back.cancelled():  # no place came; one that did is this match's already
                self.free -= 1
            raise
