"""The match so far in one line, as players of board games write it: ``e2e4 e7e5 g1f3``."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from arena.game import Game

WITH_HISTORY: Final = "short-with-history"
"""The form of games whose sides move by turns, one move each, so that a line of moves needs no names."""


def sides(game: Game, players: int) -> Sequence[str]:
    """Who moves by turns in this game, in order; nobody where a turn may have several moves."""
    return game.seats(players) if WITH_HISTORY in game.forms else ()


def move_line(events: Iterable[str], sides: Sequence[str] = ()) -> str:
    """A line of the game's own words for events, which grows at its end alone.

    A move is told as ``SEAT: words``. Where ``sides`` move by turns, one move each, beginning with the first of them,
    the names are left out; whoever moves out of turn is named.
    """
    told = [*_told(events, sides)]
    between = (_between(before, after) for before, after in pairwise(told))
    return "".join(text + end for text, end in zip(told, [*between, ""], strict=False))


def _told(events: Iterable[str], sides: Sequence[str]) -> Iterator[str]:
    numbers = {side: number for number, side in enumerate(sides)}
    due = 0
    for event in events:
        side, _, words = event.partition(": ")
        number = numbers.get(side)
        if number is None or not words:
            yield event
        else:
            yield words if number == due else event
            due = (number + 1) % len(sides)


def _between(before: str, after: str) -> str:
    """Words that hold spaces end, and begin, where a reader sees it."""
    is_apart = before.endswith((".", "!", "?")) or " " not in before + after
    return " " if is_apart else "; "
