"""Intervals against scipy, textbook values and what is possible."""

import numpy as np
import pytest
from arena_metric_statistics.corrections import chance_corrected
from arena_metric_statistics.means import Interval, interval_of_mean, mean, normal
from arena_metric_statistics.proportions import clopper_pearson, jeffreys, rule_of_three, share, wilson
from arena_metric_statistics.rates import garwood, rate
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
    """Ten blocks of two identical matches tell a little less than ten matches, since that they agree is a guess."""
    wins = [1, 1] * 6 + [0, 0] * 4

    clustered = share(wins, clusters=BLOCKS)

    assert clustered.value == 0.6
    assert (clustered.n, clustered.unit) == (10, "blocks")
    assert (clustered.low, clustered.high) == pytest.approx(wilson(0.6 * 8, 8))


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
    for found in (share([]), mean([]), rate([])):
        assert (found.value, found.n, found.low, found.high) == (None, 0, None, None)
        assert found.method == "nothing observed"


@pytest.mark.parametrize(("wins", "has_interval"), [([1], False), ([1, 0], False), ([1, 0, 1], True)])
def test_share_of_few_matches(wins, has_interval):
    """One or two matches say too little of a share, and the estimate says that; three have an interval."""
    found = share(wins)

    assert found.n == len(wins)
    assert (found.low is not None) == (found.high is not None) == has_interval
    assert has_interval or found.method == "no interval: fewer than 3 matches"


def test_one_success_is_no_sure_sign_of_more():
    """A single win in 30, or a single loss, reaches further to the side where there may be fewer still."""
    once, lost = share([1] + [0] * 29), share([0] + [1] * 29)

    assert once.low == pytest.approx(0.0513 / 30, abs=1e-5)
    assert once.high == wilson(1, 30)[1]
    assert lost.high == pytest.approx(1 - once.low)


def test_counts_of_trials_are_clustered():
    """Refused turns out of turns: a match is the unit, however many turns it has."""
    found = share([0, 10, 0, 10], [10, 10, 10, 10])

    assert found.value == 0.5
    assert (found.n, found.unit) == (4, "matches")
    assert found.high - found.low > wilson(2, 4)[1] - wilson(2, 4)[0]


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
    """Ten equal returns say as much of the mean as ten wins say of a share, within the known range."""
    found = mean([1.0] * 10, bounds=(-1, 1))

    assert (found.low, found.high) == pytest.approx((2 * clopper_pearson(10, 10)[0] - 1, 1.0))
    assert found.method == "Gaffke, within -1 and 1"


def test_equal_returns_without_a_range_have_no_interval():
    """Where nothing bounds the returns no interval is made up."""
    found = mean([3.0] * 10)

    assert (found.value, found.low, found.high) == (3.0, None, None)
    assert found.method == "no interval: all 10 matches are equal"


def test_one_return_spans_the_range():
    """A single observation leaves nearly the whole range."""
    found = mean([0.0], bounds=(-1, 1))

    assert (found.low, found.high) == pytest.approx((-0.975, 0.975))


def test_one_possible_value_is_exact():
    """Where the game leaves one value possible there is nothing to estimate, and the estimate says so."""
    found = mean([3.0] * 10, bounds=(3, 3))

    assert (found.value, found.low, found.high, found.method) == (3.0, None, None, "exact")


def test_intervals_stay_in_the_range():
    """No interval leaves what is possible, whichever method it has."""
    few, wide = mean([1.0, 1.0, -1.0], bounds=(-1, 1)), mean([0.0] * 9 + [1.0], bounds=(0, 1_000))

    assert -1 <= few.low < few.value < few.high <= 1
    assert (wide.low, wide.method) == (0.0, "Student, if no rarer, greater results exist")


def test_payoffs_have_possible_intervals():
    """Two payoffs of 0 and 3 do not have a mean between -17.56 and 20.56."""
    found = mean([0.0, 3.0], bounds=(0, 3))

    assert 0 < found.low < 1.5 < found.high < 3


@pytest.mark.parametrize(("blocks", "has_interval"), [(4, False), (5, True), (9, True)])
def test_few_blocks_without_bounds(blocks, has_interval):
    """Without bounds Student's interval begins with five blocks, under the condition that it says."""
    found = mean([float(each) for each in range(blocks)])

    assert (found.low is not None) == has_interval
    assert found.method == (
        "Student, if no rarer, greater results exist" if has_interval else "no interval: fewer than 5 matches"
    )


def test_what_was_seen_moves_the_bounds():
    """A forfeit may cost more than the game does, and its interval holds what was seen."""
    found = mean([-5.0, 1.0, 1.0], bounds=(-1, 1))

    assert -5 <= found.low < found.value < found.high <= 1


def test_plain_numbers_by_block():
    """Values by block give the ends and the method, or why there is none, without an estimate."""
    wins = [[1.0, 1.0], [0.0, 1.0], [], [0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
    known = interval_of_mean(wins, low=0.0, high=1.0)
    labels = [place for place, own in enumerate(wins) for _ in own]
    same = mean([value for own in wins for value in own], clusters=labels, bounds=(0, 1))

    assert (known.low, known.high, known.remark) == (same.low, same.high, same.method)
    assert interval_of_mean(wins).remark == "Student, if no rarer, greater results exist"
    assert interval_of_mean([[1.0], [2.0]]) == Interval(None, None, "no interval: fewer than 5 blocks")
    assert interval_of_mean([[], []]) == Interval(None, None, "no interval: nothing observed")


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
    assert rate([0] * 3, [5] * 3).high > 1


def test_rate_of_one_match():
    """One match with refusals has a value, and says nothing of how they come in bursts."""
    found = rate([3], [4])

    assert (found.value, found.low, found.high) == (0.75, None, None)
    assert found.method == "no interval: fewer than 3 matches"


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
    value = mean([4.0, 6.0, 5.0, 5.0], bounds=(2, 8))

    found = chance_corrected(value, 2.0, 8.0)

    assert found.value == pytest.approx(0.5)
    assert found.high - found.low == pytest.approx((value.high - value.low) / 6)
    assert chance_corrected(value, 2.0, 8.0, random_error=0.5).high > found.high


def test_chance_correction_of_a_cost():
    """Where less is better the ends change places."""
    found = chance_corrected(mean([4.0, 6.0, 5.0, 5.0], bounds=(2, 8)), 8.0, 2.0)

    assert found.low < found.value == 0.5 < found.high


def test_random_play_that_is_optimal_has_no_scale():
    """No score is made up by dividing by nothing."""
    found = chance_corrected(mean([1.0, 2.0]), 3.0, 3.0)

    assert (found.value, found.method) == (None, "random play is optimal")
