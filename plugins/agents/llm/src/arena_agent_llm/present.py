"""What a prompt shows of the present, so that it need not be told before."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

import attrs


@attrs.frozen
class Shown:
    """The texts of what a player sees now, in every form in which its prompt shows them."""

    texts: tuple[str, ...] = ()

    def untold(self, events: Iterable[str], new: int, *, knows_old: bool = False) -> list[str]:
        """The events whose texts are not shown now; the last ``new`` of them happened since the player's last turn.

        An event is shown where its lines, or those below a heading, are lines of what is seen, one after another. A
        single line must be new, or with ``knows_old`` have happened once: of the same that happened twice one may be
        meant or the other.
        """
        events = list(events)
        if not self.texts:
            return events
        pages = [f"\n{_lines(text)}\n" for text in self.texts]
        first_new, times = len(events) - new, Counter(events) if knows_old else {}
        return [
            event
            for at, event in enumerate(events)
            if not _is_on(pages, event, is_clear=at >= first_new or (knows_old and times[event] == 1))
        ]


NOTHING: Final = Shown()
"""What a prompt shows that shows no text."""


def _is_on(pages: Iterable[str], event: str, *, is_clear: bool) -> bool:
    for lines, is_single in _bodies(event):
        if is_clear or not is_single:
            for page in pages:
                if lines in page:
                    return True
    return False


@lru_cache(maxsize=1_000)
def _bodies(event: str) -> tuple[tuple[str, bool], ...]:
    """The lines of an event, and those below a heading, between line feeds; and whether each of them is only one.

    An event is told at every turn that follows it.
    """
    heading, _, below = event.strip().partition("\n")
    bodies = [event, *([below] if below and heading.rstrip().endswith(":") else [])]
    return tuple((f"\n{lines}\n", "\n" not in lines) for body in bodies if (lines := _lines(body)))


def _lines(text: str) -> str:
    """A text without spaces at the ends of its lines and without empty lines around it."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
