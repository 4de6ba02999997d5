"""Keeps values that took long to make, as many as fit into so many bytes; the one used longest ago goes first."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any


class KeptValues:
    """Values by their keys, in at most ``most`` bytes; may be used by several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held = 0
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    @property
    def held(self) -> int:
        """The bytes of all values."""
        return self._held

    def get(self, key: Hashable) -> Any:
        """The value of a key; ``None`` if there is none any more."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Keep a value of so many bytes; one that is larger than all of the room is not kept."""
        with self._lock:
            if key in self._values:
                self._held -= self._values.pop(key)[1]
            if size > self._most:
                return
            self._values[key] = value, size
            self._held += size
            while self._held > self._most:
                _, (_, freed) = self._values.popitem(last=False)
                self._held -= freed
