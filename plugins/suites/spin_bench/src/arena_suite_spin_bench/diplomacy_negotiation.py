"""Tables 2 and 11 of SPIN-Bench: six measures of negotiation, and how far the annotator and people agree."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

import attrs
from arena.errors import ConfigError
from arena.metric import MeasurementRow
from arena.tables import Cell, Table
from arena_metric_diplomacy.negotiation import RUBRIC
from arena_metric_diplomacy.negotiation_counts import MEASURES, PlayerCounts, counted, measure
from arena_metric_judge import rubric as rubrics
from arena_metric_judge.annotation import read
from arena_metric_judge.ratings import Ratings, agreements
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import JudgeScores, subject_key
from arena_metric_outcomes.columns import counts, numbers, shares, text

from arena_suite_spin_bench.main_table import MEASURED, PUBLISHED
from arena_suite_spin_bench.results import SpinResults
from arena_suite_spin_bench.shipped_numbers import published

JUDGED_BY: Final = "diplomacy-negotiation"
"""The metric whose annotations are read."""

_COLUMNS: Final = {
    "AlignR": "aligned",
    "AcceptR": "accepted",
    "Mut:1S": "mutual-to-one-sided",
    "P:C": "promote-to-provoke",
    "Persp.": "perspective",
    "Cond.": "conditional",
}
_DIMENSIONS: Final = {
    "aligned": "aligned",
    "nature": "mutual-to-one-sided",
    "tone": "promote-to-provoke",
    "perspective": "perspective",
    "conditional": "conditional",
    "words": "accepted",
}
"""What people and the annotator both say, and its name in the published table."""


def negotiation_tables(results: SpinResults, labels: str) -> Iterator[Table]:
    """Table 2's measures of negotiation, and Table 11 from a file of ``arena annotate`` if one is named."""
    asked = rubrics.load(RUBRIC)
    scores = JudgeScores.of(attrs.evolve(results.measurements, rows=results.rows), asked)
    yield _measures(results, scores)
    yield _agreement(results, scores, asked, labels)


def _measures(results: SpinResults, scores: JudgeScores) -> Table:
    groups: dict[str, list[PlayerCounts]] = {}
    for each in counted(scores.answered):
        groups.setdefault(str(each.row.agent), []).append(each)
    seed = results.measurements.seed
    rows: list[tuple[Cell, ...]] = [
        (agent, MEASURED, *(measure(own, name, results.level, seed) for name in MEASURES))
        for agent, own in sorted(groups.items())
    ]
    for row in published("table-2-negotiation"):
        rows.append((row["system"], PUBLISHED, *(row[_COLUMNS[name]] for name in MEASURES)))
    annotators = ", ".join(scores.annotators) or "nobody yet"
    note = (
        f"Ratios of sums over all matches of an agent; nothing to divide by is a dash. Annotated by {annotators}, with "
        "the rubric that ships; published rows by Claude 3.7 Sonnet in the text and by o1 in the appendix of the paper."
    )
    columns = (*text("agent", "row"), *numbers(*MEASURES))
    return Table(title="Table 2: negotiation", columns=columns, rows=tuple(rows), note=note)


def _agreement(results: SpinResults, scores: JudgeScores, asked: Rubric, labels: str) -> Table:
    rows: list[tuple[Cell, ...]] = []
    if labels:
        blocks = {_id(row): row.block for row in scores.answered}
        pairs = [(_judge(scores.answered), each) for each in _people(labels, asked).values()]
        titles = {dimension.title: name for name, dimension in asked.scored.items()}
        for title, number, agree, _, kappa in agreements(pairs, blocks, asked, results.level):
            if titles.get(str(title)) in _DIMENSIONS:
                rows.append((title, MEASURED, agree, kappa, number))
    (printed,) = published("table-11")
    for name, column in _DIMENSIONS.items():
        rows.append((asked.scored[name].title, PUBLISHED, printed[column] / 100, None, None))
    columns = (*text("agent", "row"), *shares("agree"), *numbers("kappa"), *counts("pairs"))
    note = (
        "How often the annotator and people say the same, and how much more often than by chance (Cohen's kappa). "
        "People's labels are a file of `arena annotate`, named by the parameter labels of the metric spin-bench; the "
        "paper's are of 5 % of its messages. Acceptance is by words; the orders that follow are another question here."
    )
    return Table(title="Table 11: annotator and people", columns=columns, rows=tuple(rows), note=note)


def _judge(rows: Sequence[MeasurementRow]) -> Ratings:
    found = Ratings()
    for row in rows:
        about = cast("Mapping[str, Any]", row.detail)
        if about["sample"] == 0:
            found.add(subject_key(about, _id(row), row.player, row.turn), row)
    return found


def _people(labels: str, asked: Rubric) -> dict[str, Ratings]:
    """The labels of each person in a file; ``ConfigError`` says what is wrong with it."""
    path = Path(labels).expanduser()
    if not path.is_file():
        raise ConfigError(f"labels: {labels}: there is no such file; `arena annotate RUN` writes one")
    found: dict[str, Ratings] = {}
    for each in read(path, asked):
        found.setdefault(each.annotator, Ratings()).add_scores(each.place, each.scores, asked)
    return found


def _id(row: MeasurementRow) -> str:
    """The id that a match has in its own run; a report of several runs puts the run's label before it."""
    return row.match.rpartition(": ")[2]
