"""How often the printed 95 % intervals of shares and means hold the true value, by number of blocks and clustering.

    python plugins/metrics/statistics/scripts/coverage.py [--runs 100]

Blocks of one match, or of four that are independent, half alike or alike. Each cell is a mean over true values, or over
distributions of returns, with the least of them and the share of runs that have an interval at all.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np
from arena.tables import Estimate
from arena_metric_statistics.means import mean
from arena_metric_statistics.numerics import Floats
from arena_metric_statistics.proportions import share

BLOCKS: Final = (5, 10, 30, 100)
ALIKE: Final = {"single": (1, 0.0), "independent": (4, 0.0), "half alike": (4, 0.5), "alike": (4, 1.0)}
"""Matches in a block, and how probable it is that one repeats the first of its block."""

SHARES: Final = (0.01, 0.03, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.97, 0.99)

Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]
Bounds = tuple[float | None, float | None]


class Returns(NamedTuple):
    """A distribution of returns with its mean, and the bounds that the game states."""

    name: str
    draw: Draw
    mean: float
    bounds: Bounds


def _heavy(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.clip(rng.standard_t(2.1, shape), -100, 100)


def _skewed(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.where(rng.random(shape) < 0.05, 19.0, -1.0)


def _points(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return rng.integers(0, 4, shape).astype(float)


def _score(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    return np.clip(rng.normal(12, 6, shape).round(), 0, 25)


BOUNDED: Final = (
    Returns("0 to 3", _points, 1.5, (0.0, 3.0)),
    Returns("lose 1 in 95 %, win 19 in 5 %", _skewed, 0.0, (-1.0, 19.0)),
    Returns("heavy tails within 100", _heavy, 0.0, (-100.0, 100.0)),
    Returns("scores of 0 to 25", _score, 12.0, (0.0, 25.0)),
)
OPEN: Final = (
    Returns("normal", lambda rng, shape: rng.normal(size=shape), 0.0, (None, None)),
    Returns("even", lambda rng, shape: rng.uniform(-1, 1, shape), 0.0, (None, None)),
    Returns("lengths", lambda rng, shape: rng.gamma(4.0, 1.0, shape), 4.0, (0.0, None)),
)


def blocks_of(draw: Draw, rng: np.random.Generator, blocks: int, matches: int, alike: float) -> Floats:
    """The values of each match, by block."""
    values = draw(rng, (blocks, matches))
    repeats = rng.random((blocks, matches)) < alike
    return np.where(repeats, values[:, :1], values)


def coverage(
    draw: Draw,
    true: float,
    estimate: Callable[[Floats, list[int]], Estimate],
    design: tuple[int, int, float],
    runs: int,
) -> tuple[float, float]:
    """How often printed intervals hold the true value, and how often one is printed."""
    blocks, matches, alike = design
    labels = [block for block in range(blocks) for _ in range(matches)]
    held = printed = 0
    for seed in range(runs):
        values = blocks_of(draw, np.random.default_rng(seed), blocks, matches, alike)
        found = estimate(values.ravel(), labels)
        if found.low is not None and found.high is not None:
            printed += 1
            held += found.low <= true <= found.high
    return (held / printed if printed else 1.0), printed / runs


def of_shares(design: tuple[int, int, float], runs: int) -> list[tuple[float, float]]:
    """The coverage of each true share."""

    def wins(p: float) -> Draw:
        return lambda rng, shape: (rng.random(shape) < p).astype(float)

    return [coverage(wins(p), p, lambda values, labels: share(values, clusters=labels), design, runs) for p in SHARES]


def of_means(returns: tuple[Returns, ...], design: tuple[int, int, float], runs: int) -> list[tuple[float, float]]:
    """The coverage of each distribution of returns."""
    return [
        coverage(
            each.draw,
            each.mean,
            lambda values, labels, bounds=each.bounds: mean(values, clusters=labels, bounds=bounds),
            design,
            runs,
        )
        for each in returns
    ]


def rows(runs: int) -> Iterator[tuple[str, int, str, list[tuple[float, float]]]]:
    """The kind of number, blocks, clustering and coverages of each cell."""
    for blocks in BLOCKS:
        for name, (matches, alike) in ALIKE.items():
            design = (blocks, matches, alike)
            yield "share", blocks, name, of_shares(design, runs)
            yield "mean, bounded", blocks, name, of_means(BOUNDED, design, runs)
            yield "mean, no bounds", blocks, name, of_means(OPEN, design, runs)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100, help="simulated runs for each true value (100)")
    runs = parser.parse_args().runs
    sys.stdout.write(f"{'number':<17}{'blocks':>7}  {'matches of a block':<20}{'mean':>6}{'least':>7}{'printed':>9}\n")
    for kind, blocks, name, found in rows(runs):
        held, printed = zip(*found, strict=True)
        told = f"{np.mean(held):>6.3f}{min(held):>7.3f}{np.mean(printed):>9.3f}"
        sys.stdout.write(f"{kind:<17}{blocks:>7}  {name:<20}{told}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
