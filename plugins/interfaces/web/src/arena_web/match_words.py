"""What was told in a match, in the words that its journal keeps, for readers who do not have the game."""

from collections.abc import Mapping

from arena.record import Event, MatchHistory, canonical_json
from arena_engine import Journal, event_key, recorded_games

from arena_web.seeing import ALL, may_know


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
