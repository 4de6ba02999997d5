"""Statistics of counts by category, with intervals over the units that are independent.

Entropy says how evenly the categories are used, Cohen's kappa how far two classifiers agree beyond chance. Neither is
a mean, so their intervals come from the jackknife over clusters: B. Efron and C. Stein, Annals of Statistics 9 (1981)
586-596, with Student's quantile.
"""

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt
from typing import Final, Literal

import attrs
from arena.tables import Estimate

from arena_metric_statistics.clusters import numbered, student_quantile
from arena_metric_statistics.numerics import Floats, np

LEAST: Final = 5
"""The fewest independent units that have an interval."""


def plug_in(counts: Sequence[float] | Floats) -> float:
    """Shannon's entropy of the observed shares, in bits: -sum p log2 p.

    Biased downwards, by about (categories in use - 1) / (2 n ln 2) bits.
    """
    found = np.asarray(counts, dtype=float)
    shares = found[found > 0] / found.sum()
    return float(-(shares * np.log2(shares)).sum()) + 0.0


def miller_madow(counts: Sequence[float] | Floats) -> float:
    """``plug_in`` with the first term of its bias added, from the categories that were seen.

    G. A. Miller, in H. Quastler (ed.), Information Theory in Psychology (1955) 95-100.
    """
    found = np.asarray(counts, dtype=float)
    return plug_in(found) + (np.count_nonzero(found) - 1) / (2 * float(found.sum()) * log(2))


def cohens_kappa(confusion: Sequence[Sequence[float]] | Floats) -> float | None:
    """Agreement beyond chance of two classifiers, from their square confusion matrix.

    ``None`` if it is not defined, since both put everything into the same single category. J. Cohen, Educational and
    Psychological Measurement 20 (1960) 37-46.
    """
    shares = np.asarray(confusion, dtype=float)
    shares = shares / shares.sum()
    by_chance = float(shares.sum(axis=0) @ shares.sum(axis=1))
    return None if by_chance >= 1 - 1e-12 else (float(np.trace(shares)) - by_chance) / (1 - by_chance)


def entropy(
    labels: Sequence[Hashable],
    *,
    clusters: Sequence[Hashable],
    method: Literal["plug-in", "Miller-Madow"] = "plug-in",
    level: float = 0.95,
    unit: str = "matches",
) -> Estimate:
    """The entropy of ``labels`` in bits, with a jackknife interval over clusters."""
    if not labels:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    statistic = plug_in if method == "plug-in" else miller_madow
    found = jackknife(_counts(labels, clusters), statistic, level=level, bounds=(0.0, None), unit=unit)
    assert found is not None  # every label counts, so there is an entropy
    return _named(found, method)


def kappa(
    first: Sequence[str],
    second: Sequence[str],
    *,
    clusters: Sequence[Hashable],
    level: float = 0.95,
    unit: str = "matches",
) -> Estimate:
    """Cohen's kappa of two classifications of the same things; no value if it is not defined."""
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} labels do not match")
    groups = len(set(clusters))
    if not first:
        return Estimate(value=None, n=0, level=level, unit=unit, method="nothing observed")
    labels = sorted({*first, *second})
    places = {label: i for i, label in enumerate(labels)}
    size = len(labels)
    cells = [places[a] * size + places[b] for a, b in zip(first, second, strict=True)]
    counts = _counts(cells, clusters, range(size * size))
    found = jackknife(counts, lambda c: cohens_kappa(c.reshape(size, size)), level=level, bounds=(-1.0, 1.0), unit=unit)
    if found is None:
        return Estimate(value=None, n=groups, level=level, unit=unit, method="not defined: one category alone")
    return _named(found, "Cohen")


def jackknife(
    counts: Floats,
    statistic: Callable[[Floats], float | None],
    *,
    level: float = 0.95,
    bounds: tuple[float | None, float | None] = (None, None),
    unit: str = "matches",
) -> Estimate | None:
    """A statistic of the column sums of ``counts``, which has a row for each independent unit.

    ``None`` if the statistic has no value. There is no interval with fewer than ``LEAST`` units, if leaving out a unit
    makes no difference, or if the statistic has no value without some unit; ``method`` says which.
    """
    total = counts.sum(axis=0)
    value, n = statistic(total), len(counts)
    if value is None:
        return None
    if n < LEAST:
        why = f"no interval: fewer than {LEAST} {unit}"
        return Estimate(value=value, n=n, level=level, unit=unit, method=why)
    without = [statistic(total - row) if (total - row).sum() > 0 else None for row in counts]
    known = [each for each in without if each is not None]
    spread = sqrt((n - 1) / n * sum((each - sum(known) / n) ** 2 for each in known)) if len(known) == n else 0.0
    if spread <= 1e-12:
        why = "without a spread" if len(known) == n else "too few to tell"
        return Estimate(value=value, n=n, level=level, unit=unit, method=f"no interval: {why}")
    reach = student_quantile(level, n - 1) * spread
    low, high = bounds
    return Estimate(
        value=value,
        n=n,
        low=value - reach if low is None else max(low, value - reach),
        high=value + reach if high is None else min(high, value + reach),
        standard_error=spread,
        level=level,
        unit=unit,
        method=f"jackknife of {unit}",
    )


def _named(found: Estimate, name: str) -> Estimate:
    return attrs.evolve(found, method=f"{name}, {found.method}")


def _counts(
    labels: Sequence[Hashable], clusters: Sequence[Hashable], columns: Sequence[Hashable] | None = None
) -> Floats:
    """How often each label came up, by cluster."""
    if len(labels) != len(clusters):
        raise ValueError(f"{len(labels)} labels and {len(clusters)} clusters do not match")
    places = {label: i for i, label in enumerate(dict.fromkeys(labels) if columns is None else columns)}
    rows = numbered(clusters)
    counts = np.zeros((int(rows.max()) + 1, len(places)))
    for row, label in zip(rows, labels, strict=True):
        counts[row, places[label]] += 1
    return counts
