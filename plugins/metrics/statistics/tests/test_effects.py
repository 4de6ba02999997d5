"""Effect sizes against independent computations."""

from math import gamma, sqrt
from statistics import mean, stdev

import numpy as np
import pytest
from arena_metric_statistics.effects import of_groups, of_pairs, superiority, unbiased
from scipy import optimize, stats

PAIRS = [0.5, -0.2, 0.9, 0.4, 1.1, 0.0, 0.7]


def ends(t: float, freedom: float, level: float = 0.95) -> tuple[float, float]:
    """The non-centralities between which t is in neither tail, found by bisection of another implementation."""
    tail = (1 - level) / 2
    low = optimize.brentq(lambda nc: stats.nct.sf(t, freedom, nc) - tail, t - 20, t + 20)
    high = optimize.brentq(lambda nc: stats.nct.cdf(t, freedom, nc) - tail, t - 20, t + 20)
    return low, high


def test_effect_of_pairs():
    """Mean over standard deviation, with the interval that scipy's distribution gives."""
    found = of_pairs(PAIRS)

    assert found.value == pytest.approx(mean(PAIRS) / stdev(PAIRS))
    t = stats.ttest_1samp(PAIRS, 0).statistic
    low, high = ends(t, len(PAIRS) - 1)
    assert (found.low, found.high) == pytest.approx((low / sqrt(7), high / sqrt(7)), abs=1e-6)
    assert (found.low > 0) == (stats.ttest_1samp(PAIRS, 0).pvalue < 0.05)


def test_effect_of_pairs_takes_blocks():
    """Differences of one block are averaged first."""
    twice = [value + way for value in PAIRS for way in (0.3, -0.3)]

    found = of_pairs(twice, clusters=[i // 2 for i in range(14)])

    assert (found.value, found.n, found.unit) == (pytest.approx(of_pairs(PAIRS).value), 7, "blocks")


@pytest.mark.parametrize(
    ("differences", "said"), [([], "nothing observed"), ([1.0], "one alone"), ([2.0, 2.0], "all 2 matches agree")]
)
def test_no_effect_without_spread(differences, said):
    """What does not vary has no unit to be measured in."""
    found = of_pairs(differences)

    assert found.value is None
    assert said in found.method


def test_effect_of_groups():
    """Hedges' g is the t statistic scaled, times the exact factor; the interval is scipy's."""
    one, two = [3.0, 4.5, 2.8, 5.1, 4.0], [2.0, 2.9, 3.3, 1.4]
    t = stats.ttest_ind(one, two).statistic
    factor, scale = gamma(3.5) / gamma(3.0) / sqrt(3.5), sqrt(20 / 9)

    found = of_groups(one, two)

    assert unbiased(7) == pytest.approx(factor)
    assert found.value == pytest.approx(factor * t / scale)
    assert (found.low, found.high) == pytest.approx(tuple(factor * end / scale for end in ends(t, 7)), abs=1e-6)
    assert of_groups([1.0, 1.0], [0.0, 0.0]).value is None
    assert of_groups([], [1.0]).value is None


def test_superiority_counts_pairs():
    """The share of all pairs in which the first is ahead, ties half: Mann and Whitney's U over their number."""
    one, two = [1.0, 2.0, 2.0, 5.0], [2.0, 0.0, 3.0]

    assert superiority(one, two) == pytest.approx(stats.mannwhitneyu(one, two).statistic / 12)
    assert superiority(one, one) == 0.5
    with pytest.raises(ValueError, match="expected two samples"):
        superiority([], two)


@pytest.mark.sample(slow=1)
@pytest.mark.slow
@pytest.mark.parametrize(("effect", "size"), [(0.0, 8), (0.8, 8), (0.4, 30)])
def test_intervals_of_effects_cover(effect, size):
    """Over 4,000 simulated samples the intervals contain the true effect as often as they say."""
    rng = np.random.default_rng(11)
    found = [of_pairs(rng.normal(effect, 1.0, size)) for _ in range(4000)]
    groups = [of_groups(rng.normal(effect, 1.0, size), rng.normal(0.0, 1.0, size)) for _ in range(4000)]

    assert np.mean([e.low <= effect <= e.high for e in found]) == pytest.approx(0.95, abs=0.012)
    # The factor against bias narrows the interval around nought a little.
    assert np.mean([e.low <= effect <= e.high for e in groups]) == pytest.approx(0.95, abs=0.02)
    assert np.mean([e.value for e in groups]) == pytest.approx(effect, abs=0.04)
