"""A logistic curve through shares that fall or rise with the logarithm of a length, with its band."""

from collections.abc import Sequence
from math import log1p, sqrt
from typing import Final

import attrs
from arena.tables import Estimate
from arena_metric_statistics.clusters import normal_quantile
from arena_metric_statistics.numerics import Floats, np, special

_STEPS: Final = 100
_CLOSE: Final = 1e-9
_LONGEST_STEP: Final = 5.0

METHOD: Final = "logistic curve on the logarithm of the length (Firth), Wald's band"


@attrs.frozen(eq=False)
class LengthCurve:
    """A fitted curve: the log-odds are ``intercept + slope * log(1 + length)``, with their covariance.

    ``n`` is the number of tasks or questions that it was fitted to.
    """

    intercept: float
    slope: float
    covariance: Floats
    n: int

    def at(self, length: float, level: float, unit: str) -> Estimate:
        """The share at a length, with the band of the curve there."""
        place = np.array([1.0, log1p(length)])
        middle = self.intercept + self.slope * place[1]
        reach = normal_quantile(level) * sqrt(max(float(place @ self.covariance @ place), 0.0))
        value, low, high = (float(special.expit(odds)) for odds in (middle, middle - reach, middle + reach))
        return Estimate(value=value, n=self.n, low=low, high=high, level=level, unit=unit, method=METHOD)


def fit(lengths: Sequence[float], shares: Sequence[float]) -> LengthCurve | None:
    """Fit a curve to one share for each task or question; ``None`` for fewer than three, or if all lengths are equal.

    The likelihood is penalised by Jeffreys' prior, so the curve is finite also where all short tasks are solved and all
    long ones are not: D. Firth, Biometrika 80 (1993) 27-38. A share between 0 and 1 counts as one observation.
    """
    if len(lengths) < 3 or len(set(lengths)) < 2:
        return None
    raw = np.log1p(np.asarray(lengths, dtype=float))
    y = np.asarray(shares, dtype=float)
    centre, spread = float(raw.mean()), float(raw.std())
    x = np.column_stack([np.ones(len(raw)), (raw - centre) / spread])
    beta = np.zeros(2)
    for _ in range(_STEPS):
        p = special.expit(x @ beta)
        weights = p * (1 - p)
        information = x.T @ (x * weights[:, None])
        leverages = weights * np.einsum("ij,jk,ik->i", x, np.linalg.inv(information), x)
        step = np.linalg.solve(information, x.T @ (y - p + leverages * (0.5 - p)))
        step *= min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), _CLOSE))
        beta = beta + step
        if float(np.abs(step).max()) < _CLOSE:
            break
    p = special.expit(x @ beta)
    covariance = np.linalg.inv(x.T @ (x * (p * (1 - p))[:, None]))
    back = np.array([[1.0, -centre / spread], [0.0, 1 / spread]])
    intercept, slope = back @ beta
    return LengthCurve(float(intercept), float(slope), back @ covariance @ back.T, len(lengths))
