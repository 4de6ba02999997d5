"""The events that a player has seen, condensed in each turn so that they fit a model's context."""

from collections.abc import Callable

import attrs
from arena.game import Decision
from arena.record import GameEvent

LEFT_OUT = "(earlier events are left out)"


@attrs.define(eq=False)
class EventHistory:
    """The events of a match in words; if there is a historian, the oldest of them are condensed into ``summary``.

    ``limit`` is the most characters that a role is shown.
    """

    tell: Callable[[GameEvent], str]
    limit: int
    summary: str = ""
    lines: list[str] = attrs.field(factory=list)

    def update(self, decision: Decision) -> None:
        """Add the events that are new in a decision; call it once a turn."""
        self.lines += filter(None, map(self.tell, decision.news))

    def text(self, limit: int | None = None) -> str:
        """The summary and the newest events after it, as many as fit into ``limit`` characters together."""
        kept = self._kept(self.limit if limit is None else min(limit, self.limit))
        mark = [LEFT_OUT] if kept < len(self.lines) else []
        return "\n".join(filter(None, [self.summary, *mark, *self.lines[len(self.lines) - kept :]]))

    def overflow(self) -> str:
        """The text to condense: empty while all events fit, else all but the newest that fill half of ``limit``."""
        if self._kept(self.limit) == len(self.lines):
            return ""
        return "\n".join(filter(None, [self.summary, *self._old()]))

    def condense(self, summary: str) -> None:
        """Replace the events that ``overflow`` returned with ``summary``."""
        del self.lines[: len(self._old())]
        self.summary = summary

    def _old(self) -> list[str]:
        return self.lines[: len(self.lines) - self._fitting(self.limit // 2)]

    def _kept(self, limit: int) -> int:
        return self._fitting(limit - len(self.summary))

    def _fitting(self, room: int) -> int:
        """How many of the newest events fit into ``room`` characters."""
        for number, line in enumerate(reversed(self.lines)):
            room -= len(line) + 1
            if room < 0:
                return number
        return len(self.lines)
