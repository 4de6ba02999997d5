"""The names by which addresses call matches, digests of their ids, and the match and its neighbours of a name."""

from hashlib import blake2b
from typing import Final

import attrs
from arena_engine import Journal

from arena_web.foundation.errors import not_found
from arena_web.foundation.kept_values import KeptValues

DIGITS: Final = 16
"""The number of hexadecimal digits of a match's name."""


def match_name(id_: str) -> str:
    """The name of a match by its id."""
    return blake2b(id_.encode("utf-8", "surrogatepass"), digest_size=DIGITS // 2).hexdigest()


_ROOM: Final = 100_000_000
_BYTES: Final = 250
"""About so many bytes the place of one match takes."""


@attrs.frozen
class MatchPlace:
    """A match by its id, and the names of those before and after it."""

    id: str
    previous: str | None
    next: str | None


@attrs.frozen(eq=False)
class _Index:
    ids: tuple[str, ...]
    names: tuple[str, ...]
    places: dict[str, int]


class MatchIndex:
    """The names of the matches of the runs that were looked at last."""

    def __init__(self) -> None:
        self._kept = KeptValues(_ROOM)

    def find(self, journal: Journal, name: str) -> MatchPlace:
        """The match of this name; an answer of 404 says how many there are."""
        key = (str(journal.directory), journal.header.id, journal.planned())
        index: _Index | None = self._kept.get(key)
        if index is None:
            index = _index(journal.match_ids())
            self._kept.put(key, index, _BYTES * len(index.ids))
        place = index.places.get(name)
        if place is None:
            raise not_found("match", f"this run has no match {name[:40]!r}", f"it has {len(index.ids):,} matches")
        before = index.names[place - 1] if place else None
        after = index.names[place + 1] if place + 1 < len(index.names) else None
        return MatchPlace(index.ids[place], before, after)


def _index(ids: tuple[str, ...]) -> _Index:
    names = tuple(map(match_name, ids))
    return _Index(ids, names, {name: place for place, name in enumerate(names)})
