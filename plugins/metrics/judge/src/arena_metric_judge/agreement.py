"""Measures how far two raters agree on a dimension: in per cent, by mean absolute error, and beyond chance."""

from collections.abc import Iterable, Sequence

import attrs
from arena.tables import Cell, Column
from arena_metric_outcomes.columns import counts, numbers, shares
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.tallies import kappa

from arena_metric_judge.rubric import Dimension

NEAR = 0.1
"""The largest difference, as a share of a continuous scale, at which two scores still agree."""


@attrs.frozen
class Pair:
    """Two raters' scores of the same thing, and the block of matches it belongs to."""

    first: float
    second: float
    block: str


def columns() -> tuple[Column, ...]:
    """The columns that belong to the cells of ``cells``."""
    return (*counts("pairs"), *shares("agreement"), *numbers("mean absolute error", "Cohen's kappa"))


def cells(pairs: Sequence[Pair], dimension: Dimension, level: float) -> tuple[Cell, ...]:
    """The figures of agreement of two raters on one dimension, with intervals over blocks."""
    if not pairs:
        return (0, None, None, None)
    blocks = [pair.block for pair in pairs]
    errors = [abs(pair.first - pair.second) for pair in pairs]
    width = dimension.high - dimension.low
    near = 0.0 if dimension.boolean or dimension.whole else NEAR * width
    return (
        len(pairs),
        share([error <= near + 1e-12 for error in errors], clusters=blocks, level=level),
        mean(errors, clusters=blocks, level=level, bounds=(0.0, width)),
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
    if all(d.boolean or d.whole for d in dimensions):
        return "Agreement is the share of equal scores; kappa is agreement beyond chance."
    return (
        f"On scales without steps two scores agree if they are at most {NEAR:.0%} of the scale apart, and kappa is "
        "that of the lower and the upper half of the scale."
    )


def _label(score: float, dimension: Dimension) -> str:
    if dimension.boolean or dimension.whole:
        return f"{score:g}"
    return "high" if score >= (dimension.low + dimension.high) / 2 else "low"
