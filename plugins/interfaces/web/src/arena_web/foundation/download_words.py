"""The files that somebody asked for: each at a word that works once, and not for long."""

import secrets
import time
from collections.abc import Callable, Iterable
from typing import Final

import attrs

from arena_web.foundation.errors import ApiError, not_found

LASTS_S: Final = 60.0
"""So many seconds a word works, and only once."""

MOST: Final = 1_000
"""So many words are open at once."""


@attrs.frozen
class Download:
    """A file to be sent once: its name, its media type, and a function that gives its bytes."""

    name: str
    media_type: str
    content: Callable[[], Iterable[bytes]]


class Downloads:
    """The files that were asked for and not fetched yet; ``clock`` counts seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, tuple[Download, float]] = {}

    def offer(self, file: Download) -> str:
        """The word at which a file can be fetched once."""
        now = self._clock()
        self._open = {word: each for word, each in self._open.items() if each[1] > now}
        if len(self._open) >= MOST:
            raise ApiError(429, "downloads", f"more than {MOST} are waiting to be fetched", "wait", retry_s=60)
        word = secrets.token_urlsafe(32)
        self._open[word] = file, now + LASTS_S
        return word

    def take(self, word: str) -> Download:
        """A file that was asked for, which cannot be fetched again; an answer of 404 where there is none."""
        file, until = self._open.pop(word, (None, 0.0))
        if file is None or until <= self._clock():
            raise not_found("download", "this path has been used, or is too old", "press the button again")
        return file
