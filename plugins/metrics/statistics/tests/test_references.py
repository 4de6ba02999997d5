"""What random play scores with the n of its row: 1,000 seeded runs lie inside as often as the interval says."""

import numpy as np
import pytest
from arena_metric_statistics.references import random_hits, random_mean, random_share
from scipy import stats


@pytest.mark.parametrize("n", [3, 10, 100, 5_000])
@pytest.mark.parametrize("playouts", [0, 400])
def test_random_wins_lie_inside(n, playouts):
    """The share of wins of random play lies in the interval of its row in at least 93.5 % of 1,000 runs."""
    rng, held = np.random.default_rng(n), 0
    for _ in range(1_000):
        known = rng.binomial(playouts, 0.3) / playouts if playouts else 0.3
        found = random_share(known, n, playouts)
        held += found.low - 1e-12 <= rng.binomial(n, 0.3) / n <= found.high + 1e-12

    assert held >= 935
    assert (found.n, found.unit) == (n, "matches")


def test_exact_shares_are_binomial():
    """With an exact share the ends are the binomial quantiles; where it is always or never, it is exact."""
    found = random_share(0.25, 40, 0)

    assert (found.low, found.high) == (stats.binom.ppf(0.025, 40, 0.25) / 40, stats.binom.ppf(0.975, 40, 0.25) / 40)
    assert (random_share(1.0, 9, 0).low, random_share(1.0, 9, 0).method) == (None, "exact")
    assert random_share(0.5, 0, 0).n == 0


@pytest.mark.parametrize("found", [random_share(0.02, 1, 49), random_share(0.98, 1, 0), random_hits([0.01, 0.01])])
def test_what_is_rare_lies_inside(found):
    """What one match can hardly show lies in its interval too."""
    assert found.low <= found.value <= found.high


@pytest.mark.parametrize("n", [5, 300, 3_000])
def test_random_hits_lie_inside(n):
    """Choices that hit with chances of their own: the share lies inside in at least 93.5 % of 1,000 runs."""
    rng = np.random.default_rng(n)
    chances = rng.uniform(0, 1, n)
    found = random_hits(chances)

    shares = (rng.random((1_000, n)) < chances).mean(axis=1)

    assert np.mean((found.low - 1e-12 <= shares) & (shares <= found.high + 1e-12)) >= 0.935
    assert random_hits([1.0, 0.0]).method == "exact"


def test_random_means_lie_inside():
    """The mean of 30 random matches, of which 400 playouts are known, lies inside in 93.5 to 97 % of 1,000 runs."""
    rng, held = np.random.default_rng(5), 0
    for _ in range(1_000):
        playouts = rng.choice([-2.0, -1.0, 1.0, 2.0], 400)
        error = playouts.std(ddof=1) / 20
        found = random_mean(playouts.mean(), [20 * error] * 30, error=error, playouts=400, bounds=(-2, 2))
        held += found.low <= rng.choice([-2.0, -1.0, 1.0, 2.0], 30).mean() <= found.high

    assert 935 <= held <= 970
    assert "known from 400 random matches" in found.method
