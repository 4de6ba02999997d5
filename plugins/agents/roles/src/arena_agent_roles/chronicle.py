"""What a player has seen, refined in each turn so that it fits into what a model can read."""

from collections.abc import Callable

import attrs
from arena.game import Decision
from arena.record import GameEvent

LEFT_OUT = "(earlier events are left out)"


@attrs.define(eq=False)
class Chronicle:
    """The events of a match in words, the oldest of them condensed into ``summary`` where a historian is at work.

    ``limit`` is how many characters a role is shown at most.
    """

    tell: Callable[[GameEvent], str]
    limit: int
    summary: str = ""
    lines: list[str] = attrs.field(factory=list)

    def hear(self, decision: Decision) -> None:
        """Take in what is new; once a turn."""
        self.lines += filter(None, map(self.tell, decision.news))

    def text(self, limit: int | None = None) -> str:
        """The summary, and of the events after it the newest that fit into ``limit`` characters with it."""
        kept = self._kept(self.limit if limit is None else min(limit, self.limit))
        mark = [LEFT_OUT] if kept < len(self.lines) else []
        return "\n".join(filter(None, [self.summary, *mark, *self.lines[len(self.lines) - kept :]]))

    def overflow(self) -> str:
        """What is to be condensed: nothing while everything fits, else all but the newest events that fill a half."""
        if self._kept(self.limit) == len(self.lines):
            return ""
        return "\n".join(filter(None, [self.summary, *self._old()]))

    def condense(self, summary: str) -> None:
        """Put ``summary`` in the place of what ``overflow`` gave."""
        del self.lines[: len(self._old())]
        self.summary = summary

    def _old(self) -> list[str]:
        return self.lines[: len(self.lines) - self._fitting(self.limit // 2)]

    def _kept(self, limit: int) -> int:
        return self._fitting(limit - len(self.summary))

    def _fitting(self, room: int) -> int:
        """How many of the newest events fit into so many characters."""
        for number, line in enumerate(reversed(self.lines)):
            room -= len(line) + 1
            if room < 0:
                return number
        return len(self.lines)
