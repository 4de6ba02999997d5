"""The events that a player has seen, condensed in each turn so that they fit a model's context."""

from collections.abc import Callable, Sequence

import attrs
from arena.game import Decision
from arena.record import GameEvent
from arena_agent_llm.prompts.moment import NOTHING, Shown

LEFT_OUT = "(earlier events are left out)"


@attrs.define(eq=False)
class EventHistory:
    """The events of a match in words; if there is a historian, the oldest of them are condensed into ``summary``.

    ``limit`` is the most characters that a role is shown, ``new`` how many of the events are new in this turn.
    """

    tell: Callable[[GameEvent], str]
    limit: int
    summary: str = ""
    lines: list[str] = attrs.field(factory=list)
    new: int = 0

    def update(self, decision: Decision) -> None:
        """Add the events that are new in a decision; call it once a turn."""
        told = [*filter(None, map(self.tell, decision.news))]
        self.lines, self.new = self.lines + told, len(told)

    def text(self, limit: int | None = None, shown: Shown = NOTHING) -> str:
        """The summary and the newest events after it, as many as fit into ``limit`` characters together.

        What is ``shown`` beside them is left out.
        """
        lines = shown.untold(self.lines, self.new)
        room = (self.limit if limit is None else min(limit, self.limit)) - len(self.summary)
        kept = _fitting(lines, room)
        mark = [LEFT_OUT] if kept < len(lines) else []
        return "\n".join(filter(None, [self.summary, *mark, *lines[len(lines) - kept :]]))

    def overflow(self) -> str:
        """The text to condense: empty while all events fit, else all but the newest that fill half of ``limit``."""
        if _fitting(self.lines, self.limit - len(self.summary)) == len(self.lines):
            return ""
        return "\n".join(filter(None, [self.summary, *self._old()]))

    def condense(self, summary: str) -> None:
        """Replace the events that ``overflow`` returned with ``summary``."""
        del self.lines[: len(self._old())]
        self.summary = summary

    def _old(self) -> list[str]:
        return self.lines[: len(self.lines) - _fitting(self.lines, self.limit // 2)]


def _fitting(lines: Sequence[str], room: int) -> int:
    """How many of the newest events fit into ``room`` characters."""
    for number, line in enumerate(reversed(lines)):
        room -= len(line) + 1
        if room < 0:
            return number
    return len(lines)
