"""What a player or a bystander has of a match's turns: its own, and what it was told of the others'."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any, cast

import attrs
from arena.record import MatchPlan
from arena.turns import Turn
from arena_engine import Journal, outside_agents, recorded_games


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


def is_forbidden(journal: Journal, plan: MatchPlan) -> bool:
    """Whether a match that is not over may only be seen as a bystander sees it.

    So it is where somebody outside plays in it, or in a match with the same deals that is not over, and something is
    hidden.
    """
    outside = outside_agents(journal)
    if not outside:
        return False
    known = recorded_games(journal)
    if plan.game in known and not hides(journal, plan.game):
        return False
    if outside & set(plan.agents):
        return True
    ended = journal.endings()
    same = (each for each in journal.plans() if each.block == plan.block and each.id not in ended)
    return any(outside & set(each.agents) for each in same)


def hidden_with(journal: Journal, plan: MatchPlan) -> list[str]:
    """The ids of the matches that one betrays: of those with its deals, itself among them, which may not be seen."""
    ended = journal.endings()
    same = (each for each in journal.plans() if each.block == plan.block and each.id not in ended)
    return [each.id for each in same if is_forbidden(journal, each)]


def hides(journal: Journal, game: str) -> bool:
    """Whether a game hides something from a player, as the journal says; where it does not say, it may."""
    raw = cast("Mapping[str, Any]", journal.metadata("games") or {}).get(game, {})
    return bool(cast("Mapping[str, Any]", raw.get("facts", {})).get("hidden_information", not raw))
