"""Counts the requests of each key, so that no page can keep the server busy for all others."""

import time
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from arena_web.errors import ApiError

A_SECOND: Final = 100
"""So many requests of one key are answered in a second."""


class Rates:
    """The requests of each key in the present second, at most ``most``; ``clock`` counts seconds."""

    def __init__(self, most: int = A_SECOND, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._second = 0
        self._counts: dict[bytes, int] = {}

    def count(self, key: str) -> None:
        """Count a request; an answer of 429 where there were too many in this second."""
        second = int(self._clock())
        if second != self._second:
            self._second, self._counts = second, {}
        digest = sha256(key.encode()).digest()
        self._counts[digest] = self._counts.get(digest, 0) + 1
        if self._counts[digest] > self._most:
            raise ApiError(429, "requests", f"more than {self._most} in a second", "wait a second", retry_s=1)
