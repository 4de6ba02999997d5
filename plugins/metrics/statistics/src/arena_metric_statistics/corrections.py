"""Scores that can be compared between games: 0 is random play, 1 is optimal play."""

from math import sqrt

from arena.tables import Estimate

from arena_metric_statistics.clusters import normal_quantile


def chance_corrected(value: Estimate, random: float, optimal: float, *, random_error: float = 0.0) -> Estimate:
    """(value - random) / (optimal - random); negative if worse than random play, and not clipped.

    Meaningful if the players do not work against each other: then random and optimal play span what can be reached.
    ``random_error`` is the standard error of ``random`` and widens the interval. No value if random play is already
    optimal.
    """
    span = optimal - random
    scale = max(abs(optimal), abs(random), 1e-300)
    if value.value is None or abs(span) <= 1e-9 * scale:
        why = "nothing observed" if value.value is None else "random play is optimal"
        return Estimate(value=None, n=value.n, level=value.level, unit=value.unit, method=why)
    score = (value.value - random) / span
    # The derivative of the score by the random baseline, to pass on its standard error.
    drift = normal_quantile(value.level) * random_error * abs(value.value - optimal) / span**2
    ends = sorted(
        score + sign * sqrt(((end - value.value) / span) ** 2 + drift**2)
        for end, sign in ((value.low, -1 if span > 0 else 1), (value.high, 1 if span > 0 else -1))
        if end is not None
    )
    has_ends = len(ends) == 2
    error = value.standard_error
    return Estimate(
        value=score,
        n=value.n,
        low=ends[0] if has_ends else None,
        high=ends[1] if has_ends else None,
        standard_error=None
        if error is None
        else sqrt((error / span) ** 2 + (random_error * (value.value - optimal) / span**2) ** 2),
        level=value.level,
        unit=value.unit,
        method=f"{value.method}, chance-corrected",
    )
