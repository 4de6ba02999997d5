"""A match in words, for whoever judges it: what happened, who saw it, and what players said about their actions."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from arena.game import Game
from arena.record import Event, GameEvent, MatchRecord, Player, canonical

from arena_metric_judge.rubric import Rubric

LEFT_OUT: Final = "(earlier events are left out)"


@attrs.frozen(kw_only=True)
class Line:
    """One event or one action; ``player`` and ``turn`` are those of an action that the agent chose itself."""

    text: str
    wave: int
    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None


@attrs.frozen(kw_only=True)
class Subject:
    """What is judged: a player's turn, a player, or (``player`` is ``None``) the match."""

    player: Player | None = None
    turn: int | None = None
    role: str | None = None
    persona: str | None = None


@attrs.frozen(kw_only=True)
class Story:
    """A match as its judges see it."""

    title: str
    rules: str
    seats: tuple[str, ...]
    lines: tuple[Line, ...]

    def subjects(self, rubric: Rubric) -> tuple[Subject, ...]:
        """What a rubric has to score in this match, in order."""
        if rubric.per == "match":
            return (Subject(),)
        acts = [line for line in self.lines if line.player is not None]
        if rubric.per == "turn":
            return tuple(Subject(player=a.player, turn=a.turn, role=a.role, persona=a.persona) for a in acts)
        return tuple(
            Subject(player=Player(p), persona=next((a.persona for a in acts if a.player == p and a.persona), None))
            for p in range(len(self.seats))
        )

    def act(self, subject: Subject) -> Line | None:
        """The action that is judged."""
        return next((a for a in self.lines if subject.turn is not None and _is(a, subject)), None)

    def told(self, subject: Subject, rubric: Rubric, order: Sequence[int], limit: int) -> str:
        """What is shown of it for one subject: so far or all of it, of that the newest ``limit`` characters.

        Actions of one wave stand in the ``order`` of the players.
        """
        lines = _ordered(self.lines, order)
        if subject.turn is not None and rubric.sees == "far":
            last = next(i for i, line in enumerate(lines) if _is(line, subject))
            wave = lines[last].wave
            # What others do at the same time is no part of what the player could know.
            lines = [a for a in lines[: last + 1] if a.wave < wave or a.player in (None, subject.player)]
        for number, line in enumerate(reversed(lines)):
            limit -= len(line.text) + 1
            if limit < 0:
                return "\n".join([LEFT_OUT, *(a.text for a in lines[len(lines) - number :])])
        return "\n".join(line.text for line in lines)


def story(record: MatchRecord, game: Game, rubric: Rubric) -> Story:
    """Tell a match."""
    seats = record.seats
    lines = tuple(line for event in record.events if (line := _line(event, game, seats, rubric)))
    return Story(title=game.title, rules=game.rules.strip(), seats=seats, lines=lines)


def _line(event: Event, game: Game, seats: Sequence[str], rubric: Rubric) -> Line | None:
    if event.source == "game":
        told = game.tell(GameEvent(event.kind, event.data, event.to), None)
        return Line(text=f"{told}{_audience(event, seats)}", wave=event.wave) if told else None
    if event.kind != "played" or event.player is None or not isinstance(event.data, Mapping):
        return None
    data: Mapping[str, Any] = event.data
    who, done = seats[event.player], data.get("label") or canonical(data["action"])
    if data["by"] != "agent":
        return Line(text=f"{who} chose nothing; put in for it ({data['by']}): {done}", wave=event.wave)
    thought = data.get("reasoning") if rubric.reasoning else None
    note = data.get("note")
    note = note if isinstance(note, Mapping) else {}
    return Line(
        text=f"{who} plays: {done}" + (f"\n  ({who} to itself: {canonical(thought)})" if thought else ""),
        wave=event.wave,
        player=event.player,
        turn=int(data["turn"]),
        role=note.get("role"),
        persona=note.get("persona"),
    )


def _audience(event: Event, seats: Sequence[str]) -> str:
    if event.to is None:
        return ""
    return f" (seen by {', '.join(seats[p] for p in event.to)} alone)" if event.to else " (seen by nobody)"


def _is(line: Line, subject: Subject) -> bool:
    return (line.player, line.turn) == (subject.player, subject.turn)


def _ordered(lines: Sequence[Line], order: Sequence[int]) -> list[Line]:
    """Actions that follow each other in one wave, in the order of the players; everything else stays."""
    found: list[Line] = []
    run: list[Line] = []
    for line in lines:
        if line.player is None or (run and run[0].wave != line.wave):
            found += sorted(run, key=lambda a: order.index(a.player or 0))
            run = []
        if line.player is None:
            found.append(line)
        else:
            run.append(line)
    return found + sorted(run, key=lambda a: order.index(a.player or 0))
