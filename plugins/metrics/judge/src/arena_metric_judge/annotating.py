"""What a person is asked when it scores a run, at the terminal or on a page, and what its answers amount to."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.game import Game
from arena.record import JSON, MatchRecord, derive_rng
from arena_engine import Journal

from arena_metric_judge import rubric as rubrics
from arena_metric_judge.annotation import Annotation
from arena_metric_judge.dimension import Dimension
from arena_metric_judge.question import MOST, SCORE, WHY
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.story import MatchStory, story
from arena_metric_judge.subject import ScoredItem, Subject

SHOWN: Final = 100_000
"""The most characters of a match that a person is shown."""


@attrs.frozen(kw_only=True)
class AnnotationQuestion:
    """One question about a match: ``subjects`` that are scored from what is shown of it; the first says how far."""

    record: MatchRecord
    told: MatchStory
    subjects: tuple[Subject, ...]
    rubric: Rubric

    def place(self, subject: Subject) -> tuple[Any, ...]:
        """What an annotation of a subject is known by, as ``Annotation.place``."""
        return self.record.id, subject.player, subject.turn, subject.round, subject.party

    @property
    def title(self) -> str:
        """Which match it is about."""
        return f"{self.told.title} · match {self.record.plan.repeat + 1}, rotation {self.record.plan.rotation}"

    @property
    def rules(self) -> str:
        """The rules of the game, where a judge is told them; else empty."""
        return self.told.rules if "{rules}" in self.rubric.user else ""

    @property
    def text(self) -> str:
        """The match as far as it is shown, as a judge sees it: without the agents' names."""
        first = self.subjects[0]
        order = range(len(self.told.seats))
        return self.told.told(first, self.rubric, order, SHOWN, self.told.items(first, self.rubric))

    def heading(self, subject: Subject) -> str:
        """Who or what is scored, and the action if it is one."""
        act = self.told.act(subject)
        who = self.told.name(subject) or f"the {self.rubric.per}"
        where = f" in round {subject.round}" if subject.round else ""
        return f"{who}{where}" + (f": {act.text}" if act else "")

    def items(self, subject: Subject) -> tuple[ScoredItem, ...]:
        """What is scored of a subject."""
        return self.told.items(subject, self.rubric)

    def annotation(self, run: str, subject: Subject, annotator: str, scores: Mapping[str, JSON]) -> Annotation:
        """The scores of a subject as a line of the file."""
        return Annotation(
            run=run,
            match=self.record.id,
            player=subject.player,
            turn=subject.turn,
            rubric=self.rubric.name,
            version=self.rubric.version,
            annotator=annotator,
            scores=scores,
            round=subject.round,
            party=subject.party,
        )


def questions_of(
    records: Iterable[MatchRecord], game: Callable[[str], Game], rubric: Rubric, share: float = 1.0
) -> Iterator[AnnotationQuestion]:
    """All questions about matches in their order, or a drawn ``share`` of them, the same for everybody."""
    for record in records:
        told = story(record, game(record.game), rubric)
        groups = told.questions(rubric) if rubric.is_of_all else ((each,) for each in told.subjects(rubric))
        for subjects in groups:
            question = AnnotationQuestion(record=record, told=told, subjects=tuple(subjects), rubric=rubric)
            # What is drawn by is a subject, or the round of several.
            drawn = subjects[0] if len(subjects) == 1 else Subject(round=subjects[0].round)
            if derive_rng("annotate", *question.place(drawn)).random() < share:
                yield question


def rubric_names(journal: Journal) -> dict[str, tuple[str, ...]]:
    """The rubrics by which a run can be annotated without naming a file, each with the judges of the run that use it.

    They are the shipped ones, and those of packages that the run's judges name.
    """
    found: dict[str, list[str]] = {name: [] for name in rubrics.DATA_FILES.names()}
    for name, about in metrics_of(journal).items():
        rubric = str(about.get("rubric", "social-behaviour" if _is_judge(about) else ""))
        if rubric in found or ":" in rubric:
            found.setdefault(rubric, []).append(name)
    return {name: tuple(judges) for name, judges in found.items()}


def metrics_of(journal: Journal) -> dict[str, Mapping[str, Any]]:
    """The metrics of a run as its benchmark has them, by their names."""
    header = cast("Mapping[str, Any]", journal.header.benchmark or {})
    metrics: Any = header.get("metrics") or ()
    if isinstance(metrics, Mapping):
        named = cast("Mapping[str, Any]", metrics)
        return {name: each if isinstance(each, Mapping) else {"use": each} for name, each in named.items()}
    listed = [each if isinstance(each, Mapping) else {"use": each} for each in cast("Sequence[Any]", metrics)]
    return {_use(each): each for each in cast("list[Mapping[str, Any]]", listed)}


def _use(about: Mapping[str, Any]) -> str:
    return str(about.get("use", "")).rpartition(":")[2]


def _is_judge(about: Mapping[str, Any]) -> bool:
    return _use(about) == "judge"


def read_scores(items: Sequence[ScoredItem], rubric: Rubric, given: Any) -> dict[str, JSON]:
    """Scores as an annotation holds them, from plain data of the same form; ``ValueError`` says what does not fit.

    Where a subject has items of its own, those that are missing are left out; of every other all scores are needed.
    """
    table = _table(given, "scores")
    if len(items) == 1 and not items[0].label:
        return _item(table, items[0], rubric, "scores")
    known = {item.place: item for item in items}
    _check_names(table, known, "scores")
    found: dict[str, JSON] = {
        place: _item(_table(table[place], place), item, rubric, place)
        for place, item in known.items()
        if place in table
    }
    if not found:
        raise ValueError("scores: nothing is scored")
    return found


def _item(given: Mapping[str, Any], item: ScoredItem, rubric: Rubric, where: str) -> dict[str, JSON]:
    _check_names(given, [*(dimension.name for dimension in item.dimensions), *item.found], where)
    found = _scores(given, item.dimensions, rubric, where)
    for kind, dimensions in item.found.items():
        several: Any = given.get(kind, [])
        if not isinstance(several, list) or len(cast("list[Any]", several)) > MOST:
            raise ValueError(f"{where}, {kind}: expected a list of at most {MOST}")
        each_found: list[JSON] = []
        for number, each in enumerate(cast("list[Any]", several), start=1):
            place = f"{where}, {kind} {number}"
            _check_names(_table(each, place), [dimension.name for dimension in dimensions], place)
            each_found.append(_scores(_table(each, place), dimensions, rubric, place))
        found[kind] = each_found
    return found


def _scores(given: Mapping[str, Any], dimensions: Sequence[Dimension], rubric: Rubric, where: str) -> dict[str, JSON]:
    found: dict[str, JSON] = {}
    for dimension in dimensions:
        if dimension.name not in given:
            raise ValueError(f"{where}: {dimension.title} is missing")
        own = given[dimension.name]
        if dimension.note:
            found[dimension.name] = _value(own, dimension)
            continue
        table = _table(own, f"{where}, {dimension.name}")
        _check_names(table, (SCORE, WHY), f"{where}, {dimension.name}")
        why = table.get(WHY, "")
        if not isinstance(why, str) or (why and not rubric.justification):
            raise ValueError(f"{where}, {dimension.name}: expected a text as {WHY!r}, where the rubric asks for one")
        found[dimension.name] = {SCORE: _value(table.get(SCORE), dimension), WHY: why}
    return found


def _value(given: Any, dimension: Dimension) -> JSON:
    if problem := dimension.problem(given):
        raise ValueError(problem)
    # A number of JSON may be written without its point.
    is_real = not (dimension.has_steps or dimension.note)
    return float(given) if is_real else given


def _table(given: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise ValueError(f"{where}: expected a table")
    return cast("Mapping[str, Any]", given)


def _check_names(given: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    if strange := next((name for name in given if name not in set(known)), None):
        raise ValueError(f"{where}: nobody asked for {strange[:40]!r}")
