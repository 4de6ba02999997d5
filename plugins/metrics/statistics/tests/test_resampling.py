"""Resampling whole blocks: against scipy, seeded, and only where there are enough of them."""

import numpy as np
import pytest
from arena_metric_statistics.resampling import bootstrap, ratio_of_sums, redrawn
from scipy import stats

BLOCKS = [i // 2 for i in range(20)]


def average(rows):
    """The mean of single values."""
    return float(rows.mean())


def quotient(rows):
    """The sum of the first column over that of the second."""
    return float(rows[:, 0].sum() / rows[:, 1].sum())


def test_bca_agrees_with_scipy():
    """BCa ends lie within simulation error of scipy's, for a skewed sample."""
    values = np.random.default_rng(3).exponential(size=40)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, rng=np.random.default_rng(5)).confidence_interval

    found = bootstrap(values, average, resamples=20_000, seed=7)

    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_bootstrap_is_seeded():
    """Equal seeds give equal intervals, other seeds others."""
    values = list(range(20))

    assert bootstrap(values, average, seed=1) == bootstrap(values, average, seed=1)
    assert bootstrap(values, average, seed=1) != bootstrap(values, average, seed=2)


def test_bootstrap_draws_whole_blocks():
    """Copies of a match in its block do not narrow the interval."""
    values = np.random.default_rng(2).normal(size=30)

    single = bootstrap(values, average, seed=1)
    doubled = bootstrap(np.repeat(values, 2), average, clusters=[i // 2 for i in range(60)], seed=1)

    assert (doubled.n, doubled.unit) == (30, "blocks")
    assert doubled.standard_error == pytest.approx(single.standard_error)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_bootstrap_of_equal_values_has_no_interval(method):
    """Resampling what is all the same says nothing, and the result says that."""
    found = bootstrap([1.0] * 20, average, clusters=BLOCKS, method=method)

    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert found.method == "no interval: all 10 blocks agree"


def test_few_blocks_are_not_resampled():
    """Nine blocks are too few to be drawn again, ten are enough; nothing at all has no number."""
    few, enough = bootstrap(range(9), average), bootstrap(range(10), average)

    assert (few.value, few.low, few.method) == (4.0, None, "no interval: fewer than 10 matches")
    assert enough.low < enough.value < enough.high
    assert (bootstrap([], average).value, bootstrap([], average).method) == (None, "nothing observed")


def test_ratio_of_sums_is_the_bootstrap_of_the_same_ratio():
    """Sums come first, and the interval is that of the percentile bootstrap over blocks."""
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.poisson(3, 40), rng.poisson(2, 40) + 1]).astype(float)
    labels = [i // 2 for i in range(40)]

    found = ratio_of_sums(rows[:, 0], rows[:, 1], clusters=labels, resamples=20_000, seed=1)
    theirs = bootstrap(rows, quotient, clusters=labels, method="percentile", resamples=20_000, seed=2)
    assert found.value == pytest.approx(rows[:, 0].sum() / rows[:, 1].sum())
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)
    assert (found.n, found.unit) == (20, "blocks")
    assert found == ratio_of_sums(rows[:, 0], rows[:, 1], clusters=labels, resamples=20_000, seed=1)


def test_ratio_of_sums_without_a_base_has_no_value():
    """Something over nothing is not defined, and nothing over nothing was not observed; neither is zero or infinite."""
    something = ratio_of_sums([2, 1], [0, 0], clusters=["a", "b"])
    nothing = ratio_of_sums([0, 0], [0, 0], clusters=["a", "b"])

    assert (something.value, something.n, something.method) == (None, 2, "not defined: nothing to divide by")
    assert (nothing.value, nothing.n, nothing.method) == (None, 0, "nothing observed")


def test_ratio_of_sums_may_have_no_upper_end():
    """Where draws often have nothing to divide by, nothing bounds the ratio from above."""
    found = ratio_of_sums([5, 4, 6, 3] * 3, [0] * 11 + [1], clusters=range(12))

    assert found.value == 54
    assert found.low is not None
    assert found.low <= 54
    assert found.high is None
    several = ratio_of_sums([5, 4, 6, 3] * 5, [1, 0, 1, 1] * 5, clusters=range(20))
    assert several.high is not None


def test_ratio_of_sums_of_one_match_has_no_interval():
    """One match, or matches that agree, say nothing about others; matches without anything do not count."""
    one = ratio_of_sums([3, 0], [2, 0], clusters=["a", "b"])
    equal = ratio_of_sums(range(1, 11), range(2, 22, 2), clusters=range(10))

    assert (one.value, one.n, one.low, one.method) == (1.5, 1, None, "no interval: fewer than 10 matches")
    assert (equal.value, equal.low, equal.method) == (0.5, None, "no interval: all 10 matches agree")


def test_bootstrap_takes_any_statistic():
    """The ratio of two columns, drawn by block."""
    rows = np.column_stack([np.arange(20) % 3, np.ones(20)])

    found = bootstrap(rows, lambda r: float(r[:, 0].sum() / r[:, 1].sum()), clusters=BLOCKS, resamples=500)

    assert found.value == pytest.approx(0.95)
    assert found.low < found.value < found.high


@pytest.mark.campaign
def test_bootstrap_covers():
    """BCa over 40 skewed blocks holds the mean in at least 91 % of 2,000 simulations (it is known to be short)."""

    def make(rng):
        return np.repeat(rng.exponential(size=40), 2), [i // 2 for i in range(80)]

    held = 0
    for seed in range(2_000):
        values, blocks = make(np.random.default_rng(seed))
        found = bootstrap(values, average, clusters=blocks, resamples=1_000)
        held += found.low <= 1.0 <= found.high
    assert held / 2_000 >= 0.91


def test_redrawn_weights_are_of_whole_clusters():
    """Every resample draws as many clusters as there are, all of one together, and the mean weight is one."""
    drawn = list(redrawn(["a", "a", "b", "c", "c", "c"], resamples=2_000, seed=1))

    assert all(w[0] == w[1] and w[3] == w[4] == w[5] and w[0] + w[2] + w[3] == 3 for w in drawn)
    assert np.mean(drawn, axis=0) == pytest.approx(np.ones(6), abs=0.1)
    assert [list(w) for w in redrawn("ab", resamples=5, seed=3)] == [
        list(w) for w in redrawn("ab", resamples=5, seed=3)
    ]
