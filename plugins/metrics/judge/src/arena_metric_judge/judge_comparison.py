"""Compares the judges of a run with each other and with the persons who annotated it."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from arena.errors import ConfigError
from arena.tables import Cell, Table
from arena_engine import Journal
from arena_metric_outcomes.columns import text

from arena_metric_judge import agreement
from arena_metric_judge.annotating import metrics_of
from arena_metric_judge.annotation import Annotation
from arena_metric_judge.ratings import Ratings, agreements
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import FOUND, SCORED, subject_key


def compared(journal: Journal, annotations: Sequence[Annotation], rubric: Rubric, level: float) -> Table:
    """The agreement of every two raters on every dimension; ``ConfigError`` if there are fewer than two raters."""
    raters = {**_judges(journal, rubric), **_persons(annotations, rubric)}
    if len(raters) < 2:
        raise ConfigError(
            f"{len(raters)} of the raters of this run used this version of the rubric {rubric.name!r}; two are needed: "
            "annotate it, or add a judge with `arena run FILE --extend RUN`"
        )
    blocks = {record.id: record.plan.block for record in journal.records()}
    lines: list[tuple[Cell, ...]] = []
    for one, two in combinations(raters, 2):
        for row in agreements([(raters[one], raters[two])], blocks, rubric, level):
            lines.append((one, two, *row))
    return Table(
        title=f"Agreement: {rubric.name}",
        columns=(*text("rater", "other rater", "dimension"), *agreement.columns()),
        rows=tuple(lines),
        note=f"{agreement.note(rubric.scored.values())} Of judgements that were repeated the first counts.",
    )


def _judges(journal: Journal, rubric: Rubric) -> dict[str, Ratings]:
    found: dict[str, Ratings] = {}
    for name in metrics_of(journal):
        given = Ratings()
        for match, measurements in journal.judgements(name).items():
            for each in measurements:
                about: Any = each.detail
                if each.name in (SCORED, FOUND) and about["version"] == rubric.version and about["sample"] == 0:
                    given.add(subject_key(about, match, each.player, each.turn), each)
        if given.scores:
            found[f"judge {name}"] = given
    return found


def _persons(annotations: Sequence[Annotation], rubric: Rubric) -> dict[str, Ratings]:
    found: dict[str, Ratings] = {}
    for each in annotations:
        found.setdefault(each.annotator, Ratings()).add_scores(each.place, each.scores, rubric)
    return found
