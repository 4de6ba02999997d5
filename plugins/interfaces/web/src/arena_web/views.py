"""What a player or a bystander has of a match's turns: its own, and what it was told of the others'."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import attrs
from arena.turns import Turn


@attrs.frozen(kw_only=True)
class Entry:
    """A line of the list of turns: a turn, or what a view was told of what others did; before which position."""

    position: int
    turn: Turn | None = None
    told: Sequence[Mapping[str, Any]] = ()


def own_entries(all_turns: Sequence[Turn], player: int | None) -> list[Entry]:
    """A player's own turns, where nothing else is known of the match."""
    own = [turn for turn in all_turns if turn.player == player]
    return [Entry(position=0, turn=turn) for turn in own]


def entries_of_words(words: Sequence[str]) -> list[Entry]:
    """What a bystander was told on the way to each position after the first, where the game cannot be shown."""
    return [Entry(position=place, told=({"text": text},)) for place, text in enumerate(words[1:])]


def entries_of(all_turns: Sequence[Turn], timeline: Sequence[Mapping[str, Any]], player: int | None) -> list[Entry]:
    """A player's turns and what it was told between them; a bystander, who has no turns, only what it was told.

    ``timeline`` has the positions of the view. What is told right after an own turn stands with that turn.
    """
    own = {turn.step: turn for turn in all_turns if turn.player == player}
    steps = sorted(own)
    found: list[Entry] = []
    for place, position in enumerate(timeline):
        told, step = position["told"], position["step"]
        if place and told and step - 1 not in own:
            found.append(Entry(position=place - 1, told=told))
        begin = bisect_left(steps, step)
        end = bisect_left(steps, timeline[place + 1]["step"]) if place + 1 < len(timeline) else len(steps)
        found += [Entry(position=place, turn=own[at]) for at in steps[begin:end]]
    return found
