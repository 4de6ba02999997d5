"""The lines of a match's story: events in the words of the game, actions with what players said to themselves."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
from arena.game import Game
from arena.record import Event, GameEvent, MatchRecord, Player, canonical_json, visible

from arena_metric_judge.rubric import Rubric
from arena_metric_judge.thinking import Thinking


@attrs.frozen(kw_only=True)
class StoryLine:
    """One event or one action; ``player`` and ``turn`` are set for actions that an agent chose itself.

    ``event`` is the place of the event in the record, and ``owner`` the player who acted or thought. ``brief`` is the
    text without the answer of a look-up, empty where there is none; ``is_brief`` says that it stands in its place.
    """

    text: str
    step: int
    event: int = 0
    owner: Player | None = None
    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None
    brief: str = ""
    is_brief: bool = False

    def marked(self, labels: Sequence[str]) -> "StoryLine":
        """The line with labels before it."""
        return attrs.evolve(self, text=f"[{'; '.join(labels)}] {self.text}")

    def in_brief(self) -> "StoryLine":
        """The line without the answer of a look-up, if it has one and is shorter so."""
        is_shorter = bool(self.brief) and len(self.brief) < len(self.text)
        return attrs.evolve(self, text=self.brief, is_brief=True) if is_shorter else self


def story_lines(record: MatchRecord, game: Game, rubric: Rubric) -> tuple[StoryLine, ...]:
    """Tell all events and actions of a match, from the spectator's view."""
    return tuple(_lines(record, game, rubric))


def _lines(record: MatchRecord, game: Game, rubric: Rubric) -> Iterator[StoryLine]:
    thinking = Thinking.of(record) if rubric.reasoning == "all" else None
    for place, event in enumerate(record.events):
        for thought in thinking.before(place) if thinking else ():
            yield StoryLine(text=thought.text, step=event.step, event=place, owner=event.player, brief=thought.brief)
        if line := _line(event, game, record.seats, rubric):
            yield attrs.evolve(line, event=place)


def _line(event: Event, game: Game, seats: Sequence[str], rubric: Rubric) -> StoryLine | None:
    if event.source == "game":
        told = game.describe_event(GameEvent(event.kind, event.data, event.to), None)
        if not told and rubric.rounds is not None and event.kind in rubric.rounds.told:
            told = f"{event.kind}: {canonical_json(event.data)}"
        return StoryLine(text=f"{one_item(told)}{_audience(event, seats)}", step=event.step) if told else None
    if event.kind != "played" or event.player is None or not isinstance(event.data, Mapping):
        return None
    data: Mapping[str, Any] = event.data
    who, done = seats[event.player], one_item(data.get("label") or canonical_json(data["action"]))
    if data["by"] != "agent":
        return StoryLine(text=f"{who} chose nothing; put in for it ({data['by']}): {done}", step=event.step)
    thought = data.get("reasoning") if rubric.reasoning is True else None
    note = data.get("note")
    note = note if isinstance(note, Mapping) else {}
    return StoryLine(
        text=f"{who} plays: {done}" + (f"\n  ({who} to itself: {visible(canonical_json(thought))})" if thought else ""),
        step=event.step,
        owner=event.player,
        player=event.player,
        turn=int(data["turn"]),
        role=note.get("role"),
        persona=note.get("persona"),
    )


def one_item(text: str) -> str:
    """A text of the game, in which no line after the first can be taken for another item of the story."""
    first, *rest = visible(text).splitlines() or [""]
    return "\n".join([first, *(line if line[:1].isspace() or not line else f"  {line}" for line in rest)])


def _audience(event: Event, seats: Sequence[str]) -> str:
    if event.to is None:
        return ""
    return f" (seen by {', '.join(seats[p] for p in event.to)} alone)" if event.to else " (seen by nobody)"


def ordered(lines: Sequence[StoryLine], order: Sequence[int]) -> list[StoryLine]:
    """The lines with what players did and thought in each step sorted by their order; other lines stay in place."""
    found: list[StoryLine] = []
    run: list[StoryLine] = []
    for line in lines:
        if line.owner is None or (run and run[0].step != line.step):
            found += sorted(run, key=lambda a: order.index(a.owner or 0))
            run = []
        if line.owner is None:
            found.append(line)
        else:
            run.append(line)
    return found + sorted(run, key=lambda a: order.index(a.owner or 0))
