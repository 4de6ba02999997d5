"""What a person is asked about a run by a rubric, and its scores; runs in a worker process.

The questions, the file and the agreement are those of ``arena annotate``. Nothing here names an agent.
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import attrs
from arena.catalog import Catalog
from arena.errors import ArenaError
from arena_engine import Journal, open_parts
from arena_metric_judge.annotating import AnnotationQuestion, questions_of, read_scores, rubric_names
from arena_metric_judge.annotation import Annotation, append, read
from arena_metric_judge.dimension import Dimension
from arena_metric_judge.judge_comparison import compared
from arena_metric_judge.rubric import Rubric, load
from arena_metric_judge.subject import ScoredItem, Subject

from arena_web.foundation.hidden_matches import covered_matches
from arena_web.workers.reporting import plain_table

LEVEL: Final = 0.95
"""The level of the intervals of an agreement, as ``arena annotate`` has it unless told otherwise."""

FILE: Final = "annotations.jsonl"
"""The file of a run in which ``arena annotate`` keeps scores, too."""


@attrs.frozen
class _Place:
    """One question of the list: the match, which of its questions it is, and the places of its subjects."""

    match: str
    number: int
    subjects: tuple[tuple[Any, ...], ...]


_LISTS: Final[dict[tuple[Any, ...], tuple[_Place, ...]]] = {}
"""The list of questions that was asked for last, since whoever scores asks for one after another."""


def rubrics(asked: Mapping[str, Any], _: Catalog) -> Any:
    """The rubrics by which a run can be annotated, and who has annotated it."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        listed: list[Any] = []
        annotators: set[str] = set()
        for name, judges in rubric_names(journal).items():
            try:
                rubric = load(name)
            except ValueError:  # of a package that is not installed here
                continue
            listed.append({"name": name, "per": rubric.per, "judges": list(judges), "dimensions": len(rubric.scored)})
            annotators |= {each.annotator for each in _annotations(asked, rubric)}
        return {"rubrics": listed, "annotators": sorted(annotators), "file": FILE}


def question(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """One question with what was scored of it, and how many there are.

    Where ``at`` is ``None`` it is the first that is not answered.
    """
    with _opened(asked, catalog) as run:
        places, done = run.places, run.done
        open_ones = [at for at, place in enumerate(places) if not done.keys() >= set(place.subjects)]
        told = {"total": len(places), "done": len(places) - len(open_ones), "file": FILE}
        at = asked["at"] if asked["at"] is not None else next(iter(open_ones), None)
        if at is None or not places:
            return {**told, "at": None, "question": None}
        own = run.question(at)
        return {**told, "at": at, "question": _told(own, done)}


def score(asked: Mapping[str, Any], catalog: Catalog) -> Any:
    """Keep the scores of one subject of a question; the same ones again are kept once."""
    with _opened(asked, catalog) as run:
        own = run.question(asked["at"])
        number: int = asked["subject"]
        if not 0 <= number < len(own.subjects):
            raise ArenaError(f"subject: the question has {len(own.subjects)}, got {number}")
        subject = own.subjects[number]
        try:
            scores = read_scores(own.items(subject), run.rubric, asked["scores"])
        except ValueError as error:
            raise ArenaError(str(error)) from error
        made = own.annotation(run.journal.header.name, subject, asked["annotator"], scores)
        before = run.done.get(own.place(subject))
        if before is None or before.line() != made.line():
            try:
                append(_file(asked), made)
            except OSError as error:
                raise ArenaError(f"{FILE} cannot be written: {error.strerror}") from error
        return {"kept": True}


def agreement(asked: Mapping[str, Any], _: Catalog) -> Any:
    """How far judges and persons agree: per cent, mean absolute error, kappa, each with its interval."""
    with Journal.open(Path(asked["run"]), check=False) as journal:
        rubric = _rubric(journal, asked)
        table = compared(journal, _annotations(asked, rubric), rubric, LEVEL)
        return {"table": plain_table(table)}


@attrs.frozen
class _Annotated:
    """A run that is annotated: what is asked about it, and what one annotator has scored, by places."""

    journal: Journal
    rubric: Rubric
    places: tuple[_Place, ...]
    done: Mapping[tuple[Any, ...], Annotation]
    catalog: Catalog
    share: float

    def question(self, at: int) -> AnnotationQuestion:
        """A question by its place in the list."""
        if not 0 <= at < len(self.places):
            raise ArenaError(f"at: there are {len(self.places)} questions, got {at}")
        place = self.places[at]
        record = self.journal.record_of(place.match)
        if record is None:
            raise ArenaError("the match of this question is gone; load the page again")
        found = questions_of([record], open_parts(self.journal, self.catalog).game, self.rubric, self.share)
        return [*found][place.number]


@contextmanager
def _opened(asked: Mapping[str, Any], catalog: Catalog) -> Generator[_Annotated]:
    with Journal.open(Path(asked["run"]), check=False) as journal:
        rubric = _rubric(journal, asked)
        own = [each for each in _annotations(asked, rubric) if each.annotator == asked["annotator"]]
        yield _Annotated(
            journal=journal,
            rubric=rubric,
            places=_list(journal, rubric, asked, catalog),
            done={each.place: each for each in own},
            catalog=catalog,
            share=asked["share"],
        )


def _list(journal: Journal, rubric: Rubric, asked: Mapping[str, Any], catalog: Catalog) -> tuple[_Place, ...]:
    """All questions about matches that are over and not covered, in the order of the plan."""
    covered = covered_matches(journal)
    ended = tuple(sorted((str(ending), count) for ending, count in journal.ended().items()))
    key = (str(journal.directory), journal.header.id, ended, covered, rubric.name, rubric.version, asked["share"])
    if key not in _LISTS:
        game = open_parts(journal, catalog).game
        found: list[_Place] = []
        for record in journal.records():
            if not record.ending.is_result or record.id in covered:
                continue
            for number, own in enumerate(questions_of([record], game, rubric, asked["share"])):
                found.append(_Place(record.id, number, tuple(map(own.place, own.subjects))))
        _LISTS.clear()
        _LISTS[key] = tuple(found)
    return _LISTS[key]


def _told(own: AnnotationQuestion, done: Mapping[tuple[Any, ...], Annotation]) -> Any:
    def scores(subject: Subject) -> Any:
        found = done.get(own.place(subject))
        return None if found is None else found.scores

    return {
        "title": own.title,
        "rules": own.rules,
        "text": own.text,
        "asks_why": own.rubric.justification,
        "subjects": [
            {"heading": own.heading(subject), "scores": scores(subject), "items": list(map(_item, own.items(subject)))}
            for subject in own.subjects
        ],
    }


def _item(item: ScoredItem) -> Any:
    return {
        "place": item.place,
        "label": item.label,
        "dimensions": list(map(_dimension, item.dimensions)),
        "found": [{"kind": kind, "dimensions": list(map(_dimension, own))} for kind, own in item.found.items()],
    }


def _dimension(dimension: Dimension) -> Any:
    return {
        "name": dimension.name,
        "title": dimension.title,
        "meaning": dimension.meaning,
        "scale": dimension.scale,
        "note": dimension.note,
        "is_boolean": dimension.boolean,
        "is_whole": dimension.whole,
        "choices": list(dimension.choices),
        "low": dimension.low,
        "high": dimension.high,
    }


def _rubric(journal: Journal, asked: Mapping[str, Any]) -> Rubric:
    name = asked["rubric"]
    names = rubric_names(journal)
    if name not in names:
        raise ArenaError(f"rubric: expected one of {', '.join(names)}, got {name[:80]!r}")
    try:
        return load(name)
    except ValueError as error:
        raise ArenaError(f"rubric {error}") from error


def _annotations(asked: Mapping[str, Any], rubric: Rubric) -> list[Annotation]:
    path = _file(asked)
    return read(path, rubric) if path.exists() else []


def _file(asked: Mapping[str, Any]) -> Path:
    return Path(asked["run"]) / FILE
