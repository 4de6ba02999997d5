"""How many requests a backend gets at once: a number that finds its way to what the provider bears."""

import asyncio
from collections import deque

WINDOW = 150
"""Answers that are looked back upon, at most."""
SHORTEST_WINDOW = 30
ROUND_TRIPS = 2.5
"""As many answers are looked back upon as come in so many round trips."""
TOLERATED = 0.1
"""The share of them that may be rate limits or time-outs."""
DECREASE = 0.85


class Gate:
    """Lets ``bound`` requests in at once, in the order they came, or fewer where the provider is overloaded.

    Each round trip of a full gate adds one request. Once more than ``TOLERATED`` of the recent answers were rate limits
    or time-outs the number is cut; answers to requests that were let in before the cut count for nothing, so that it is
    cut at most once per round trip.
    """

    def __init__(self, bound: int, *, adapts: bool = True) -> None:
        self._bound = bound
        self._adapts = adapts
        self._limit = float(bound)
        self._inside = 0
        self._cuts = 0
        self._window: deque[bool] = deque()
        self._overloads = 0
        self._queue: deque[asyncio.Future[int]] = deque()

    @property
    def limit(self) -> int:
        """How many may be inside now."""
        return int(self._limit)

    async def enter(self, *, is_again: bool = False) -> int:
        """Wait for a place; the ticket that is returned is handed in on leaving.

        Who ``is_again`` here, because its first request failed, has waited already and goes before the others: matches
        that had bad luck would otherwise be the last ones of a run.
        """
        if self._inside < int(self._limit) and not self._queue:
            self._inside += 1
            return self._cuts
        place: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        (self._queue.appendleft if is_again else self._queue.append)(place)
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it was let in and cancelled in one turn of the loop
                self._inside -= 1
                self._let_in()
            raise

    def leave(self, ticket: int, *, is_overload: bool | None) -> None:
        """Free the place. ``is_overload`` says whether the answer was a rate limit or a time-out, ``None`` nothing."""
        if self._adapts and is_overload is not None and ticket == self._cuts:
            self._learn(is_overload)
        self._inside -= 1
        if self._queue:
            self._let_in()

    def _learn(self, is_overload: bool) -> None:
        if not is_overload and self._limit < self._bound and self._inside >= int(self._limit):
            self._limit = min(float(self._bound), self._limit + 1 / self._limit)
        self._window.append(is_overload)
        self._overloads += is_overload
        size = min(WINDOW, max(SHORTEST_WINDOW, int(ROUND_TRIPS * self._limit)))
        while len(self._window) > size:
            self._overloads -= self._window.popleft()
        if self._overloads > TOLERATED * size:
            self._limit = max(1.0, self._limit * DECREASE)
            self._cuts += 1
            self._window.clear()
            self._overloads = 0

    def _let_in(self) -> None:
        while self._queue and self._inside < int(self._limit):
            place = self._queue.popleft()
            if not place.done():
                self._inside += 1
                place.set_result(self._cuts)
