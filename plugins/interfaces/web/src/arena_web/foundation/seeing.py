"""Who looks at a match, what of its turns they have, and in which words they are told what happened."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from arena.record import JSON, Event, MatchHistory, MatchRecord, canonical_json
from arena.turns import Turn
from arena_engine import Journal, event_key, recorded_games

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


def told_without_game(journal: Journal, history: MatchHistory, view: str) -> list[str]:
    """What a view was told before each step and at the end; a bystander or player only of what it may know."""
    known = recorded_games(journal).get(history.game)
    words: Mapping[str, str] = {} if known is None else known.words

    def told(event: Event) -> str:
        return words.get(event_key(event.kind, event.data), f"{event.kind}: {canonical_json(event.data)}")

    by_step: list[list[str]] = [[] for _ in range(history.steps + 1)]
    for event in history.events:
        if event.source == "game" and may_know(event, view):
            by_step[event.step].append(told(event))
    lines = ["\n".join(each) for each in by_step]
    return lines if view == ALL else [line for place, line in enumerate(lines) if line or not place]


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
