"""What judges gave, as tables need it: averaged over samples and turns, with what each number rests on."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import attrs
from arena.metric import Estimate, Row, Table
from arena.variants import original
from arena_metric_statistics.means import mean

from arena_metric_judge.rubric import Dimension, Rubric

SCORED: Final = "score"
"""One for each subject, dimension and sample."""

ASKED: Final = "asked"
"""One for each subject and sample: whether it was answered at last, and after how many tries."""


def detail(row: Row) -> Any:
    """What was written down beside a value."""
    return cast("Any", row.detail)


@attrs.frozen(kw_only=True)
class Scores:
    """The rows of one rubric in a fixed order."""

    rubric: Rubric
    rows: tuple[Row, ...]
    asked: tuple[Row, ...]
    level: float

    @classmethod
    def of(cls, table: Table, rubric: Rubric) -> "Scores":
        """Take what was judged by this version of a rubric; judgements by another are not mixed with it."""
        own = [row for row in table.rows if row.detail and detail(row).get("version") == rubric.version]
        own.sort(key=_place)
        return cls(
            rubric=rubric,
            rows=tuple(row for row in own if row.name == SCORED),
            asked=tuple(row for row in own if row.name == ASKED),
            level=table.level,
        )

    def joined(self) -> "Scores":
        """The same, where variants of one game are that game."""
        rows, asked = (
            tuple(attrs.evolve(row, game=original(row.game)) for row in every) for every in (self.rows, self.asked)
        )
        return attrs.evolve(self, rows=rows, asked=asked)

    @property
    def dimensions(self) -> Sequence[Dimension]:
        """What was scored."""
        return tuple(self.rubric.dimensions.values())

    def groups(self, key: Callable[[Row], tuple[Any, ...]]) -> dict[tuple[str, ...], list[Row]]:
        """Rows by a key, sorted; rows for which it has ``None`` are left out."""
        found: dict[tuple[str, ...], list[Row]] = {}
        for row in self.rows:
            values = key(row)
            if None not in values:
                found.setdefault(tuple(map(str, values)), []).append(row)
        return dict(sorted(found.items()))

    def mean(self, rows: Iterable[Row], dimension: Dimension) -> Estimate:
        """The mean over matches of the means over a player's turns of the means over samples."""
        found = per_match(row for row in rows if detail(row)["dimension"] == dimension.name)
        values, blocks = [value for value, _ in found], [block for _, block in found]
        return mean(values, clusters=blocks, level=self.level, bounds=(dimension.low, dimension.high))


def of_dimension(rows: Iterable[Row], dimension: Dimension) -> list[Row]:
    """Those of one dimension."""
    return [row for row in rows if detail(row)["dimension"] == dimension.name]


def per_match(rows: Iterable[Row]) -> list[tuple[float, str]]:
    """The mean score of each player in each match, with the block it belongs to."""
    turns: dict[tuple[Any, ...], list[float]] = {}
    for row in rows:
        turns.setdefault((row.match, row.block, row.player, row.turn), []).append(float(cast("float", row.value)))
    matches: dict[tuple[Any, ...], list[float]] = {}
    for (match, block, player, _), values in turns.items():
        matches.setdefault((match, block, player), []).append(sum(values) / len(values))
    return [(sum(values) / len(values), block) for (_, block, _), values in matches.items()]


def _place(row: Row) -> tuple[Any, ...]:
    about = detail(row)
    return (row.game, row.match, row.player or 0, row.turn or 0, about.get("dimension", ""), about["sample"])
