"""Limits concurrent requests, and lowers the limit while the provider is overloaded.

The limit follows AIMD (additive increase, multiplicative decrease), the rule by which TCP controls congestion.
"""

import asyncio
from collections import deque

WINDOW = 150
"""The most recent answers that decide about a decrease, at most."""
SHORTEST_WINDOW = 30
"""The same, at least: fewer answers say too little about a share of a tenth."""
ROUND_TRIPS = 2.5
"""The window between these two holds the answers of about so many round trips at the current limit."""
TOLERATED = 0.1
"""The share of a window's answers that may be rate limits or time-outs before the limit is lowered."""
DECREASE = 0.85
"""The factor by which the limit is lowered."""


class AdaptiveLimiter:
    """Lets at most ``max_concurrency`` requests run at once, first come, first served; fewer during an overload.

    The limit starts at ``max_concurrency`` and moves by AIMD. Additive increase: an answer that was no overload adds
    ``1 / limit`` while the limit is fully used, so a full round trip adds one request. Multiplicative decrease: once
    more than ``TOLERATED`` of the recent answers were rate limits or time-outs, the limit is multiplied by
    ``DECREASE``, but stays at least 1. Requests that were sent before a decrease teach nothing after it, so one
    overload lowers the limit at most once per round trip. ``adapts=False`` keeps the limit constant.
    """

    def __init__(self, max_concurrency: int, *, adapts: bool = True) -> None:
        self._max_concurrency = max_concurrency
        self._adapts = adapts
        self._limit = float(max_concurrency)
        self._running = 0
        self._decreases = 0
        self._window: deque[bool] = deque()
        self._overloads = 0
        self._queue: deque[asyncio.Future[int]] = deque()

    @property
    def limit(self) -> int:
        """How many requests may run at once at the moment."""
        return int(self._limit)

    async def acquire(self, *, is_retry: bool = False) -> int:
        """Wait until a request may run, and return its epoch: the number of decreases so far, for ``release``.

        A request with ``is_retry`` has waited before, so it goes ahead of first attempts. Otherwise the matches whose
        requests happened to fail would finish long after all others.
        """
        if self._running < int(self._limit) and not self._queue:
            self._running += 1
            return self._decreases
        turn: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        (self._queue.appendleft if is_retry else self._queue.append)(turn)
        try:
            return await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was let in and cancelled in one turn of the loop
                self._running -= 1
                self._admit_waiting()
            raise

    def release(self, epoch: int, *, was_overloaded: bool | None) -> None:
        """End a request that got ``epoch`` from ``acquire``.

        ``was_overloaded`` says whether it ended in ``BackendOverloaded``; with ``None`` the limit learns nothing.
        """
        if self._adapts and was_overloaded is not None and epoch == self._decreases:
            self._learn(was_overloaded)
        self._running -= 1
        if self._queue:
            self._admit_waiting()

    def _learn(self, was_overloaded: bool) -> None:
        # A limit that is not used up has not been tested: only answers under full load may raise it.
        if not was_overloaded and self._limit < self._max_concurrency and self._running >= int(self._limit):
            self._limit = min(float(self._max_concurrency), self._limit + 1 / self._limit)
        self._window.append(was_overloaded)
        self._overloads += was_overloaded
        size = min(WINDOW, max(SHORTEST_WINDOW, int(ROUND_TRIPS * self._limit)))
        while len(self._window) > size:
            self._overloads -= self._window.popleft()
        if self._overloads > TOLERATED * size:
            # The new epoch discards what is still in flight: those requests were sent at the old, higher limit.
            self._limit = max(1.0, self._limit * DECREASE)
            self._decreases += 1
            self._window.clear()
            self._overloads = 0

    def _admit_waiting(self) -> None:
        while self._queue and self._running < int(self._limit):
            turn = self._queue.popleft()
            if not turn.done():
                self._running += 1
                turn.set_result(self._decreases)
