"""How often intervals hold the true value, in simulated runs with fixed seeds."""

import numpy as np
import pytest
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import share
from arena_metric_statistics.rates import rate


def coverage(make, truth, interval, runs):
    """How often the interval holds the truth; ``make`` draws values and the blocks they belong to."""
    hits = 0
    for seed in range(runs):
        values, blocks = make(np.random.default_rng(seed))
        found = interval(values, clusters=blocks)
        hits += found.low <= truth <= found.high
    return hits / runs


def clustered_wins(rng, blocks=25, p=0.6, bond=0.5):
    """Blocks of two matches; with probability ``bond`` both have the same result."""
    first = rng.random(blocks) < p
    second = np.where(rng.random(blocks) < bond, first, rng.random(blocks) < p)
    return np.column_stack([first, second]).ravel().astype(float), [i // 2 for i in range(2 * blocks)]


def test_clustered_share_covers():
    """The interval of a clustered share holds the truth in about 95 % of 600 simulations."""
    assert 0.93 <= coverage(clustered_wins, 0.6, share, 600) <= 0.985


def test_ignoring_blocks_would_not_cover():
    """With identical matches in blocks, Wilson over matches misses the truth far too often; over blocks it does not."""

    def twins(rng):
        return clustered_wins(rng, bond=1.0)

    assert coverage(twins, 0.6, lambda wins, clusters: share(wins), 600) < 0.87
    assert coverage(twins, 0.6, share, 600) > 0.93


def test_clustered_mean_covers():
    """Cluster-robust intervals of a mean hold the truth in about 95 % of 600 simulations, with 12 blocks."""

    def make(rng):
        values = rng.normal(size=12)[:, None] + rng.normal(size=(12, 4))
        return values.ravel(), [i // 4 for i in range(48)]

    assert 0.93 <= coverage(make, 0.0, mean, 600) <= 0.97


def test_rate_covers():
    """The interval of a bursty rate holds the truth in at least 93 % of 600 simulations."""

    def make(rng):
        return rng.poisson(rng.gamma(0.5, 2.0, size=40)), list(range(40))

    assert coverage(make, 1.0, rate, 600) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("blocks", [5, 10, 40, 160])
@pytest.mark.parametrize("p", [0.05, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("bond", [0.0, 0.4, 1.0])
@pytest.mark.sample(slow=2)
def test_clustered_share_covers_everywhere(blocks, p, bond):
    """From 5 to 160 blocks, rare to likely, independent to identical: at least 92 % of 4,000 simulations."""

    def make(rng):
        return clustered_wins(rng, blocks, p, bond)

    assert coverage(make, p, share, 4_000) >= 0.92


def skewed(rng, blocks):
    """Returns of a game in which one loses 1 in 95 % and wins 19 in 5 %."""
    return np.where(rng.random(blocks) < 0.05, 19.0, -1.0), list(range(blocks))


@pytest.mark.parametrize("blocks", [10, 100])
def test_skewed_returns_are_covered(blocks):
    """Where bounds are known, the mean of very skewed returns is held in at least 95 % of 400 simulations."""
    held = coverage(
        lambda rng: skewed(rng, blocks),
        0.0,
        lambda values, clusters: mean(values, clusters=clusters, bounds=(-1, 19)),
        400,
    )

    assert held >= 0.95


@pytest.mark.campaign
@pytest.mark.parametrize("blocks", [5, 10, 30, 100])
@pytest.mark.parametrize(("matches", "alike"), [(1, 0.0), (4, 0.0), (4, 0.5), (4, 1.0)])
def test_shares_cover_on_average_and_nowhere_too_little(blocks, matches, alike):
    """Over true shares from 0.01 to 0.99: 0.93 to 0.99 on average, none under 0.88, up to the error of 2,000 runs."""
    found = []
    for p in (0.01, 0.03, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.97, 0.99):

        def make(rng, p=p):
            first = rng.random((blocks, 1)) < p
            own = np.where(rng.random((blocks, matches)) < alike, first, rng.random((blocks, matches)) < p)
            return own.ravel().astype(float), [i // matches for i in range(blocks * matches)]

        found.append(coverage(make, p, share, 2_000))

    assert 0.93 <= np.mean(found) <= 0.995
    assert min(found) >= 0.87
