"""The judges' scores as tables need them: averaged over samples and turns."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Estimate
from arena_engine import unswept_name
from arena_metric_statistics.means import mean

from arena_metric_judge.dimension import Dimension
from arena_metric_judge.rubric import Rubric

SCORED: Final = "score"
"""The name of the measurement per subject, item, dimension and sample: the score."""

FOUND: Final = "found"
"""The name of the measurement per item, kind and sample: how many things of this kind were found within the item."""

ASKED: Final = "asked"
"""The name of the measurement per question and sample: whether a readable answer came, and after how many tries."""


def detail(row: MeasurementRow) -> Any:
    """The detail of a row, a mapping in this metric."""
    return cast("Any", row.detail)


def subject_key(about: Mapping[str, Any], *more: Any) -> tuple[Any, ...]:
    """What tells a subject from others in tables: ``more``, and the round and party in the detail of a measurement."""
    return (*more, about.get("round"), about.get("party"))


@attrs.frozen(kw_only=True)
class JudgeScores:
    """The rows of one rubric in a fixed order; ``level`` is the confidence level of intervals.

    In ``rows`` a score that is one of several words is a true or false one for each of the words; ``answered`` has
    scores and numbers of things found as they were given.
    """

    rubric: Rubric
    rows: tuple[MeasurementRow, ...]
    answered: tuple[MeasurementRow, ...]
    asked: tuple[MeasurementRow, ...]
    level: float

    @classmethod
    def of(cls, table: Measurements, rubric: Rubric) -> "JudgeScores":
        """The rows judged by this version of a rubric; other versions are left out."""
        own = [row for row in table.rows if row.name in (SCORED, FOUND, ASKED) and _version(row) == rubric.version]
        own.sort(key=_place)
        return cls(
            rubric=rubric,
            rows=tuple(each for row in own if row.name == SCORED for each in _by_word(row, rubric)),
            answered=tuple(row for row in own if row.name in (SCORED, FOUND)),
            asked=tuple(row for row in own if row.name == ASKED),
            level=table.level,
        )

    def joined(self) -> "JudgeScores":
        """The same scores, with variants of one game counted as that game."""
        rows, answered, asked = (
            tuple(attrs.evolve(row, game=unswept_name(row.game)) for row in every)
            for every in (self.rows, self.answered, self.asked)
        )
        return attrs.evolve(self, rows=rows, answered=answered, asked=asked)

    @property
    def dimensions(self) -> Sequence[Dimension]:
        """The dimensions of the rubric in its order, with one for each word where a score is one of several words."""
        return tuple(each for dimension in self.rubric.scored.values() for each in _words(dimension))

    @property
    def annotators(self) -> tuple[str, ...]:
        """The names of the models that judged, as far as they were recorded."""
        return tuple(sorted({detail(row)["annotator"] for row in self.asked if "annotator" in detail(row)}))

    @property
    def is_of_players(self) -> bool:
        """Whether scores are somebody's, and not those of whole matches or rounds."""
        return self.rubric.per != "match" and (self.rubric.rounds is None or self.rubric.rounds.players != "none")

    def groups(self, key: Callable[[MeasurementRow], tuple[Any, ...]]) -> dict[tuple[str, ...], list[MeasurementRow]]:
        """Rows grouped and sorted by a key; rows whose key contains ``None`` are left out."""
        found: dict[tuple[str, ...], list[MeasurementRow]] = {}
        for row in self.rows:
            values = key(row)
            if None not in values:
                found.setdefault(tuple(map(str, values)), []).append(row)
        return dict(sorted(found.items()))

    def mean(self, rows: Iterable[MeasurementRow], dimension: Dimension) -> Estimate:
        """The mean over matches of the means over a player's turns of the means over samples."""
        found = per_match(row for row in rows if detail(row)["dimension"] == dimension.name)
        values, blocks = [value for value, _ in found], [block for _, block in found]
        return mean(values, clusters=blocks, level=self.level, bounds=(dimension.low, dimension.high))


def of_dimension(rows: Iterable[MeasurementRow], dimension: Dimension) -> list[MeasurementRow]:
    """The rows of one dimension, in their order."""
    return [row for row in rows if detail(row)["dimension"] == dimension.name]


def per_match(rows: Iterable[MeasurementRow]) -> list[tuple[float, str]]:
    """The mean score of each player in each match, with the block it belongs to."""
    turns: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        about = detail(row)
        place = (row.turn, *subject_key(about), about.get("item"))
        turns.setdefault((row.match, row.block, row.player, place), []).append(float(cast("float", row.value)))
    matches: dict[tuple[Any, ...], list[float]] = {}
    for (match, block, player, _), values in turns.items():
        matches.setdefault((match, block, player), []).append(sum(values) / len(values))
    return [(sum(values) / len(values), block) for (_, block, _), values in matches.items()]


def _version(row: MeasurementRow) -> Any:
    return detail(row).get("version") if isinstance(row.detail, Mapping) else None


def _words(dimension: Dimension) -> Iterator[Dimension]:
    if not dimension.choices:
        yield dimension
    for word in dimension.choices:
        name, title = f"{dimension.name}: {word}", f"{dimension.title}: {word}"
        yield Dimension(name=name, title=title, meaning=dimension.meaning, boolean=True)


def _by_word(row: MeasurementRow, rubric: Rubric) -> Iterator[MeasurementRow]:
    about = detail(row)
    dimension = rubric.dimensions[about["dimension"]]
    if not dimension.choices:
        yield row
    for word in dimension.choices:
        named = {**about, "dimension": f"{dimension.name}: {word}"}
        yield attrs.evolve(row, value=row.value == word, detail=named)


def _place(row: MeasurementRow) -> tuple[Any, ...]:
    about = detail(row)
    where = (str(about.get("round", "")), str(about.get("party", "")), str(about.get("item", "")))
    of = (about.get("dimension", ""), about.get("kind", ""))
    return (row.game, row.match, row.player or 0, row.turn or 0, *where, *of, about["sample"])
