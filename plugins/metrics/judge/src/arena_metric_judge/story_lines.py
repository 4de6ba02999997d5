"""The lines of a match's story: events in the words of the game, actions with what players said to themselves."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from arena.game import Game
from arena.record import Event, GameEvent, MatchRecord, Player, canonical_json

from arena_metric_judge.rubric import Rubric

LEFT_OUT: Final = "(earlier events are left out)"


@attrs.frozen(kw_only=True)
class StoryLine:
    """One event or one action; ``player`` and ``turn`` are set for actions that an agent chose itself.

    ``event`` is the place of the event in the record.
    """

    text: str
    step: int
    event: int = 0
    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None


def story_lines(record: MatchRecord, game: Game, rubric: Rubric) -> tuple[StoryLine, ...]:
    """Tell all events and actions of a match, from the spectator's view."""
    told = ((place, _line(event, game, record.seats, rubric)) for place, event in enumerate(record.events))
    return tuple(attrs.evolve(line, event=place) for place, line in told if line)


def shortened(lines: Sequence[tuple[str, bool]], limit: int) -> str:
    """The newest lines that fit into ``limit`` characters; those that must stay are all there and do not count."""
    for number, (text, stays) in enumerate(reversed(lines)):
        limit -= 0 if stays else len(text) + 1
        if limit < 0 and not stays:
            newer = len(lines) - number
            kept = [text for place, (text, stays) in enumerate(lines) if stays or place >= newer]
            return "\n".join([LEFT_OUT, *kept])
    return "\n".join(text for text, _ in lines)


def _line(event: Event, game: Game, seats: Sequence[str], rubric: Rubric) -> StoryLine | None:
    if event.source == "game":
        told = game.describe_event(GameEvent(event.kind, event.data, event.to), None)
        if not told and rubric.rounds is not None and event.kind in rubric.rounds.told:
            told = f"{event.kind}: {canonical_json(event.data)}"
        return StoryLine(text=f"{told}{_audience(event, seats)}", step=event.step) if told else None
    if event.kind != "played" or event.player is None or not isinstance(event.data, Mapping):
        return None
    data: Mapping[str, Any] = event.data
    who, done = seats[event.player], data.get("label") or canonical_json(data["action"])
    if data["by"] != "agent":
        return StoryLine(text=f"{who} chose nothing; put in for it ({data['by']}): {done}", step=event.step)
    thought = data.get("reasoning") if rubric.reasoning else None
    note = data.get("note")
    note = note if isinstance(note, Mapping) else {}
    return StoryLine(
        text=f"{who} plays: {done}" + (f"\n  ({who} to itself: {canonical_json(thought)})" if thought else ""),
        step=event.step,
        player=event.player,
        turn=int(data["turn"]),
        role=note.get("role"),
        persona=note.get("persona"),
    )


def _audience(event: Event, seats: Sequence[str]) -> str:
    if event.to is None:
        return ""
    return f" (seen by {', '.join(seats[p] for p in event.to)} alone)" if event.to else " (seen by nobody)"


def ordered(lines: Sequence[StoryLine], order: Sequence[int]) -> list[StoryLine]:
    """The lines with the actions of each step sorted by the order of the players; other lines stay in place."""
    found: list[StoryLine] = []
    run: list[StoryLine] = []
    for line in lines:
        if line.player is None or (run and run[0].step != line.step):
            found += sorted(run, key=lambda a: order.index(a.player or 0))
            run = []
        if line.player is None:
            found.append(line)
        else:
            run.append(line)
    return found + sorted(run, key=lambda a: order.index(a.player or 0))
