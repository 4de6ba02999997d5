"""Tells a match in words for a judge: what happened, who saw it, and how players explained their actions."""

from collections.abc import Sequence
from itertools import groupby

import attrs
from arena.game import Game
from arena.record import MatchRecord, Player

from arena_metric_judge.rounds import RoundsOfMatch
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.shortening import shortened
from arena_metric_judge.story_lines import StoryLine, ordered, story_lines
from arena_metric_judge.subject import ScoredItem, Subject


@attrs.frozen(kw_only=True)
class MatchStory:
    """A match as a judge sees it; ``rounds`` is set where a rubric scores rounds."""

    title: str
    rules: str
    seats: tuple[str, ...]
    lines: tuple[StoryLine, ...]
    rounds: RoundsOfMatch | None = None

    def subjects(self, rubric: Rubric) -> tuple[Subject, ...]:
        """The subjects that a rubric scores in this match, in order; rounds only where there is something to score."""
        if rubric.per == "match":
            return (Subject(),)
        acts = [line for line in self.lines if line.player is not None]
        if rubric.per == "turn":
            return tuple(Subject(player=a.player, turn=a.turn, role=a.role, persona=a.persona) for a in acts)
        personas = {a.player: a.persona for a in reversed(acts) if a.persona}
        if self.rounds is None or rubric.rounds is None:
            return tuple(Subject(player=Player(p), persona=personas.get(Player(p))) for p in range(len(self.seats)))
        of_round = rubric.rounds.players == "none"
        parties = {None: None} if of_round else self.rounds.parties
        return tuple(
            Subject(player=player, round=name, party=party, persona=personas.get(player))
            for name in self.rounds.rounds
            for party, player in parties.items()
            if (self.rounds.items(rubric, name, party) if rubric.rounds.items else self.rounds.takes_part(name, player))
        )

    def questions(self, rubric: Rubric) -> tuple[tuple[Subject, ...], ...]:
        """The subjects, those together that are asked about in one question."""
        subjects = self.subjects(rubric)
        if rubric.per == "player":
            return (subjects,)
        if rubric.rounds is None or rubric.rounds.players != "all":
            return tuple((subject,) for subject in subjects)
        return tuple(tuple(group) for _, group in groupby(subjects, key=lambda subject: subject.round))

    def items(self, subject: Subject, rubric: Rubric, label: str = "") -> tuple[ScoredItem, ...]:
        """What is scored of a subject; ``label`` stands before the name of each item, for subjects asked together."""
        if self.rounds is None or rubric.rounds is None or not rubric.rounds.items:
            return (ScoredItem(label=label, subject=subject, dimensions=rubric.of("")),)
        before = f"{label}, " if label else ""
        return tuple(
            ScoredItem(
                label=f"{before}{item.label}",
                subject=subject,
                dimensions=item.dimensions,
                place=item.label,
                kind=item.kind,
                events=item.places,
                found=item.found,
            )
            for item in self.rounds.items(rubric, subject.round or "", subject.party)
        )

    def name(self, subject: Subject) -> str:
        """The name of a subject's party or seat; empty for one that is nobody's."""
        return subject.party or ("" if subject.player is None else self.seats[subject.player])

    def act(self, subject: Subject) -> StoryLine | None:
        """The action to be judged; ``None`` if the subject is not a turn."""
        return next((a for a in self.lines if subject.turn is not None and _is(a, subject)), None)

    def told(
        self, subject: Subject, rubric: Rubric, order: Sequence[int], limit: int, items: Sequence[ScoredItem] = ()
    ) -> str:
        """The text that is shown for one subject: at most ``limit`` characters, cut at lines.

        Depending on the rubric it is the match so far, all of it, or one round. What is left out is the oldest, but
        nothing of the round to be judged, of which only answers to look-ups can be shortened. Events that are ``items``
        to be scored have their labels before them, and are never left out. Actions of one step are listed in the
        ``order`` of the players.
        """
        lines = ordered(self.lines, order)
        if subject.turn is not None and rubric.sees == "far":
            last = next(i for i, line in enumerate(lines) if _is(line, subject))
            step = lines[last].step
            # The player could not know what others do in the same step.
            lines = [a for a in lines[: last + 1] if a.step < step or a.owner in (None, subject.player)]
        if subject.round is not None and self.rounds is not None:
            lines = [line for line in lines if self._is_told(line, subject, rubric, self.rounds)]
        marks: dict[int, list[str]] = {}
        for item in items:
            for place in item.events:
                marks.setdefault(place, []).append(item.label)
        lines = [line.marked(marks[line.event]) if line.event in marks else line for line in lines]
        judged = self._judged(subject) if rubric.reasoning == "all" else range(0)
        return shortened(lines, limit, stays=frozenset(marks), judged=judged)

    def _judged(self, subject: Subject) -> range:
        """The places of the events that are judged, if it is a round."""
        if self.rounds is None or subject.round is None:
            return range(0)
        return self.rounds.rounds[subject.round]

    def _is_told(self, line: StoryLine, subject: Subject, rubric: Rubric, rounds: RoundsOfMatch) -> bool:
        places, rules = rounds.rounds[subject.round or ""], rubric.rounds
        if rules is None or (line.event >= places.stop and rubric.sees != "whole"):
            return False
        if rubric.sees == "round" and line.event < places.start:
            return False
        return not rules.events or rounds.is_told(line.event, subject.party, rules.events)


def story(record: MatchRecord, game: Game, rubric: Rubric) -> MatchStory:
    """Tell a match in the words of its game, from the spectator's view."""
    return MatchStory(
        title=game.title,
        rules=game.rules.strip(),
        seats=record.seats,
        lines=story_lines(record, game, rubric),
        rounds=None if rubric.rounds is None else RoundsOfMatch.of(record, rubric.rounds, game),
    )


def _is(line: StoryLine, subject: Subject) -> bool:
    return (line.player, line.turn) == (subject.player, subject.turn)
