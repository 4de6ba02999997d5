"""In which page each seat is played: one at a time, the one that took it last."""

import secrets

from arena_web.errors import ApiError


class SeatTabs:
    """The word of the page that has each seat; programs, which send none, are never turned away."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def take(self, seat: str) -> str:
        """A new word for a page, which ends the one before."""
        self._words[seat] = secrets.token_urlsafe(8)
        return self._words[seat]

    def check(self, seat: str, word: str) -> None:
        """An answer of 409 where another page has taken the seat; a word from before this server began is good."""
        if word and self._words.setdefault(seat, word) != word:
            raise ApiError(409, "place", "this seat is played in another tab", "go on there, or load this page again")
