"""Tells a match in words for a judge: what happened, who saw it, and how players explained their actions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from arena.game import Game
from arena.record import Event, GameEvent, MatchRecord, Player, canonical_json

from arena_metric_judge.rubric import Rubric

LEFT_OUT: Final = "(earlier events are left out)"


@attrs.frozen(kw_only=True)
class StoryLine:
    """One event or one action; ``player`` and ``turn`` are set for actions that an agent chose itself."""

    text: str
    step: int
    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None


@attrs.frozen(kw_only=True)
class Subject:
    """What is judged: a player's turn, a player, or the match if ``player`` is ``None``."""

    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None


@attrs.frozen(kw_only=True)
class MatchStory:
    """A match as a judge sees it."""

    title: str
    rules: str
    seats: tuple[str, ...]
    lines: tuple[StoryLine, ...]

    def subjects(self, rubric: Rubric) -> tuple[Subject, ...]:
        """The subjects that a rubric scores in this match, in order."""
        if rubric.per == "match":
            return (Subject(),)
        acts = [line for line in self.lines if line.player is not None]
        if rubric.per == "turn":
            return tuple(Subject(player=a.player, turn=a.turn, role=a.role, persona=a.persona) for a in acts)
        return tuple(
            Subject(player=Player(p), persona=next((a.persona for a in acts if a.player == p and a.persona), None))
            for p in range(len(self.seats))
        )

    def act(self, subject: Subject) -> StoryLine | None:
        """The action to be judged; ``None`` if the subject is not a turn."""
        return next((a for a in self.lines if subject.turn is not None and _is(a, subject)), None)

    def told(self, subject: Subject, rubric: Rubric, order: Sequence[int], limit: int) -> str:
        """The text that is shown for one subject: its newest ``limit`` characters, cut at lines.

        Depending on the rubric it is the match so far or all of it. Actions of one step are listed in the ``order`` of
        the players.
        """
        lines = _ordered(self.lines, order)
        if subject.turn is not None and rubric.sees == "far":
            last = next(i for i, line in enumerate(lines) if _is(line, subject))
            step = lines[last].step
            # The player could not know what others do in the same step.
            lines = [a for a in lines[: last + 1] if a.step < step or a.player in (None, subject.player)]
        for number, line in enumerate(reversed(lines)):
            limit -= len(line.text) + 1
            if limit < 0:
                return "\n".join([LEFT_OUT, *(a.text for a in lines[len(lines) - number :])])
        return "\n".join(line.text for line in lines)


def story(record: MatchRecord, game: Game, rubric: Rubric) -> MatchStory:
    """Tell a match in the words of its game, from the spectator's view."""
    seats = record.seats
    lines = tuple(line for event in record.events if (line := _line(event, game, seats, rubric)))
    return MatchStory(title=game.title, rules=game.rules.strip(), seats=seats, lines=lines)


def _line(event: Event, game: Game, seats: Sequence[str], rubric: Rubric) -> StoryLine | None:
    if event.source == "game":
        told = game.describe_event(GameEvent(event.kind, event.data, event.to), None)
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


def _is(line: StoryLine, subject: Subject) -> bool:
    return (line.player, line.turn) == (subject.player, subject.turn)


def _ordered(lines: Sequence[StoryLine], order: Sequence[int]) -> list[StoryLine]:
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
