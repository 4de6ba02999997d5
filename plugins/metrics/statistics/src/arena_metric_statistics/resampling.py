"""Bootstrap intervals that resample the independent units."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Final, Literal

from arena.tables import Estimate

from arena_metric_statistics.clusters import numbered
from arena_metric_statistics.numerics import AT_ONCE, ArrayLike, Floats, Integers, np, special

Statistic = Callable[[Floats], float]

LEAST: Final = 10
"""The fewest independent units that are resampled: intervals of fewer are far too narrow."""


def bootstrap(
    values: ArrayLike,
    statistic: Statistic,
    *,
    clusters: Sequence[Hashable] | None = None,
    method: Literal["bca", "percentile"] = "bca",
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    unit: str = "matches",
) -> Estimate:
    """A statistic of ``values`` that is no mean, ratio or share, with an interval by resampling whole clusters.

    ``values`` has one observation per row and ``statistic`` gets the rows that were drawn; those with the same label in
    ``clusters`` are drawn together. Equal seeds give equal intervals. With fewer than ``LEAST`` clusters, or a
    statistic that does not vary, there is no interval, and ``method`` says why. BCa: B. Efron, Journal of the American
    Statistical Association 82 (1987) 171-185.
    """
    rows = np.asarray(values, dtype=float)
    if len(rows) == 0:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    drawing = _Drawing(rows, np.arange(len(rows)) if clusters is None else numbered(clusters), statistic)
    are_single = drawing.clusters == len(rows)
    name = unit if are_single else "blocks"
    value, n = drawing.value(), drawing.clusters
    if n < LEAST:
        why = f"no interval: fewer than {LEAST} {name}"
        return Estimate(value=value, n=n, level=level, unit=name, method=why)
    drawn = drawing.replicates(resamples, np.random.default_rng(seed))
    if np.ptp(drawn) <= 1e-12 * max(abs(value), 1.0):
        return Estimate(value=value, n=n, level=level, unit=name, method=f"no interval: all {n} {name} agree")
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if method == "bca":
        tails = _corrected(tails, value, drawn, drawing.left_out())
    low, high = np.quantile(drawn, tails)
    return Estimate(
        value=value,
        n=n,
        low=float(low),
        high=float(high),
        standard_error=float(drawn.std(ddof=1)),
        level=level,
        unit=name,
        method=f"bootstrap of {name} ({'BCa' if method == 'bca' else 'percentile'}, {resamples} resamples)",
    )


def ratio_of_sums(
    values: ArrayLike,
    bases: ArrayLike,
    *,
    clusters: Sequence[Hashable],
    level: float = 0.95,
    resamples: int = 2_000,
    seed: int = 0,
    unit: str = "matches",
) -> Estimate:
    """The sum of ``values`` over that of ``bases``, each 0 or more, with a percentile interval by resampling clusters.

    There is no value if all bases are 0. What is drawn may have values and no bases: if that happens too often for an
    upper end of the interval, it has none. Draws with neither are left out. ``n`` counts clusters with a value or base.
    """
    tops, bottoms = np.asarray(values, dtype=float), np.asarray(bases, dtype=float)
    is_there = tops + bottoms > 0
    labels = [label for label, there in zip(clusters, is_there, strict=True) if there]
    n, total = len(set(labels)), float(bottoms.sum())
    name = unit if n == len(labels) else "blocks"
    if total <= 0:
        method = "nothing observed" if not labels else "not defined: nothing to divide by"
        return Estimate(value=None, n=n, level=level, unit=name, method=method)
    value = float(tops.sum() / total)
    if n < LEAST:
        why = f"no interval: fewer than {LEAST} {name}"
        return Estimate(value=value, n=n, level=level, unit=name, method=why)
    places = numbered(labels)
    sums = (np.bincount(places, each[is_there]).astype(float) for each in (tops, bottoms))
    above, below = _drawn_sums(*sums, resamples=resamples, rng=np.random.default_rng(seed))
    drawn = np.full(resamples, np.inf)
    np.divide(above, below, out=drawn, where=below > 0)
    drawn = drawn[above + below > 0]
    if drawn.max() <= drawn.min() * (1 + 1e-12):
        return Estimate(value=value, n=n, level=level, unit=name, method=f"no interval: all {n} {name} agree")
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], method="inverted_cdf")
    return Estimate(
        value=value,
        n=n,
        low=float(low),
        high=float(high) if np.isfinite(high) else None,
        level=level,
        unit=name,
        method=f"bootstrap of {name} (percentile, {resamples} resamples)",
    )


def redrawn(clusters: Sequence[Hashable], *, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield for each resample how often each observation is drawn; those of one cluster are drawn together.

    For estimates of many numbers at once, such as the strengths of all agents.
    """
    labels = numbered(clusters)
    count = int(labels.max(initial=-1)) + 1
    rng = np.random.default_rng(seed)
    for _ in range(resamples):
        yield np.bincount(rng.integers(count, size=count), minlength=count)[labels].astype(float)


def _drawn_sums(sums: Floats, bases: Floats, *, resamples: int, rng: "np.random.Generator") -> tuple[Floats, Floats]:
    """The sums of both in each draw of clusters."""
    n = len(sums)
    above, below = np.empty(resamples), np.empty(resamples)
    step = max(1, AT_ONCE // n)
    for start in range(0, resamples, step):
        picks = rng.integers(n, size=(min(step, resamples - start), n))
        above[start : start + step] = sums[picks].sum(axis=1)
        below[start : start + step] = bases[picks].sum(axis=1)
    return above, below


class _Drawing:
    """A statistic of all clusters, of clusters drawn with replacement, and of all clusters but one."""

    def __init__(self, rows: Floats, labels: Integers, statistic: Statistic) -> None:
        self._rows = rows
        self._members = [np.flatnonzero(labels == k) for k in range(int(labels.max()) + 1)]
        self._statistic = statistic

    @property
    def clusters(self) -> int:
        return len(self._members)

    def value(self) -> float:
        return self._statistic(self._rows)

    def replicates(self, resamples: int, rng: "np.random.Generator") -> Floats:
        n = self.clusters
        drawn = (rng.integers(n, size=n) for _ in range(resamples))
        return np.array([self._of(picks) for picks in drawn])

    def left_out(self) -> Floats:
        every = np.arange(self.clusters)
        return np.array([self._of(np.delete(every, k)) for k in every])

    def _of(self, picks: Integers) -> float:
        return self._statistic(self._rows[np.concatenate([self._members[k] for k in picks])])


def _corrected(tails: Floats, value: float, drawn: Floats, left_out: Floats) -> Floats:
    """The BCa tails: shifted for the bias and the skewness of the replicates."""
    below = ((drawn < value).mean() + (drawn <= value).mean()) / 2
    bias = special.ndtri(np.clip(below, 1 / len(drawn), 1 - 1 / len(drawn)))
    off = left_out.mean() - left_out
    squares = float((off**2).sum())
    skew = float((off**3).sum()) / (6 * squares**1.5) if squares > 0 else 0.0
    shifted = bias + special.ndtri(tails)
    return special.ndtr(bias + shifted / (1 - skew * shifted))
