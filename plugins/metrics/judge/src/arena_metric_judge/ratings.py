"""What one rater says of the subjects of a run, and what two raters say of the same."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias, cast

import attrs
from arena.metric import Measurement, MeasurementRow
from arena.tables import Cell

from arena_metric_judge import agreement
from arena_metric_judge.agreement import Pair
from arena_metric_judge.dimension import Dimension, Scored
from arena_metric_judge.question import MOST, SCORE, found_place
from arena_metric_judge.rubric import Rubric
from arena_metric_judge.scores import FOUND, SCORED

Key: TypeAlias = tuple[tuple[Any, ...], str, str]
"""A subject, the place of what is scored within it, and the name of a dimension or of a kind of things found."""


@attrs.define(eq=False)
class Ratings:
    """The scores of one rater, and how many things of each kind it found within each item."""

    scores: dict[Key, Scored] = attrs.field(factory=dict[Key, Scored])
    counts: dict[Key, int] = attrs.field(factory=dict[Key, int])

    def add(self, subject: tuple[Any, ...], row: Measurement | MeasurementRow) -> None:
        """Add what a judge measured of a subject."""
        about: Any = row.detail
        if row.name == SCORED:
            self.scores[subject, about.get("item", ""), about["dimension"]] = cast("Scored", row.value)
        elif row.name == FOUND:
            self.counts[subject, about["item"], about["kind"]] = int(cast("int", row.value))

    def add_scores(self, subject: tuple[Any, ...], scores: Mapping[str, Any], rubric: Rubric) -> None:
        """Add what a person wrote down about a subject, as it stands in an annotation."""
        if rubric.rounds is None or not rubric.rounds.items:
            self._add_item(subject, "", scores, rubric)
            return
        for place, own in scores.items():
            self._add_item(subject, place, own, rubric)

    def _add_item(self, subject: tuple[Any, ...], place: str, own: Mapping[str, Any], rubric: Rubric) -> None:
        for name, given in own.items():
            if name not in rubric.dimensions:
                self.counts[subject, place, name] = len(given)
                for number, each in enumerate(given, start=1):
                    self._add_item(subject, found_place(place, name, number), each, rubric)
            elif not rubric.dimensions[name].note:
                self.scores[subject, place, name] = given[SCORE] if isinstance(given, Mapping) else given


def agreements(
    raters: Iterable[tuple[Ratings, Ratings]], blocks: Mapping[str, str], rubric: Rubric, level: float
) -> Iterator[tuple[Cell, ...]]:
    """How far two raters agree, taken over several pairs of raters: a title and figures for each thing they both said.

    That is for each dimension, and for each kind of things found the number of them. Scores of things found are held
    against each other only within items in which both raters found equally many. ``blocks`` are those of the matches,
    with which subjects begin.
    """
    both = tuple(raters)
    for dimension in rubric.scored.values():
        found = [pair for one, two in both for pair in _of_scores(one, two, dimension, rubric, blocks)]
        yield dimension.title, *agreement.cells(found, dimension, level)
    for kind in rubric.rounds.items.values() if rubric.rounds else ():
        if kind.within:
            number = Dimension(name=kind.name, title=f"{kind.name}: number found", meaning="", whole=True, high=MOST)
            found = [pair for one, two in both for pair in _of_counts(one, two, kind.name, blocks)]
            yield number.title, *agreement.cells(found, number, level)


def _of_scores(
    one: Ratings, two: Ratings, dimension: Dimension, rubric: Rubric, blocks: Mapping[str, str]
) -> Iterator[Pair]:
    kind = rubric.rounds.items[dimension.of] if rubric.rounds and dimension.of else None
    for key in sorted((k for k in one.scores.keys() & two.scores.keys() if k[2] == dimension.name), key=str):
        subject, place, _ = key
        if kind is not None and kind.within:
            within = (subject, place.rpartition(f", {kind.name} ")[0], kind.name)
            if one.counts.get(within) != two.counts.get(within):
                continue
        if subject[0] in blocks:
            yield Pair(one.scores[key], two.scores[key], blocks[subject[0]])


def _of_counts(one: Ratings, two: Ratings, kind: str, blocks: Mapping[str, str]) -> Iterator[Pair]:
    for key in sorted((k for k in one.counts.keys() & two.counts.keys() if k[2] == kind), key=str):
        if key[0][0] in blocks:
            yield Pair(one.counts[key], two.counts[key], blocks[key[0][0]])
