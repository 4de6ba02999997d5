"""Integer programs, built row by row and solved by HiGHS.

HiGHS (Huangfu and Hall, "Parallelizing the dual revised simplex method", Mathematical Programming Computation 10, 2018)
reckons in floating point, to within 1e-6; the programs here have small rational coefficients. Whoever asks must play
what is found again in exact fractions. No clock is involved: the only limit is how many nodes are looked at.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import inf
from typing import Any, Literal, cast

import attrs

Status = Literal["found", "none", "unknown"]
"""``found``; ``none`` where it is proved that there is none; ``unknown`` where a limit was hit first."""


@attrs.frozen
class Solved:
    """An optimum by column, where there is one."""

    status: Status
    values: Sequence[float] = ()

    def whole(self, column: int) -> int:
        """The value of a column that is a whole number."""
        return round(self.values[column])


@attrs.define(eq=False)
class Program:
    """Minimise what the columns cost, each at least 0, within bounds on sums of them."""

    _costs: list[float] = attrs.field(factory=list, init=False)
    _uppers: list[float] = attrs.field(factory=list, init=False)
    _whole: list[bool] = attrs.field(factory=list, init=False)
    _bounds: list[tuple[float, float]] = attrs.field(factory=list, init=False)
    _entries: list[tuple[int, int, float]] = attrs.field(factory=list, init=False)

    def column(self, cost: float = 0.0, upper: float = inf, *, whole: bool = True) -> int:
        """A quantity from 0 to ``upper``; its number."""
        self._costs.append(cost)
        self._uppers.append(upper)
        self._whole.append(whole)
        return len(self._costs) - 1

    def row(self, terms: Iterable[tuple[int, Fraction | float]], lower: float = 0.0, upper: float = inf) -> None:
        """``lower`` ≤ the sum of column times factor ≤ ``upper``; a column may be named more than once."""
        self._entries.extend((len(self._bounds), column, float(factor)) for column, factor in terms)
        self._bounds.append((lower, upper))

    def solve(self, nodes: int) -> Solved:
        """The cheapest values, looking at ``nodes`` nodes at most."""
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
