"""Linear programs in exact fractions, for the few small cases in which an item fits several ingredients of a recipe.

The simplex method with Bland's rule (Bland, "New finite pivoting rules for the simplex method", Mathematics of
Operations Research 2, 1977), which always terminates.
"""

from collections.abc import Sequence
from fractions import Fraction


def maximise(
    gains: Sequence[Fraction], rows: Sequence[Sequence[Fraction]], bounds: Sequence[Fraction]
) -> tuple[Fraction, list[Fraction]]:
    """The greatest ``gains`` · x with x ≥ 0 and ``rows`` · x ≤ ``bounds``, and such an x.

    ``bounds`` must not be negative. ``OverflowError`` if there is no maximum.
    """
    count, constraints = len(gains), len(rows)
    table = [
        [*row, *(Fraction(int(i == j)) for j in range(constraints)), bound]
        for i, (row, bound) in enumerate(zip(rows, bounds, strict=True))
    ]
    costs = [*(-gain for gain in gains), *(Fraction(0) for _ in range(constraints + 1))]
    basis = list(range(count, count + constraints))
    while (entering := next((j for j, cost in enumerate(costs[:-1]) if cost < 0), None)) is not None:
        ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(table) if row[entering] > 0]
        if not ratios:
            raise OverflowError("the linear program has no greatest value")
        leaving = min(ratios)[2]
        _pivot(table, costs, leaving, entering)
        basis[leaving] = entering
    values = [Fraction(0)] * (count + constraints)
    for i, variable in enumerate(basis):
        values[variable] = table[i][-1]
    return costs[-1], values[:count]


def _pivot(table: list[list[Fraction]], costs: list[Fraction], leaving: int, entering: int) -> None:
    pivot = table[leaving][entering]
    table[leaving] = [value / pivot for value in table[leaving]]
    for i, row in enumerate(table):
        if i != leaving and row[entering]:
            factor = row[entering]
            table[i] = [a - factor * b for a, b in zip(row, table[leaving], strict=True)]
    factor = costs[entering]
    costs[:] = [a - factor * b for a, b in zip(costs, table[leaving], strict=True)]
