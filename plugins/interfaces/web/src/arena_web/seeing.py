"""Who looks at a match: everybody at once, one player, or a bystander; and which events each is told."""

from collections.abc import Mapping
from typing import Final

from arena.record import JSON, Event, MatchHistory, MatchRecord

ALL: Final = "all"
"""The view that sees everything."""

PUBLIC: Final = "public"
"""The view of a bystander."""


def has_begun(history: MatchHistory) -> bool:
    """Whether anything of a match is in the journal, which has it a moment after it begins."""
    return isinstance(history, MatchRecord) or bool(history.events)


def may_know(event: Event, view: str) -> bool:
    """Whether a view is told an event of the game; the number of a player is a view too."""
    if view == ALL or event.to is None:
        return True
    return view.isdecimal() and int(view) in event.to


def is_own(data: JSON, player: int) -> bool:
    """Whether the data of an event say that a player did it; most games name who acts ``player``."""
    return isinstance(data, Mapping) and data.get("player") == player
