"""The estimating equations: a strength for each agent, an advantage of the first seat for each game.

For a row of wins the residual is w (y − F(η)) with η = θ_i − θ_j ± ``seat`` and F the logistic function, for a row that
pays w (x − η) / 4: one quarter is the slope of F at equality, so both add up in one unit, log-odds. Each strength has
the weight of one drawn match against an average opponent beside its rows, which keeps a perfect score finite; where all
games pay it has none. As soon as an agent was disqualified everybody has a second strength, from its own rows with each
disqualification as a loss, against the first strengths of its opponents.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import attrs
import numpy as np

from arena_standings.rows import FIELD, Bools, Columns, Floats, Ints, PairRows

_STEPS: Final = 60
_CLOSE: Final = 1e-7
"""Newton's method ends with a step below this; the distance left is its square."""

_RIDGE: Final = 1e-6
"""The weight with which strengths are drawn to 0 where all games pay: their sum is 0, and who never played is there."""

_LEAST: Final = 1e-12
"""The same elsewhere, so that the equations have a solution also where no result could be a surprise any more."""

_LONGEST: Final = 3.0
"""The longest step of Newton's method, in log-odds."""

_DENSE: Final = 30
"""A sum is one matrix, zeros too, up to so many times the places that are not zero."""

_SMALL: Final = 20_000
_CHUNK: Final = 4_000_000


class Sums:
    """Sums of columns into places, each with a factor, for many lines of values at once."""

    def __init__(self, places: Ints, columns: Ints, factors: Floats, size: int, width: int) -> None:
        order = np.lexsort((columns, places))
        self._size = size
        self._targets, self._starts = np.unique(places[order], return_index=True)
        self._columns, self._factors = columns[order], factors[order]
        self._dense: Floats | None = None
        if size * width <= _DENSE * len(places) + _SMALL:
            flat = np.bincount(places * width + columns, factors, size * width)
            self._dense = np.ascontiguousarray(flat.reshape(size, width).T)

    def of(self, values: Floats) -> Floats:
        """The sums of each line."""
        if self._dense is not None:
            return values @ self._dense
        found = np.zeros((len(values), self._size))
        lines = max(_CHUNK // max(len(self._columns), 1), 1)
        for begin in range(0, len(values) if len(self._targets) else 0, lines):
            taken = values[begin : begin + lines, self._columns] * self._factors
            found[begin : begin + lines, self._targets] = np.add.reduceat(taken, self._starts, axis=1)
        return found


class _Entries(NamedTuple):
    """What rows add to the equations: which parameters predict an entry, and which equations it counts in.

    Parameter ``lead`` counts with 1, ``other`` with ``side``, ``seat`` with ``turn`` unless that is 0. If ``own``, the
    entry counts in the equation of ``lead`` alone. ``row`` is where its value comes from, ``turned`` if from the other
    agent's side.
    """

    lead: Ints
    other: Ints
    side: Ints
    seat: Ints
    turn: Ints
    own: Bools
    row: Ints
    turned: Bools

    def taken(self, places: Ints) -> "_Entries":
        """Some of the entries."""
        return _Entries(*(column[places] for column in self))


def _entries_of(columns: Columns, seat_of: Ints, field_of: Ints, second: int, *, has_refused: bool) -> _Entries:
    """The entries of all rows; second strengths begin at parameter ``second``."""
    seat = seat_of[columns.game]
    turn = np.where(seat >= 0, columns.seat, 0)
    is_field = columns.second == FIELD
    other = np.where(is_field, field_of[columns.game], columns.second)
    side = np.where(is_field, 1, -1)
    everywhere = np.arange(len(columns))
    no, yes = np.zeros(len(columns), dtype=bool), np.ones(len(columns), dtype=bool)
    plays = np.flatnonzero(~columns.own)
    met = np.flatnonzero(~columns.own & ~is_field)
    kinds = [_Entries(columns.first, other, side, seat, turn, no, everywhere, no).taken(plays)]
    if has_refused:
        kinds.append(_Entries(second + columns.first, other, side, seat, turn, yes, everywhere, no))
        back = _Entries(second + columns.second, columns.first, -1 + 0 * side, seat, -turn, yes, everywhere, yes)
        kinds.append(back.taken(met))
    return _Entries(*(np.concatenate(own) for own in zip(*kinds, strict=True)))


class Equations:
    """The equations of one set of rows; parameters are strengths, seats, means of games, second strengths.

    ``weight`` is that of the drawn match against an average opponent. Entries that say the same of the same agents,
    seats and game are one cell. ``values`` in the methods are those of cells, a line for each line of strengths, where
    they are not those of the rows: ``cell_values`` makes them.
    """

    def __init__(self, rows: PairRows, weight: float = 1.0) -> None:
        self.rows = rows
        columns, agents = rows.columns, len(rows.agents)
        fields = np.unique(columns.game[columns.second == FIELD])
        self.seats = len(rows.seats)
        self.plays = agents + self.seats + len(fields)
        self.size = self.plays + (agents if rows.refused else 0)
        self.weight = 0.0 if rows.has_only_pays else weight
        entries = _entries_of(
            columns,
            _places(sorted(rows.seats), agents, len(rows.games)),
            _places(list(map(int, fields)), agents + self.seats, len(rows.games)),
            self.plays,
            has_refused=bool(rows.refused),
        )
        self._take_cells(rows, entries)
        self._penalised = np.ones(self.size)
        self._penalised[agents + self.seats : self.plays] = 0.0
        self._ridge = _LEAST if self.weight else _RIDGE

    def _take_cells(self, rows: PairRows, entries: _Entries) -> None:
        """Put entries that say the same into one cell, and note how cells, parameters and clusters belong together."""
        columns = rows.columns
        game = columns.game[entries.row]
        keys = ((game * self.size + entries.lead) * self.size + entries.other) * 3 + entries.turn + 1
        keys, first, self._cells = np.unique(keys * 2 + entries.own, return_index=True, return_inverse=True)
        cells = entries.taken(first)
        count = len(keys)
        self._entries = entries
        self._pays_of_entries = np.array(rows.pays, dtype=bool)[game]
        self.pays: Bools = self._pays_of_entries[first]
        self._entry_weights = columns.weight[entries.row]
        self._weights = np.bincount(self._cells, self._entry_weights, count)
        self._squares = np.bincount(self._cells, self._entry_weights**2, count)
        self._to_parameters(cells, count)
        clusters, numbers = np.unique(columns.cluster[entries.row], return_inverse=True)
        self.clusters: Ints = clusters
        self._cluster_of_entries = numbers
        weighed = self._entry_weights * self._entry_values(columns.value[None])[0]
        self._values = np.bincount(self._cells, weighed, count)[None]
        quarter = np.where(self._pays_of_entries, 0.25, 1.0)
        self._seen = Sums(numbers, self._cells, quarter * weighed, len(clusters), count)
        self._foreseen = Sums(numbers, self._cells, quarter * self._entry_weights, len(clusters), count)

    def _to_parameters(self, cells: _Entries, count: int) -> None:
        numbers, ones = np.arange(count), np.ones(count)
        told = (
            (cells.lead, ones, ones > 0),
            (cells.other, cells.side * ones, ones > 0),
            (cells.seat, cells.turn * ones, cells.turn != 0),
        )
        counts = [(p, f, is_there if i == 0 else is_there & ~cells.own) for i, (p, f, is_there) in enumerate(told)]
        self._predict = _sums([(numbers, p, f, keep) for p, f, keep in told], count, self.size)
        self._gather = _sums([(p, numbers, f, keep) for p, f, keep in counts], self.size, count)
        self._weigh = _sums([(numbers, p, f, keep) for p, f, keep in counts], count, self.size)
        crossed = [(e * self.size + p, numbers, f * g, kept & keep) for e, f, kept in counts for p, g, keep in told]
        self._cross = _sums(crossed, self.size**2, count)

    def _entry_values(self, values: Floats) -> Floats:
        """The values of entries from those of rows, in lines."""
        taken = values[:, self._entries.row]
        return np.where(self._entries.turned, np.where(self._pays_of_entries, -taken, 1 - taken), taken)

    def cell_values(self, values: Floats) -> Floats:
        """What ``values`` of rows, in lines, come to in each cell."""
        weighed = self._entry_weights * self._entry_values(values)
        entries = len(self._cells)
        return Sums(self._cells, np.arange(entries), np.ones(entries), len(self.pays), entries).of(weighed)

    def _odds(self, strengths: Floats, values: Floats) -> tuple[Floats, Floats, Floats]:
        """For each cell: what is expected there, the sum of residuals, and of slopes."""
        eta = self._predict.of(strengths)
        chance = _logistic(eta)
        expected = np.where(self.pays, eta, chance)
        residual = (values - self._weights * expected) * np.where(self.pays, 0.25, 1.0)
        slope = self._weights * np.where(self.pays, 0.25, chance * (1 - chance))
        return expected, residual, slope

    def _sums(self, strengths: Floats, residual: Floats) -> Floats:
        """How far each equation is from being solved."""
        found = self._gather.of(residual) - self._ridge * strengths
        if self.weight:
            found += self.weight * self._penalised * (0.5 - _logistic(strengths))
        return found

    def _matrix(self, strengths: Floats, slope: Floats) -> Floats:
        """The derivatives of the equations by the parameters, with the other sign."""
        found = self._cross.of(slope).reshape(-1, self.size, self.size) + self._ridge * np.eye(self.size)
        if self.weight:
            expected = _logistic(strengths)
            places = np.arange(self.size)
            found[:, places, places] += self.weight * self._penalised * expected * (1 - expected)
        return found

    def fit(self, values: Floats | None = None) -> Floats:
        """The strengths that solve all equations, a line for each line of values."""
        values = self._values if values is None else values
        strengths = np.zeros((len(values), self.size))
        active = np.arange(len(values))
        for _ in range(_STEPS):
            now = strengths[active]
            _, residual, slope = self._odds(now, values[active])
            step = _solution(self._matrix(now, slope), self._sums(now, residual))
            strengths[active] = now + _shortened(step)
            active = active[np.abs(step).max(axis=1) > _CLOSE]
            if not len(active):
                break
        return strengths

    def fit_at(self, start: Floats, contrasts: Floats, leads: Floats, values: Floats | None = None) -> Floats:
        """The strengths for each contrast held at its lead; second strengths move alone, for their own contrasts."""
        strengths = start.copy()
        fixed = self._fixed(contrasts)
        borders = np.where(fixed, 0.0, contrasts)
        multiplier = np.zeros(len(start))
        active = np.arange(len(start))
        for _ in range(_STEPS):
            now, held, border = strengths[active], fixed[active], borders[active]
            _, residual, slope = self._odds(now, self._values if values is None else values[active])
            matrix = self._matrix(now, slope)
            matrix[held] = 0.0
            matrix.transpose(0, 2, 1)[held] = 0.0
            places = np.arange(self.size)
            matrix[:, places, places] += held
            sums = np.where(held, 0.0, self._sums(now, residual) - multiplier[active, None] * border)
            missing = leads[active] - (now * contrasts[active]).sum(axis=1)
            step, more = _bordered_solution(matrix, border, sums, missing)
            multiplier[active] += more
            strengths[active] = now + _shortened(step)
            active = active[np.abs(step).max(axis=1) > _CLOSE]
            if not len(active):
                break
        return strengths

    def _fixed(self, contrasts: Floats) -> Bools:
        """Which parameters stay at their estimates: first strengths under contrasts of second ones, and vice versa."""
        fixed = np.zeros(contrasts.shape, dtype=bool)
        if self.size > self.plays:
            is_second = np.abs(contrasts[:, self.plays :]).sum(axis=1) > 0
            fixed[:, : self.plays] = is_second[:, None]
            fixed[:, self.plays :] = ~is_second[:, None]
        return fixed

    def scores(self, strengths: Floats, contrasts: Floats, values: Floats | None = None) -> "Scores":
        """What each cluster says against each contrast, at the strengths that belong to it."""
        expected, residual, slope = self._odds(strengths, self._values if values is None else values)
        turned = _solution(self._matrix(strengths, slope).transpose(0, 2, 1), contrasts)
        turned /= (turned * contrasts).sum(axis=1)[:, None]
        return Scores(self, self._weigh.of(turned), expected, residual)

    def by_cluster(self, weights: Floats, expected: Floats) -> Floats:
        """Residuals times the weights of their cells, summed by cluster."""
        return self._seen.of(weights) - self.foreseen(weights * expected)

    def foreseen(self, weights: Floats) -> Floats:
        """The weights of cells, summed by cluster."""
        return self._foreseen.of(weights)

    def by_cluster_of(self, values: Floats, weights: Floats, expected: Floats) -> Floats:
        """The same for ``values`` of rows, in lines."""
        entries = len(self._cells)
        taken = self._entry_weights * (self._entry_values(values) - expected[:, self._cells])
        taken *= weights[:, self._cells] * np.where(self._pays_of_entries, 0.25, 1.0)
        own = Sums(self._cluster_of_entries, np.arange(entries), np.ones(entries), len(self.clusters), entries)
        return own.of(taken)

    def model_variance(self, weights: Floats, expected: Floats) -> Floats:
        """The variance of the scores of wins, as the model has it."""
        wins = ~self.pays
        return (self._squares * expected * (1 - expected) * weights**2)[:, wins].sum(axis=1)


@attrs.define(eq=False)
class Scores:
    """Effective scores of some contrasts: a line for each contrast, a column for each cell."""

    _equations: Equations
    _weights: Floats
    _expected: Floats
    _residual: Floats

    def by_cluster(self, values: Floats | None = None) -> Floats:
        """The scores, a column for each cluster; ``values`` of rows are in lines, where they are not their own."""
        if values is not None:
            return self._equations.by_cluster_of(values, self._weights, self._expected)
        return self._equations.by_cluster(self._weights, self._expected)

    def without_seats(self, values: Floats | None = None) -> Floats:
        """The scores of rows of wins as if nobody had an advantage; ``values`` as in ``by_cluster``."""
        even = np.full_like(self._expected, 0.5)
        if values is not None:
            return self._equations.by_cluster_of(values, self._weights, even)
        return self._equations.by_cluster(self._weights, even)

    def if_decided(self) -> Floats:
        """The greatest scores that rows of wins can have between equals: each cluster's rows all won, none drawn."""
        return self._equations.foreseen(np.abs(self._weights) * ~self._equations.pays * 0.5)

    def of_wins_squared(self) -> Floats:
        """The sum of squares of the scores of rows of wins alone."""
        return self._squared(~self._equations.pays)

    def of_pays_squared(self) -> Floats:
        """The sum of squares of the scores of rows that pay alone."""
        return self._squared(self._equations.pays)

    def _squared(self, only: Bools) -> Floats:
        if not only.any():
            return np.zeros(len(self._weights))
        return (self._equations.by_cluster(self._weights * only, self._expected) ** 2).sum(axis=1)

    def sums(self) -> Floats:
        """The sum over all clusters."""
        return (self._residual * self._weights).sum(axis=1)

    def model_variance(self) -> Floats:
        """The variance of the sum of wins by the model."""
        return self._equations.model_variance(self._weights, self._expected)


def _logistic(values: Floats) -> Floats:
    return 1 / (1 + np.exp(-values))


def _shortened(step: Floats) -> Floats:
    longest = np.abs(step).max(axis=1)
    return step * np.minimum(1.0, _LONGEST / np.maximum(longest, 1e-300))[:, None]


def _solution(matrix: Floats, right: Floats) -> Floats:
    return np.linalg.solve(matrix, right[..., None])[..., 0]


def _bordered_solution(matrix: Floats, border: Floats, right: Floats, last: Floats) -> tuple[Floats, Floats]:
    """Solve with one more equation and its multiplier."""
    cases, size = right.shape
    whole, sides = np.zeros((cases, size + 1, size + 1)), np.empty((cases, size + 1))
    whole[:, :size, :size] = matrix
    whole[:, :size, size] = whole[:, size, :size] = border
    sides[:, :size], sides[:, size] = right, last
    found = _solution(whole, sides)
    return found[:, :size], found[:, size]


def _places(games: Sequence[int], begin: int, many: int) -> Ints:
    """For each of ``many`` games its parameter, those of ``games`` from ``begin`` on, −1 for the others."""
    found = np.full(many, -1, dtype=np.int64)
    found[list(games)] = np.arange(begin, begin + len(games))
    return found


def _sums(parts: Sequence[tuple[Ints, Ints, Floats, Bools]], size: int, width: int) -> Sums:
    """Sums of places, columns and factors, as far as they are kept."""
    kept = [(places[keep], columns[keep], factors[keep]) for places, columns, factors, keep in parts]
    places, columns, factors = (np.concatenate(own) for own in zip(*kept, strict=True))
    return Sums(places, columns, factors, size, width)
