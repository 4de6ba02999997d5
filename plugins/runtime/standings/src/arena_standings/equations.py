"""The estimating equations: a strength for each agent, an advantage of the first seat for each game.

For a row of wins the residual is w (y − F(η)) with η = θ_i − θ_j ± γ and F the logistic function, for a row that pays
w (x − η) / 4: one quarter is the slope of F at equality, so both add up in one unit, log-odds. Each strength has the
weight of one drawn match against an average opponent beside its rows, which keeps a perfect score finite; where all
games pay it has none. As soon as an agent was disqualified everybody has a second strength, from its own rows with each
disqualification as a loss, against the first strengths of its opponents.
"""

from collections.abc import Sequence
from typing import Any, Final

import attrs
import numpy as np

from arena_standings.rows import FIELD, Row, Rows

Array = np.ndarray[Any, np.dtype[np.float64]]

_STEPS: Final = 60
_CLOSE: Final = 1e-10
_LONGEST: Final = 3.0
"""The longest step of Newton's method, in log-odds."""


@attrs.define(eq=False, kw_only=True)
class _Sparse:
    """A sum of cells into equations, for many values of the cells at once: entries sorted by where they go."""

    size: int
    targets: Any
    starts: Any
    cells: Any
    factors: Any

    @classmethod
    def of(cls, entries: Sequence[tuple[int, int, float]], size: int) -> "_Sparse":
        """From places, cells and factors."""
        array = np.array(sorted(entries), dtype=float).reshape(-1, 3)
        places = array[:, 0].astype(np.intp)
        targets, starts = np.unique(places, return_index=True)
        return cls(
            size=size, targets=targets, starts=starts, cells=array[:, 1].astype(np.intp), factors=array[:, 2].copy()
        )

    def of_cells(self, values: Array) -> Array:
        """The sums, of values with a line for each case and a column for each cell."""
        found = np.zeros((len(values), self.size))
        if len(self.targets):
            found[:, self.targets] = np.add.reduceat(values[:, self.cells] * self.factors, self.starts, axis=1)
        return found


class Equations:
    """The equations of one set of rows; parameters are strengths, seats, means of games, second strengths.

    Rows that say the same of the same agents, seats and game are one cell.
    """

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        agents = len(rows.agents)
        seats = sorted(rows.seats)
        fields = sorted({row.game for row in rows.rows if row.second == FIELD})
        self.seats = len(seats)
        self.plays = agents + len(seats) + len(fields)
        self.size = self.plays + (agents if rows.refused else 0)
        self.weight = 0.0 if rows.has_only_pays else 1.0
        seat_of = {game: agents + i for i, game in enumerate(seats)}
        field_of = {game: agents + len(seats) + i for i, game in enumerate(fields)}
        cells: dict[tuple[object, ...], int] = {}
        equations: list[tuple[tuple[int, float], ...]] = []
        predictors: list[tuple[tuple[int, float], ...]] = []
        pays: list[bool] = []
        entries: list[tuple[int, int, float, float, float]] = []

        def add(
            key: tuple[object, ...],
            equation: tuple[tuple[int, float], ...],
            predictor: tuple[tuple[int, float], ...],
            row: Row,
            value: float,
        ) -> None:
            if key not in cells:
                cells[key] = len(equations)
                equations.append(equation)
                predictors.append(predictor)
                pays.append(rows.pays[row.game])
            entries.append((row.cluster, cells[key], row.weight, row.weight * value, row.weight**2))

        for row in rows.rows:
            seat = ((seat_of[row.game], float(row.seat)),) if row.seat and row.game in seat_of else ()
            other = ((field_of[row.game], 1.0),) if row.second == FIELD else ((row.second, -1.0),)
            if row.play:
                told = ((row.first, 1.0), *other, *seat)
                add((row.game, row.first, row.second, row.seat), told, told, row, row.value)
            if rows.refused:
                own = ((self.plays + row.first, 1.0), *other, *seat)
                add((row.game, row.first, row.second, row.seat, "own"), own[:1], own, row, row.value)
                if row.play and row.second != FIELD:
                    value = -row.value if rows.pays[row.game] else 1 - row.value
                    own = ((self.plays + row.second, 1.0), (row.first, -1.0), *((p, -f) for p, f in seat))
                    add((row.game, row.second, row.first, -row.seat, "own"), own[:1], own, row, value)
        self.pays = np.array(pays, dtype=bool)
        table = np.array(sorted(entries), dtype=float).reshape(-1, 5)
        clusters, self._cells = table[:, 0].astype(np.intp), table[:, 1].astype(np.intp)
        self._entry_weights, self._entry_values = table[:, 2].copy(), table[:, 3].copy()
        self.clusters, self._starts = np.unique(clusters, return_index=True)
        count = len(equations)
        self._weights = np.bincount(self._cells, self._entry_weights, count)
        self._values = np.bincount(self._cells, self._entry_values, count)
        self._squares = np.bincount(self._cells, table[:, 4], count)
        self._predict = _Sparse.of([(c, p, f) for c, own in enumerate(predictors) for p, f in own], count)
        self._gather = _Sparse.of([(e, c, f) for c, own in enumerate(equations) for e, f in own], self.size)
        self._weigh = _Sparse.of([(c, e, f) for c, own in enumerate(equations) for e, f in own], count)
        self._cross = _Sparse.of(
            [
                (e * self.size + p, c, f * g)
                for c, (own, told) in enumerate(zip(equations, predictors, strict=True))
                for e, f in own
                for p, g in told
            ],
            self.size**2,
        )
        self._penalised = np.ones(self.size)
        self._penalised[agents + len(seats) : self.plays] = 0.0
        self._pin = np.zeros((self.size, self.size))
        if not self.weight:
            self._pin[:agents, :agents] = 1 / agents

    def _odds(self, strengths: Array) -> tuple[Array, Array, Array]:
        """For each cell: what it predicts, the sum of residuals, and of slopes."""
        eta = self._predict.of_cells(strengths)
        expected = 1 / (1 + np.exp(-eta))
        residual = np.where(
            self.pays, (self._values - self._weights * eta) / 4, self._values - self._weights * expected
        )
        slope = np.where(self.pays, self._weights / 4, self._weights * expected * (1 - expected))
        return eta, residual, slope

    def _sums(self, strengths: Array, residual: Array) -> Array:
        """How far each equation is from being solved."""
        found = self._gather.of_cells(residual) - strengths @ self._pin
        if self.weight:
            found += self.weight * self._penalised * (0.5 - 1 / (1 + np.exp(-strengths)))
        return found

    def _matrix(self, strengths: Array, slope: Array) -> Array:
        """The derivatives of the equations by the parameters, with the other sign."""
        found = self._cross.of_cells(slope).reshape(-1, self.size, self.size) + self._pin
        if self.weight:
            expected = 1 / (1 + np.exp(-strengths))
            places = np.arange(self.size)
            found[:, places, places] += self.weight * self._penalised * expected * (1 - expected)
        return found

    def fit(self) -> Array:
        """The strengths that solve all equations."""
        return self._solved(np.zeros((1, self.size)), None, None)[0]

    def fit_at(self, start: Array, contrasts: Array, leads: Array) -> Array:
        """The strengths for each contrast held at its lead; second strengths move alone, for their own contrasts."""
        return self._solved(start, contrasts, leads)

    def _solved(self, start: Array, contrasts: Array | None, leads: Array | None) -> Array:
        strengths = start.copy()
        cases, size = strengths.shape
        bordered = np.zeros((cases, size + 1, size + 1))
        right = np.zeros((cases, size + 1))
        fixed = np.zeros((cases, size), dtype=bool)
        if contrasts is not None and self.size > self.plays:
            of_second = np.abs(contrasts[:, self.plays :]).sum(axis=1) > 0
            fixed[:, : self.plays] = of_second[:, None]
            fixed[:, self.plays :] = ~of_second[:, None]
        multiplier = np.zeros(cases)
        active = np.arange(cases)
        for _ in range(_STEPS):
            now, held = strengths[active], fixed[active]
            _, residual, slope = self._odds(now)
            sums, matrix = self._sums(now, residual), self._matrix(now, slope)
            if contrasts is None or leads is None:
                step = np.linalg.solve(matrix, sums[..., None])[..., 0]
            else:
                directions = contrasts[active]
                sums = np.where(held, 0.0, sums - multiplier[active, None] * directions)
                matrix[held] = 0.0
                matrix.transpose(0, 2, 1)[held] = 0.0
                places = np.arange(size)
                matrix[:, places, places] += held
                border, side = bordered[active], right[active]
                border[:, :size, :size] = matrix
                border[:, :size, size] = border[:, size, :size] = np.where(held, 0.0, directions)
                side[:, :size] = sums
                side[:, size] = leads[active] - (now * directions).sum(axis=1)
                whole = np.linalg.solve(border, side[..., None])[..., 0]
                step = whole[:, :size]
                multiplier[active] += whole[:, size]
            longest = np.abs(step).max(axis=1)
            strengths[active] = now + step * np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))[:, None]
            active = active[longest > _CLOSE]
            if not len(active):
                break
        return strengths

    def scores(self, strengths: Array, contrasts: Array) -> "Scores":
        """What each cluster says against each contrast, at the strengths that belong to it."""
        eta, _, slope = self._odds(strengths)
        matrix = self._matrix(strengths, slope)
        turned = np.linalg.solve(matrix.transpose(0, 2, 1), contrasts[..., None])[..., 0]
        turned /= (turned * contrasts).sum(axis=1)[:, None]
        weights = self._weigh.of_cells(turned)
        expected = 1 / (1 + np.exp(-eta))
        return Scores(self, weights, eta, expected)

    def by_cluster(self, weights: Array, eta: Array, expected: Array, only: Array | None = None) -> Array:
        """Residuals times weights, summed by cluster; ``only`` are the cells that are counted."""
        used = weights if only is None else weights * only
        cells = self._cells
        value = np.where(
            self.pays[cells],
            (self._entry_values - self._entry_weights * eta[:, cells]) / 4,
            self._entry_values - self._entry_weights * expected[:, cells],
        )
        return np.add.reduceat(value * used[:, cells], self._starts, axis=1)

    def sums(self, weights: Array, eta: Array, expected: Array) -> Array:
        """Residuals times weights, summed over everything."""
        pays = (self._values - self._weights * eta) / 4
        return (np.where(self.pays, pays, self._values - self._weights * expected) * weights).sum(axis=1)

    def model_variance(self, weights: Array, expected: Array) -> Array:
        """The variance of the scores of wins, as the model has it."""
        spread = self._squares * expected * (1 - expected) * weights**2
        return (spread * ~self.pays).sum(axis=1)


@attrs.define(eq=False)
class Scores:
    """Effective scores of some contrasts: a line for each contrast."""

    _equations: Equations
    _weights: Array
    _eta: Array
    _expected: Array

    def by_cluster(self) -> Array:
        """The scores, a column for each cluster."""
        return self._equations.by_cluster(self._weights, self._eta, self._expected)

    def of_wins(self) -> Array:
        """The scores of rows of wins alone."""
        return self._equations.by_cluster(self._weights, self._eta, self._expected, ~self._equations.pays)

    def of_pays_squared(self) -> Array:
        """The sum of squares of the scores of rows that pay alone."""
        if not self._equations.pays.any():
            return np.zeros(len(self._weights))
        only = self._equations.pays * 1.0
        return (self._equations.by_cluster(self._weights, self._eta, self._expected, only) ** 2).sum(axis=1)

    def sums(self) -> Array:
        """The sum over all clusters."""
        return self._equations.sums(self._weights, self._eta, self._expected)

    def model_variance(self) -> Array:
        """The variance of the sum of wins by the model."""
        return self._equations.model_variance(self._weights, self._expected)
