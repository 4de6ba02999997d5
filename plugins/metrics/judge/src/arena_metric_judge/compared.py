"""Compares the judges of a run with each other and with the persons who annotated it."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, TypeAlias, cast

from arena.errors import ConfigError
from arena.tables import Cell, Table
from arena_engine import Journal
from arena_metric_outcomes.columns import text

from arena_metric_judge import agreement
from arena_metric_judge.agreement import Pair
from arena_metric_judge.annotation import Annotation
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import SCORED

Place: TypeAlias = tuple[str, int | None, int | None]
Given: TypeAlias = Mapping[tuple[Place, str], float]
"""The scores of one rater by subject and dimension."""


def compared(journal: Journal, annotations: Sequence[Annotation], rubric: Rubric, level: float) -> Table:
    """The agreement of every two raters on every dimension; ``ConfigError`` if there are fewer than two raters."""
    raters = {**_judges(journal, rubric), **_persons(annotations)}
    if len(raters) < 2:
        raise ConfigError(
            f"{len(raters)} of the raters of this run used this version of the rubric {rubric.name!r}; two are needed: "
            "annotate it, or add a judge with `arena run FILE --extend RUN`"
        )
    blocks = {record.id: record.plan.block for record in journal.records()}
    lines: list[tuple[Cell, ...]] = []
    for one, two in combinations(raters, 2):
        for dimension in rubric.dimensions.values():
            shared = sorted(
                (key for key in raters[one].keys() & raters[two].keys() if key[1] == dimension.name),
                key=lambda key: (key[0][0], key[0][1] or 0, key[0][2] or 0),
            )
            pairs = [
                Pair(raters[one][key], raters[two][key], blocks[key[0][0]]) for key in shared if key[0][0] in blocks
            ]
            lines.append((one, two, dimension.title, *agreement.cells(pairs, dimension, level)))
    return Table(
        title=f"Agreement: {rubric.name}",
        columns=(*text("rater", "other rater", "dimension"), *agreement.columns()),
        rows=tuple(lines),
        note=f"{agreement.note(rubric.dimensions.values())} Of judgements that were repeated the first counts.",
    )


def _judges(journal: Journal, rubric: Rubric) -> dict[str, Given]:
    header = cast("Mapping[str, Any]", journal.header.benchmark)
    metrics: Any = header.get("metrics") or ()
    names = list(metrics) if isinstance(metrics, Mapping) else [_name(each) for each in metrics]
    found: dict[str, Given] = {}
    for name in names:
        given: dict[tuple[Place, str], float] = {}
        for match, measurements in journal.judgements(name).items():
            for each in measurements:
                about: Any = each.detail
                if each.name == SCORED and about["version"] == rubric.version and about["sample"] == 0:
                    given[(match, each.player, each.turn), about["dimension"]] = float(cast("float", each.value))
        if given:
            found[f"judge {name}"] = given
    return found


def _name(entry: Any) -> str:
    return str(entry["use"] if isinstance(entry, Mapping) else entry).rpartition(":")[2]


def _persons(annotations: Sequence[Annotation]) -> dict[str, Given]:
    found: dict[str, dict[tuple[Place, str], float]] = {}
    for each in annotations:
        own = found.setdefault(each.annotator, {})
        for name, given in each.scores.items():
            own[each.place, name] = float(given["score"])
    return dict(found)
