"""Keeps matches that are over as they were read, since whoever looks at one asks for it again and again."""

from typing import Final

from arena.record import MatchHistory, MatchRecord
from arena_engine import Journal

from arena_web.kept_values import KeptValues

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
