"""Keeps Python's garbage collector from what does not change while matches are played."""

import gc
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from typing import Final

THRESHOLD: Final = 20_000
"""How many objects are made between two looks; a match of agents that answer at once makes some hundreds."""


@contextmanager
def collecting_less() -> Generator[None]:
    """Leave what is loaded out of garbage collections while the body runs, and collect less often.

    Runs may overlap in several threads: the last one that ends restores what the first one found.
    """
    _PLAYING.begin()
    try:
        yield
    finally:
        _PLAYING.end()


class _Playing:
    """How many bodies run, and how the collector was set before the first of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._count = 0
        self._before = (0, 0, 0)
        self._is_ours = False

    def begin(self) -> None:
        with self._lock:
            self._count += 1
            if self._count > 1:
                return
            self._before = gc.get_threshold()
            self._is_ours = gc.get_freeze_count() == 0
            if self._is_ours:
                gc.freeze()
            if 0 < self._before[0] < THRESHOLD:
                gc.set_threshold(THRESHOLD, *self._before[1:])

    def end(self) -> None:
        with self._lock:
            self._count -= 1
            if self._count:
                return
            gc.set_threshold(*self._before)
            if self._is_ours:
                gc.unfreeze()


_PLAYING: Final = _Playing()
