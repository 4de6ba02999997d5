"""The match so far in one line, as players of board games write it: ``e2e4 e7e5 g1f3``."""

from collections.abc import Iterable, Sequence


class MoveLine:
    """A line that grows at its end alone, made of the game's own words for events.

    A move is told as ``SEAT: words``; the names of the ``seats`` are left out while they move in turn. All other events
    are told as they are.
    """

    def __init__(self, seats: Sequence[str]) -> None:
        self._numbers = {seat: number for number, seat in enumerate(seats)}
        self._last: int | None = None
        self._said: list[str] = []

    def add(self, events: Iterable[str]) -> None:
        """Add what has happened, in the game's words."""
        self._said += map(self._told, events)

    def line(self, first: int = 0) -> str:
        """All of it, or what was told from the ``first`` event on."""
        return " ".join(self._said[first:]).rstrip(";")

    def _told(self, event: str) -> str:
        seat, _, words = event.partition(": ")
        number = self._numbers.get(seat)
        if number is None or not words:
            return _closed(event)
        is_in_turn = self._last is None or number == (self._last + 1) % len(self._numbers)
        self._last = number
        return _closed(words if is_in_turn else event)


def _closed(text: str) -> str:
    """Words that hold spaces end where a reader sees it."""
    return f"{text};" if " " in text and text[-1] not in ".!?" else text
