"""Keeps what took long to read or make, as much as fits into so many bytes; the one used longest ago goes first."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from hashlib import sha256
from threading import Lock
from typing import Any, Final

from arena.record import MatchHistory, MatchRecord
from arena_engine import Journal


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


ROOM: Final = 100_000_000
"""About so many bytes of matches are kept."""

_EVENT: Final = 500
"""About so many bytes an event takes besides its texts."""


class Histories:
    """The matches that were looked at last; may be used by several threads."""

    def __init__(self, most: int = ROOM) -> None:
        self._kept = KeptValues(most)

    def of(self, journal: Journal, match: str) -> MatchHistory | None:
        """What happened in a match of an open journal, as it is now; ``None`` if it is not in the plan."""
        key = (str(journal.directory), journal.header.id, match, journal.mark_of(match))
        found: MatchHistory | None = self._kept.get(key)
        if found is None:
            found = journal.history_of(match)
            if isinstance(found, MatchRecord):  # others grow
                size = sum(_EVENT + 2 * len(str(event.data)) for event in found.events)
                self._kept.put(key, found, size)
        return found


FIRST: Final = 20_000
"""So many characters of a text are sent at once."""

_ROOM: Final = 40_000_000
"""So many characters of long texts are remembered."""


class LongTexts:
    """The long texts that were sent in part, by match and digest; others are looked for again."""

    def __init__(self) -> None:
        self._kept = KeptValues(_ROOM)

    def cut(self, where: Hashable, text: str) -> dict[str, Any]:
        """A text as it is sent: its first part, its length and its digest."""
        digest = digest_of(text)
        if len(text) > FIRST:
            self._kept.put((where, digest), text, len(text))
        return {"text": text[:FIRST], "length": len(text), "digest": digest}

    def get(self, where: Hashable, digest: str, search: Callable[[], Iterator[str]]) -> str | None:
        """The text of a match with this digest; ``search`` gives all of the match's texts, if it is not remembered."""
        found = self._kept.get((where, digest))
        if found is None:
            found = next((text for text in search() if digest_of(text) == digest), None)
            if found is not None:
                self._kept.put((where, digest), found, len(found))
        return found


def digest_of(text: str) -> str:
    """The digest of a text."""
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
