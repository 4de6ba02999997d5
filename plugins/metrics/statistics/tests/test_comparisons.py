"""Tests for pairs, corrections and planning, against scipy and textbook values."""

import subprocess
import sys

import numpy as np
import pytest
from arena_metric_statistics.comparisons import benjamini_hochberg, holm, mcnemar, sign_flip
from arena_metric_statistics.planning import (
    for_half_width,
    for_mean_difference,
    for_two_shares,
    power_of,
    to_separate,
)
from arena_metric_statistics.proportions import wilson
from scipy import stats


def test_sign_flips_are_exact():
    """With few blocks the p-value is scipy's exact permutation of paired samples."""
    differences = np.array([1.0, 2.0, -0.5, 1.5, 0.25, 3.0, -1.0])
    theirs = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf)

    found = sign_flip(differences)

    assert found.p == pytest.approx(theirs.pvalue)
    assert found.method == "sign flips, all 128 patterns"


def test_sign_flips_at_random_agree_with_exact_ones():
    """With many blocks random patterns give the normal approximation's p-value, and never zero."""
    differences = np.random.default_rng(4).normal(0.2, 1.0, size=200)
    z = differences.sum() / np.sqrt((differences**2).sum())

    assert sign_flip(differences, seed=1).p == pytest.approx(2 * stats.norm.sf(abs(z)), abs=0.01)
    assert sign_flip(differences, seed=1) == sign_flip(differences, seed=1)
    assert sign_flip(np.ones(100)).p == pytest.approx(1 / 20_001)


def test_ties_carry_no_information():
    """Blocks without a difference change neither n nor p, and nothing but ties is no difference."""
    assert sign_flip([1.0, 0.0, 1.0, 0.0]).p == sign_flip([1.0, 1.0]).p == 0.5
    assert (sign_flip([0.0, 0.0]).p, sign_flip([]).p) == (1.0, 1.0)
    assert sign_flip([1.0, 0.0]).n == 1


def test_false_alarms_stay_rare():
    """Where there is no difference, p falls below 5 % in at most about 5 % of 400 simulations."""
    alarms = sum(sign_flip(np.random.default_rng(s).choice([-1, 0, 1], size=12)).p <= 0.05 for s in range(400))

    assert alarms / 400 <= 0.07


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 1), (3, 3), (10, 2), (0, 8)])
def test_mcnemar_is_a_binomial_test(first, second):
    """Exact McNemar is the two-sided binomial test of the discordant pairs; mid-p is half a case smaller."""
    n = first + second
    theirs = stats.binomtest(first, n).pvalue if n else 1.0

    assert mcnemar(first, second).p == pytest.approx(theirs)
    if first != second:
        half = stats.binom.pmf(first, n, 0.5)
        assert mcnemar(first, second, mid_p=True).p == pytest.approx(theirs - half)


def test_holm():
    """Holm's example: each p-value times the number of hypotheses left, never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()
    assert holm([0.6, 0.9]) == (1.0, 1.0)


def test_benjamini_hochberg():
    """Adjusted p-values are scipy's."""
    ps = [0.01, 0.04, 0.03, 0.005, 0.7]

    assert benjamini_hochberg(ps) == pytest.approx(tuple(stats.false_discovery_control(ps)))
    assert benjamini_hochberg([]) == ()


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5])
def test_planned_width_is_reached(share):
    """The number of matches planned gives the width asked for, and one match fewer does not."""
    n = for_half_width(share, 0.05)
    low, high = wilson(share * n, n)
    before = wilson(share * (n - 1), n - 1)

    assert (high - low) / 2 <= 0.05 < (before[1] - before[0]) / 2


def test_planned_comparison():
    """Fleiss' textbook value: 0.5 against 0.6 with power 0.8 takes 388 of each; with half a deviation 34 blocks."""
    assert for_two_shares(0.5, 0.6) == 388
    assert for_mean_difference(1.0, 0.5) == 34


@pytest.mark.parametrize(("effect", "blocks"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_blocks_for_small_medium_and_large_effects(effect, blocks):
    """Cohen's small, medium and large effects take the textbook's numbers of pairs, and not one less."""
    assert for_mean_difference(1.0, effect) == for_mean_difference(2.0, -2 * effect) == blocks
    assert power_of(blocks - 1, effect) < 0.8 <= power_of(blocks, effect)


def test_power_is_that_of_the_noncentral_t():
    """The power agrees with scipy's non-central distribution; without an effect it is the rate of false alarms."""
    reach = stats.t.ppf(0.975, 19)
    theirs = stats.nct.sf(reach, 19, 0.5 * np.sqrt(20)) + stats.nct.cdf(-reach, 19, 0.5 * np.sqrt(20))

    assert power_of(20, 0.5) == pytest.approx(theirs)
    assert power_of(20, 0.0) == pytest.approx(0.05)


def test_matches_to_separate_at_the_observed_effect():
    """A mean of 0.5 deviations takes 34 blocks, or twice as many matches where each block is two."""
    seen = np.array([-0.5, 1.5] * 8) * np.sqrt(15 / 16)
    seen += 0.5 - seen.mean()

    found = to_separate(seen)
    paired = to_separate(np.repeat(seen, 2), clusters=[i // 2 for i in range(32)])

    assert (found.value, found.n, found.unit) == (34, 16, "matches")
    assert (paired.value, paired.n, paired.unit) == (68, 16, "blocks")


@pytest.mark.slow
def test_interval_of_matches_to_separate_covers():
    """Over many samples of a known effect the interval holds the true number as often as it says."""
    rng = np.random.default_rng(2)
    true = for_mean_difference(1.0, 0.5)

    found = [to_separate(rng.normal(0.5, 1.0, size=30)) for _ in range(2_000)]
    covered = np.mean([e.low <= true and (e.high is None or true <= e.high) for e in found])

    assert covered == pytest.approx(0.95, abs=0.015)


def test_unclear_effects_have_no_upper_bound():
    """Where the interval of the effect includes none, no number of matches is certain to suffice."""
    found = to_separate([1.0, -1.0, 0.5, -0.25])

    assert found.high is None
    assert found.low < found.value


def test_matches_that_say_nothing_separate_nobody():
    """No difference, one block or none: there is no number, and the reason is said."""
    for differences, reason in (([], "nothing observed"), ([1.0], "one of the matches"), ([0.0] * 5, "no difference")):
        found = to_separate(differences)

        assert found.value is None
        assert reason in found.method
    assert to_separate([1.0, -1.0]).value is None


def test_blocks_that_all_agree_need_as_many_as_sign_flips_do():
    """Six blocks of one sign are the fewest with which flipping signs can reach 5 %."""
    found = to_separate([1.0] * 3)

    assert (found.value, found.high) == (6, None)
    assert sign_flip([1.0] * 6).p <= 0.05 < sign_flip([1.0] * 5).p


def test_what_does_not_differ_cannot_be_planned():
    """No number of matches finds a difference of nothing."""
    with pytest.raises(ValueError, match="no number of matches"):
        for_two_shares(0.5, 0.5)
    with pytest.raises(ValueError, match="from 0 to 1"):
        for_two_shares(1.5, 0.5)


def test_importing_the_package_is_free():
    """The package alone imports neither numpy nor scipy, and its modules never scipy.stats."""
    code = """
import sys, arena_metric_statistics
assert not {"numpy", "scipy"} & set(sys.modules)
import arena_metric_statistics.comparisons, arena_metric_statistics.means, arena_metric_statistics.resampling
assert "scipy.stats" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
