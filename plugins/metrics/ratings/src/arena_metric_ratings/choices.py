"""Maximum likelihood for observations that are one of a few options, also if there is no finite maximum.

The utility of an option is linear in the parameters, and an option's probability is its share of the exponentials
(multinomial logit), so that the log-likelihood is concave and Newton's method finds its maximum if there is one. If
some direction makes the observations ever more likely there is none; which differences of parameters are finite all the
same is found by linear programming: A. Albert and J. A. Anderson, Biometrika 71 (1984) 1-10; C. J. Geyer, Electronic
Journal of Statistics 3 (2009) 259-289.
"""

from typing import Any

import attrs
from arena_metric_statistics.numerics import Booleans, Floats, np, optimize, sparse

_SLACK = 1e-7

_LAST = 1e-6
"""The step of Newton's method after which what is left is its square, below what likelihoods can tell apart."""

_AT_ONCE = 1_000_000
"""How many numbers of designs of resamples are looked at together."""


@attrs.frozen(eq=False)
class Choices:
    """Observations by cell: ``design`` (cells × options × parameters), ``counts`` and ``allowed`` (cells × options).

    ``precision`` is that of independent normal priors around 0, by parameter; all 0 for none.
    """

    design: Floats
    counts: Floats
    allowed: Booleans
    precision: Floats

    def log_likelihood(self, values: Floats) -> float:
        """The log-likelihood of the counts, with that of the prior up to a constant."""
        logs = self._logs(values)
        known = self.precision > 0  # a step without a prior may be too long to be squared
        prior = (self.precision[known] * values[known] ** 2).sum() / 2
        return float((self.counts * np.where(self.counts > 0, logs, 0)).sum() - prior)

    def slopes(self, values: Floats) -> tuple[Floats, Floats]:
        """The gradient, and the negative Hessian, of the log-likelihood."""
        shares = np.exp(self._logs(values))
        totals = self.counts.sum(axis=1)
        size = self.design.shape[2]
        flat = self.design.reshape(-1, size)
        expected = np.einsum("co,cop->cp", shares, self.design)
        gradient = (self.counts - totals[:, None] * shares).ravel() @ flat
        curved = flat.T @ ((totals[:, None] * shares).reshape(-1, 1) * flat) - (expected * totals[:, None]).T @ expected
        return gradient - self.precision * values, curved + np.diag(self.precision)

    def maximum(self, start: Floats | None = None, along: Floats | None = None, rounds: int = 60) -> Floats:
        """The parameters of maximum likelihood, by Newton's method with step halving.

        With ``along``, only parameters with the same product with ``along`` as ``start`` are considered. If there is no
        maximum, it ends far out, where a further step no longer makes a difference.
        """
        values = np.zeros(self.design.shape[2]) if start is None else start
        level = self.log_likelihood(values)
        for _ in range(rounds):
            gradient, curvature = self.slopes(values)
            step = _solved(curvature, gradient, along)
            if float(np.abs(step).max()) < _LAST:
                return values + step
            for _ in range(30):
                reached = self.log_likelihood(values + step)
                if reached >= level:
                    break
                step = step / 2
            else:
                break
            values, level = values + step, reached
        return values

    def rough_maxima(self, counts: Floats, start: Floats) -> Floats:
        """The parameters of maximum likelihood to about 1e-4 for many counts at once (resamples × cells × options).

        Directions that the observations do not determine get no special care. If there is no maximum, it ends far out,
        too.
        """
        found = np.empty((len(counts), len(start)))
        step = max(1, _AT_ONCE // self.design.size)
        for first in range(0, len(counts), step):
            found[first : first + step] = self._rough(counts[first : first + step], start)
        return found

    def _rough(self, counts: Floats, start: Floats) -> Floats:
        size = len(start)
        flat = self.design.reshape(-1, size)
        squares = (flat[:, :, None] * flat[:, None, :]).reshape(len(flat), -1)
        values = np.tile(start, (len(counts), 1))
        moving = np.arange(len(counts))
        for _ in range(30):
            own, at = counts[moving], values[moving]
            utilities = np.where(self.allowed, np.einsum("cop,rp->rco", self.design, at), -np.inf)
            shares = np.exp(utilities - utilities.max(axis=2, keepdims=True))
            shares /= shares.sum(axis=2, keepdims=True)
            totals = own.sum(axis=2)
            weighted = (totals[:, :, None] * shares).reshape(len(own), -1)
            expected = np.einsum("rco,cop->rcp", shares, self.design)
            gradient = own.reshape(len(own), -1) @ flat - weighted @ flat - self.precision * at
            curvature = (weighted @ squares).reshape(-1, size, size)
            curvature -= (expected * totals[:, :, None]).transpose(0, 2, 1) @ expected
            curvature[:, range(size), range(size)] += self.precision
            curvature[:, range(size), range(size)] += 1e-9 * (1 + curvature.max(axis=(1, 2)))[:, None]
            steps = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
            lengths = np.abs(steps).max(axis=1)
            values[moving] = at + steps * np.minimum(1.0, 3.0 / np.maximum(lengths, 1e-9))[:, None]
            moving = moving[lengths >= 1e-4]
            if not len(moving):
                break
        return values

    def covariance(self, values: Floats) -> Floats:
        """The inverse of the negative Hessian, for contrasts of parameters that the observations determine."""
        return np.asarray(np.linalg.pinv(self.slopes(values)[1], rcond=1e-9, hermitian=True), dtype=float)

    def _logs(self, values: Floats) -> Floats:
        utilities = np.where(self.allowed, self.design @ values, -np.inf)
        top = utilities.max(axis=1, keepdims=True)
        return utilities - top - np.log(np.exp(utilities - top).sum(axis=1, keepdims=True))


def _solved(curvature: Floats, gradient: Floats, along: Floats | None) -> Floats:
    """Newton's step, without change along ``along`` and in directions that the observations do not determine."""
    if along is None:
        keep = np.eye(len(gradient))
    else:
        unit = along / np.linalg.norm(along)
        keep = np.eye(len(unit)) - np.outer(unit, unit)
    values, vectors = np.linalg.eigh(keep @ curvature @ keep)
    is_known = values > 1e-12 * max(float(np.trace(curvature)), 1e-300)
    known = vectors[:, is_known]
    return known @ ((known.T @ (keep @ gradient)) / values[is_known])


@attrs.frozen(eq=False)
class Recession:
    """The directions in which the likelihood never falls.

    These are the ``v`` with ``rows @ v >= 0``. ``limit`` are the observations that remain in the limit, when options
    that become impossible are dropped; ``free`` is a basis (parameters × directions) of all differences that the limit
    does not determine. ``away`` is the shortest direction in which all that can become surer does: who leads without
    bound leads in it.
    """

    rows: Any
    limit: Choices
    free: Floats
    away: Floats

    @classmethod
    def of(cls, choices: Choices) -> "Recession":
        """Find them by one linear program, which makes as many observations as possible surer than another option.

        Usually it need not be solved: where everything that happened happened the other way round, too, none can be,
        and where few different things happened all can be, unless they speak against each other.
        """
        seen, options = np.nonzero((choices.counts > 0) & choices.allowed)
        others = [(c, o, a) for c, o in zip(seen, options, strict=True) for a in np.flatnonzero(choices.allowed[c])]
        places = np.array([place for place in others if place[1] != place[2]], dtype=int).reshape(-1, 3)
        rows = choices.design[places[:, 0], places[:, 1]] - choices.design[places[:, 0], places[:, 2]]
        if choices.precision.any() or not len(rows):
            size = choices.design.shape[2]
            return cls(rows, choices, np.zeros((size, 0)), np.zeros(size))
        count, size = rows.shape
        if _are_opposed(rows):
            return cls(rows, choices, _null_space(rows, size), np.zeros(size))
        if (away := _surer(rows)) is not None:
            allowed = choices.allowed.copy()
            allowed[places[:, 0], places[:, 2]] = False
            return cls(rows, attrs.evolve(choices, allowed=allowed), np.eye(size), away)
        found = optimize.linprog(
            np.r_[np.zeros(size), -np.ones(count)],
            A_ub=sparse.hstack([sparse.csr_matrix(-rows), sparse.eye(count)], format="csr"),
            b_ub=np.zeros(count),
            bounds=[(None, None)] * size + [(0, 1)] * count,
            method="highs",
        )
        is_sure = found.x[size:] > 0.5
        allowed = choices.allowed.copy()
        allowed[places[is_sure, 0], places[is_sure, 2]] = False
        free = _null_space(rows[~is_sure], size)
        return cls(rows, attrs.evolve(choices, allowed=allowed), free, _shortest(rows[is_sure], free))

    def is_finite(self, contrast: Floats) -> bool:
        """Whether this combination of parameters has a finite estimate."""
        return bool(np.abs(contrast @ self.free).max(initial=0.0) < _SLACK)

    def reach(self, contrast: Floats) -> tuple[bool, bool]:
        """Whether its estimate may be minus infinity, and whether it may be plus infinity."""
        return self._can_grow(-contrast), self._can_grow(contrast)

    def _can_grow(self, contrast: Floats) -> bool:
        kinds = _independent(self.rows)
        if kinds is not None:  # Farkas' lemma, with one way at most to combine them
            weights = -contrast @ np.linalg.pinv(kinds)
            return bool(weights.min() < -_SLACK or np.abs(weights @ kinds + contrast).max() > _SLACK)
        found = optimize.linprog(
            -contrast, A_ub=-self.rows, b_ub=np.zeros(len(self.rows)), bounds=(-1, 1), method="highs"
        )
        return -found.fun > _SLACK


def _are_opposed(rows: Floats) -> bool:
    """Whether the opposite of each row is one of them, so that ``rows @ v`` is 0 wherever it is nowhere less."""
    found = set(map(tuple, rows.tolist()))
    return found == set(map(tuple, (-rows).tolist()))


def _surer(rows: Floats) -> Floats | None:
    """The shortest ``v`` with ``rows @ v >= 1``, if it has ``rows @ v == 1``; else ``None``."""
    kinds = _independent(rows)
    if kinds is None:
        return None
    weights = np.linalg.inv(kinds @ kinds.T).sum(axis=1)
    return weights @ kinds if weights.min() >= 0 else None


def _independent(rows: Floats) -> Floats | None:
    """The different ones among rows, if they are linearly independent; else ``None``."""
    kinds = np.unique(rows, axis=0)
    is_small = 0 < len(kinds) <= rows.shape[1]  # the rank of very many takes long
    return kinds if is_small and np.linalg.matrix_rank(kinds) == len(kinds) else None


def _null_space(rows: Floats, size: int) -> Floats:
    if not len(rows):
        return np.eye(size)
    _, singular, right = np.linalg.svd(rows, full_matrices=True)
    rank = int((singular > singular[0] * 1e-9).sum()) if len(singular) and singular[0] > 0 else 0
    return right[rank:].T


def _shortest(rows: Floats, free: Floats) -> Floats:
    """The shortest combination ``v`` of the directions ``free`` with ``rows @ v >= 1``.

    C. L. Lawson and R. J. Hanson, Solving Least Squares Problems (1974), chapter 23: least distance programming.
    """
    if not len(rows):
        return np.zeros(len(free))
    within = np.unique(np.round(rows @ free, 12), axis=0)
    system = np.vstack([within.T, np.ones(len(within))])
    sought = np.r_[np.zeros(free.shape[1]), 1.0]
    rest = system @ optimize.nnls(system, sought)[0] - sought
    return free @ (-rest[:-1] / rest[-1])
