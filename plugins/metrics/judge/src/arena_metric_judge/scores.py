"""The judges' scores as tables need them: averaged over samples and turns."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import MeasurementRow, Measurements
from arena.tables import Estimate
from arena_engine import unswept_name
from arena_metric_statistics.means import mean

from arena_metric_judge.rubric import Dimension, Rubric

SCORED: Final = "score"
"""The name of the measurement per subject, dimension and sample: the score."""

ASKED: Final = "asked"
"""The name of the measurement per subject and sample: whether a readable answer came, and after how many tries."""


def detail(row: MeasurementRow) -> Any:
    """The detail of a row, a mapping in this metric."""
    return cast("Any", row.detail)


@attrs.frozen(kw_only=True)
class JudgeScores:
    """The rows of one rubric in a fixed order; ``level`` is the confidence level of intervals."""

    rubric: Rubric
    rows: tuple[MeasurementRow, ...]
    asked: tuple[MeasurementRow, ...]
    level: float

    @classmethod
    def of(cls, table: Measurements, rubric: Rubric) -> "JudgeScores":
        """The rows judged by this version of a rubric; other versions are left out."""
        own = [row for row in table.rows if row.detail and detail(row).get("version") == rubric.version]
        own.sort(key=_place)
        return cls(
            rubric=rubric,
            rows=tuple(row for row in own if row.name == SCORED),
            asked=tuple(row for row in own if row.name == ASKED),
            level=table.level,
        )

    def joined(self) -> "JudgeScores":
        """The same scores, with variants of one game counted as that game."""
        rows, asked = (
            tuple(attrs.evolve(row, game=unswept_name(row.game)) for row in every) for every in (self.rows, self.asked)
        )
        return attrs.evolve(self, rows=rows, asked=asked)

    @property
    def dimensions(self) -> Sequence[Dimension]:
        """The dimensions of the rubric, in its order."""
        return tuple(self.rubric.dimensions.values())

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
        turns.setdefault((row.match, row.block, row.player, row.turn), []).append(float(cast("float", row.value)))
    matches: dict[tuple[Any, ...], list[float]] = {}
    for (match, block, player, _), values in turns.items():
        matches.setdefault((match, block, player), []).append(sum(values) / len(values))
    return [(sum(values) / len(values), block) for (_, block, _), values in matches.items()]


def _place(row: MeasurementRow) -> tuple[Any, ...]:
    about = detail(row)
    return (row.game, row.match, row.player or 0, row.turn or 0, about.get("dimension", ""), about["sample"])
