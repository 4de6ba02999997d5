"""Measures how far two raters agree on a dimension: in per cent, by mean absolute error, and beyond chance."""

from collections.abc import Iterable, Sequence

import attrs
from arena.tables import Cell, Column
from arena_metric_outcomes.columns import counts, numbers, shares
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.tallies import kappa

from arena_metric_judge.dimension import Dimension, Scored

NEAR = 0.1
"""The largest difference, as a share of a continuous scale, at which two scores still agree."""


@attrs.frozen
class Pair:
    """Two raters' scores of the same thing, and the block of matches it belongs to."""

    first: Scored
    second: Scored
    block: str

    @property
    def error(self) -> float:
        """How far the scores are apart; 0 for two equal words and 1 for two different ones."""
        if isinstance(self.first, str) or isinstance(self.second, str):
            return float(self.first != self.second)
        return abs(self.first - self.second)


def columns() -> tuple[Column, ...]:
    """The columns that belong to the cells of ``cells``."""
    return (*counts("pairs"), *shares("agreement"), *numbers("mean absolute error", "Cohen's kappa"))


def cells(pairs: Sequence[Pair], dimension: Dimension, level: float) -> tuple[Cell, ...]:
    """The figures of agreement of two raters on one dimension, with intervals over blocks."""
    if not pairs:
        return (0, None, None, None)
    blocks = [pair.block for pair in pairs]
    errors = [pair.error for pair in pairs]
    width = dimension.high - dimension.low
    near = 0.0 if dimension.has_steps else NEAR * width
    return (
        len(pairs),
        share([error <= near + 1e-12 for error in errors], clusters=blocks, level=level),
        None if dimension.choices else mean(errors, clusters=blocks, level=level, bounds=(0.0, width)),
        kappa(
            [_label(pair.first, dimension) for pair in pairs],
            [_label(pair.second, dimension) for pair in pairs],
            clusters=blocks,
            level=level,
            unit="blocks",
        ),
    )


def note(dimensions: Iterable[Dimension]) -> str:
    """The table's note on what the figures mean for these scales."""
    if all(d.has_steps for d in dimensions):
        return "Agreement is the share of equal scores; kappa is agreement beyond chance."
    return (
        f"On scales without steps two scores agree if they are at most {NEAR:.0%} of the scale apart, and kappa is "
        "that of the lower and the upper half of the scale."
    )


def _label(score: Scored, dimension: Dimension) -> str:
    if isinstance(score, str):
        return score
    if dimension.has_steps:
        return f"{score:g}"
    return "high" if score >= (dimension.low + dimension.high) / 2 else "low"
