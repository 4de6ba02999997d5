"""The time limit of one try, which does not count the time that requests wait in Arena's own queues."""

import asyncio


class Deadline:
    """A time-out that can be moved while an agent waits for something that it cannot influence."""

    def __init__(self, timeout: asyncio.Timeout) -> None:
        self._timeout = timeout

    def extend(self, seconds: float) -> None:
        """Move the deadline by ``seconds``, which may be negative, unless it has passed."""
        when = self._timeout.when()
        if when is not None and not self._timeout.expired():
            self._timeout.reschedule(when + seconds)

    def is_over(self, now: float) -> bool:
        """Whether the deadline lay before ``now``, by the clock of the event loop."""
        when = self._timeout.when()
        return when is not None and now > when
