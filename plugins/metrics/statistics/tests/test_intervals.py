"""Intervals against scipy, textbook values and simulation."""

import numpy as np
import pytest
from arena_metric_statistics.corrections import chance_corrected
from arena_metric_statistics.means import mean, normal
from arena_metric_statistics.proportions import clopper_pearson, jeffreys, rule_of_three, share, wilson
from arena_metric_statistics.rates import garwood, rate
from arena_metric_statistics.resampling import bootstrap, ratio_of_sums, redrawn
from scipy import stats

BLOCKS = [i // 2 for i in range(20)]


@pytest.mark.parametrize(("successes", "trials"), [(0, 1), (0, 12), (7, 12), (12, 12), (55, 100), (3, 1_000)])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_independent_shares_agree_with_scipy(successes, trials, level):
    """Wilson's and Clopper and Pearson's intervals are scipy's, to twelve digits."""
    result = stats.binomtest(successes, trials)
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = result.proportion_ci(level, method)
        assert ours(successes, trials, level=level) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


def test_jeffreys_quantiles():
    """Jeffreys' interval is the middle of a Beta(x + 1/2, n - x + 1/2), and reaches the end where all trials agree."""
    posterior = stats.beta(7.5, 5.5)

    assert jeffreys(7, 12) == pytest.approx((posterior.ppf(0.025), posterior.ppf(0.975)), abs=1e-12)
    assert jeffreys(0, 12)[0] == 0.0
    assert jeffreys(12, 12)[1] == 1.0


def test_rule_of_three():
    """Nothing in 100 trials leaves room for about 3 %, nothing in none for everything."""
    assert rule_of_three(100) == pytest.approx(1 - 0.05**0.01)
    assert rule_of_three(100) == pytest.approx(0.03, abs=0.001)
    assert rule_of_three(0) == 1.0


def test_share_of_independent_matches_is_wilson():
    """Single matches get Wilson's interval, labelled or not."""
    wins = [1] * 7 + [0] * 5

    plain, labelled = share(wins), share(wins, clusters=list(range(12)))

    assert plain == labelled
    assert (plain.low, plain.high) == wilson(7, 12)
    assert (plain.n, plain.unit, plain.method) == (12, "matches", "Wilson")


def test_blocks_that_agree_count_once():
    """Ten blocks of two identical matches tell no more than ten matches."""
    wins = [1, 1] * 6 + [0, 0] * 4

    clustered = share(wins, clusters=BLOCKS)

    assert clustered.value == 0.6
    assert (clustered.n, clustered.unit) == (10, "blocks")
    assert clustered.high - clustered.low > wilson(6, 10)[1] - wilson(6, 10)[0]


def test_opposite_results_in_a_block_are_no_certainty():
    """Who always wins in one seat and loses in the other has a share of one half, and an interval around it."""
    clustered = share([1, 0] * 10, clusters=BLOCKS)

    assert clustered.value == 0.5
    assert (clustered.low, clustered.high) == pytest.approx(wilson(5, 10))


@pytest.mark.parametrize("wins", [[0] * 20, [1] * 20])
def test_share_of_equal_results_has_an_interval(wins):
    """All won or all lost: each block counts as one trial and the interval is not empty."""
    found = share(wins, clusters=BLOCKS)

    assert found.high - found.low > 0.25
    assert found.low <= found.value <= found.high


def test_nothing_observed():
    """Without observations there is no number, and n says so."""
    for found in (share([]), mean([]), rate([]), bootstrap([])):
        assert (found.value, found.n, found.low, found.high) == (None, 0, None, None)
        assert found.method == "nothing observed"


def test_share_of_one_match():
    """One match won leaves nearly everything open."""
    found = share([1])

    assert (found.value, found.n) == (1.0, 1)
    assert found.low < 0.3
    assert found.high == 1.0


def test_counts_of_trials_are_clustered():
    """Refused turns out of turns: a match is the unit, however many turns it has."""
    found = share([0, 10], [10, 10])

    assert found.value == 0.5
    assert (found.n, found.unit) == (2, "matches")
    assert found.high - found.low > 0.8


def test_mean_of_independent_matches_is_students():
    """Mean, standard error and interval are scipy's."""
    values = [1.0, -1.0, 0.5, 0.25, 1.0, -0.5]
    theirs = stats.ttest_1samp(values, 0).confidence_interval(0.95)

    found = mean(values)

    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high))
    assert found.standard_error == pytest.approx(stats.sem(values))


def test_mean_of_equal_blocks_is_the_mean_of_block_means():
    """With blocks of one size the interval is Student's over the blocks' means."""
    values = np.random.default_rng(1).normal(size=20)
    means = values.reshape(10, 2).mean(axis=1)

    found = mean(values, clusters=BLOCKS)

    assert found.standard_error == pytest.approx(stats.sem(means))
    assert found.high - found.value == pytest.approx(stats.t.ppf(0.975, 9) * stats.sem(means))


def test_equal_returns_give_no_certainty():
    """Ten equal returns get the bound that holds for any distribution in the known range."""
    found = mean([1.0] * 10, bounds=(-1, 1))

    sure = 0.05 ** (1 / 9)
    assert (found.low, found.high) == pytest.approx((sure - (1 - sure), 1.0))
    assert "all 10 matches are equal" in found.method


def test_equal_returns_without_a_range_have_no_interval():
    """Where nothing bounds the returns no interval is made up."""
    found = mean([3.0] * 10)

    assert (found.value, found.low, found.high) == (3.0, None, None)
    assert found.method == "no interval: all 10 matches are equal"


def test_one_return_spans_the_range():
    """A single observation says nothing about the mean but the range."""
    found = mean([0.0], bounds=(-1, 1))

    assert (found.low, found.high) == (-1, 1)


def test_intervals_stay_in_the_range():
    """No interval leaves what is possible."""
    found = mean([1.0, 1.0, -1.0], bounds=(-1, 1))

    assert (found.low, found.high) == (-1, 1)


def test_normal_interval():
    """A known standard error reaches out 1.96 times; none reaches nowhere and has no interval."""
    assert normal(2.0, 0.5, 9).high == pytest.approx(2.97998, abs=1e-5)
    assert normal(2.0, 0.0, 9).low is None


def test_garwood_quantiles():
    """The Poisson interval has the textbook values: none gives 3.69, ten give 4.80 to 18.39."""
    assert garwood(0, 1) == pytest.approx((0.0, 3.6889), abs=1e-4)
    assert garwood(10, 1) == pytest.approx((4.7954, 18.3904), abs=1e-4)


def test_bursts_widen_a_rate():
    """Ten refusals in one match are less certain than ten refusals in ten matches."""
    spread = rate([1] * 10 + [0] * 10, [5] * 20)
    burst = rate([10] + [0] * 19, [5] * 20)

    assert spread.value == burst.value == 0.1
    assert burst.high > 2 * spread.high
    assert "widened" in burst.method


def test_no_refusal_at_all():
    """No event in twenty matches leaves room for some, and the fewer matches the more."""
    assert rate([0] * 20, [5] * 20).high == pytest.approx(3.6889 / 20, abs=1e-4)
    assert rate([0], [5]).high > 1


def test_rate_of_one_match():
    """One match with refusals has a value and a wide interval."""
    found = rate([3], [4])

    assert found.value == 0.75
    assert found.low < 0.1
    assert found.high > 3


def test_bca_agrees_with_scipy():
    """BCa ends lie within simulation error of scipy's, for a skewed sample."""
    values = np.random.default_rng(3).exponential(size=40)
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, rng=np.random.default_rng(5)).confidence_interval

    found = bootstrap(values, resamples=20_000, seed=7)

    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=0.015)


def test_bootstrap_is_seeded():
    """Equal seeds give equal intervals, other seeds others."""
    values = list(range(20))

    assert bootstrap(values, seed=1) == bootstrap(values, seed=1)
    assert bootstrap(values, seed=1) != bootstrap(values, seed=2)


def test_bootstrap_draws_whole_blocks():
    """Copies of a match in its block do not narrow the interval."""
    values = np.random.default_rng(2).normal(size=30)

    single = bootstrap(values, resamples=20_000, seed=1)
    doubled = bootstrap(np.repeat(values, 2), clusters=[i // 2 for i in range(60)], resamples=20_000, seed=1)

    assert (doubled.n, doubled.unit) == (30, "blocks")
    assert doubled.standard_error == pytest.approx(single.standard_error)


@pytest.mark.parametrize("method", ["bca", "percentile"])
def test_bootstrap_of_equal_values_has_no_interval(method):
    """Resampling what is all the same says nothing, and the result says that."""
    found = bootstrap([1.0] * 20, clusters=BLOCKS, method=method)

    assert (found.value, found.low, found.high) == (1.0, None, None)
    assert found.method == "no interval: all 10 blocks agree"
    assert bootstrap([1.0]).low is None


def test_ratio_of_sums_is_the_bootstrap_of_the_same_ratio():
    """Sums come first, and the interval is that of the percentile bootstrap over blocks."""
    rng = np.random.default_rng(3)
    rows = np.column_stack([rng.poisson(3, 40), rng.poisson(2, 40) + 1]).astype(float)
    labels = [i // 2 for i in range(40)]

    found = ratio_of_sums(rows[:, 0], rows[:, 1], clusters=labels, resamples=20_000, seed=1)
    theirs = bootstrap(rows[:, 0], bases=rows[:, 1], clusters=labels, method="percentile", resamples=20_000, seed=2)
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
    found = ratio_of_sums([5, 4, 6, 3], [0, 0, 1, 0], clusters="abcd")

    assert found.value == 18
    assert found.low is not None
    assert found.low <= 18
    assert found.high is None
    several = ratio_of_sums([5, 4, 6, 3] * 5, [1, 0, 1, 1] * 5, clusters=range(20))
    assert several.high is not None


def test_ratio_of_sums_of_one_match_has_no_interval():
    """One match, or matches that agree, say nothing about others; matches without anything do not count."""
    one = ratio_of_sums([3, 0], [2, 0], clusters=["a", "b"])
    equal = ratio_of_sums([1, 2, 3], [2, 4, 6], clusters="abc")

    assert (one.value, one.n, one.low, one.method) == (1.5, 1, None, "no interval: one of the matches alone")
    assert (equal.value, equal.low, equal.method) == (0.5, None, "no interval: all 3 matches agree")


def test_bootstrap_takes_any_statistic():
    """The ratio of two columns, drawn by block."""
    rows = np.column_stack([np.arange(20) % 3, np.ones(20)])

    found = bootstrap(rows, lambda r: float(r[:, 0].sum() / r[:, 1].sum()), clusters=BLOCKS, resamples=500)

    assert found.value == pytest.approx(0.95)
    assert found.low < found.value < found.high


def test_lengths_must_match():
    """A label too few is an error, not a shorter sample; so is a number that is none."""
    with pytest.raises(ValueError, match="do not match"):
        mean([1.0, 2.0], clusters=["a"])
    with pytest.raises(ValueError, match="no share"):
        share([3], [2])
    with pytest.raises(ValueError, match="finite"):
        mean([1.0, float("nan")])


def test_chance_correction():
    """Half way between random and optimal is one half; the interval is scaled alike."""
    value = mean([4.0, 6.0, 5.0, 5.0])

    found = chance_corrected(value, 2.0, 8.0)

    assert found.value == pytest.approx(0.5)
    assert found.high - found.low == pytest.approx((value.high - value.low) / 6)
    assert chance_corrected(value, 2.0, 8.0, random_error=0.5).high > found.high


def test_chance_correction_of_a_cost():
    """Where less is better the ends change places."""
    found = chance_corrected(mean([4.0, 6.0, 5.0, 5.0]), 8.0, 2.0)

    assert found.low < found.value == 0.5 < found.high


def test_random_play_that_is_optimal_has_no_scale():
    """No score is made up by dividing by nothing."""
    found = chance_corrected(mean([1.0, 2.0]), 3.0, 3.0)

    assert (found.value, found.method) == (None, "random play is optimal")


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


@pytest.mark.campaign
def test_bootstrap_covers():
    """BCa over 40 skewed blocks holds the mean in at least 91 % of 2,000 simulations (it is known to be short)."""

    def make(rng):
        return np.repeat(rng.exponential(size=40), 2), [i // 2 for i in range(80)]

    assert (
        coverage(make, 1.0, lambda values, clusters: bootstrap(values, clusters=clusters, resamples=1_000), 2_000)
        >= 0.91
    )


def test_redrawn_weights_are_of_whole_clusters():
    """Every resample draws as many clusters as there are, all of one together, and the mean weight is one."""
    drawn = list(redrawn(["a", "a", "b", "c", "c", "c"], resamples=2_000, seed=1))

    assert all(w[0] == w[1] and w[3] == w[4] == w[5] and w[0] + w[2] + w[3] == 3 for w in drawn)
    assert np.mean(drawn, axis=0) == pytest.approx(np.ones(6), abs=0.1)
    assert [list(w) for w in redrawn("ab", resamples=5, seed=3)] == [
        list(w) for w in redrawn("ab", resamples=5, seed=3)
    ]
