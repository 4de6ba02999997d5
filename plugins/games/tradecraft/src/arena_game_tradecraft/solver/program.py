"""Integer programs, built row by row and solved by HiGHS.

HiGHS (Huangfu and Hall, "Parallelizing the dual revised simplex method", Mathematical Programming Computation 10, 2018)
computes in floating point, to within 1e-6; the programs here have small rational coefficients. Callers must replay what
is found in exact fractions. No clock is involved: the only limit is the number of searched nodes.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import Any, Literal, cast

import attrs

Status = Literal["found", "none", "unknown"]
"""``found``; ``none`` if it is proved that there is no solution; ``unknown`` if a limit was reached first."""


@attrs.frozen
class Solved:
    """The optimal value of each column, if there is an optimum."""

    status: Status
    values: Sequence[float] = ()

    def whole(self, column: int) -> int:
        """The value of an integer column."""
        return round(self.values[column])


@attrs.define(eq=False)
class Program:
    """Minimises the total cost of columns that are at least 0, subject to bounds on weighted sums of them."""

    _costs: list[float] = attrs.field(factory=list, init=False)
    _uppers: list[float] = attrs.field(factory=list, init=False)
    _whole: list[bool] = attrs.field(factory=list, init=False)
    _bounds: list[tuple[float, float]] = attrs.field(factory=list, init=False)
    _entries: list[tuple[int, int, float]] = attrs.field(factory=list, init=False)

    def column(self, cost: float = 0.0, upper: float = inf, *, whole: bool = True) -> int:
        """Add a variable from 0 to ``upper``; returns its number."""
        self._costs.append(cost)
        self._uppers.append(upper)
        self._whole.append(whole)
        return len(self._costs) - 1

    def row(self, terms: Iterable[tuple[int, Fraction | float]], lower: float = 0.0, upper: float = inf) -> None:
        """Add the constraint ``lower`` ≤ Σ factor · column ≤ ``upper``; a column may occur more than once."""
        self._entries.extend((len(self._bounds), column, float(factor)) for column, factor in terms)
        self._bounds.append((lower, upper))

    def solve(self, nodes: int) -> Solved:
        """Find values of least cost, searching at most ``nodes`` nodes."""
        if not self._costs:
            return Solved("found" if all(low <= 0 <= high for low, high in self._bounds) else "none")
        # scipy takes a while to import, and most matches never ask
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_array

        size = (len(self._bounds), len(self._costs))
        constraints = []
        if self._bounds:
            rows, columns, factors = zip(*self._entries, strict=True) if self._entries else ((), (), ())
            matrix = coo_array((factors, (rows, columns)), shape=size).tocsr()
            lower, upper = zip(*self._bounds, strict=True)
            constraints = [LinearConstraint(matrix, cast("Any", lower), cast("Any", upper))]
        result = milp(
            self._costs,
            integrality=[int(is_whole) for is_whole in self._whole],
            bounds=Bounds(0, cast("Any", self._uppers)),
            constraints=constraints,
            options={"node_limit": nodes, "mip_rel_gap": 0.0},
        )
        if result.status == _INFEASIBLE:
            return Solved("none")
        return Solved("found", tuple(result.x)) if result.status == _OPTIMAL else Solved("unknown")


_OPTIMAL = 0
_INFEASIBLE = 2
