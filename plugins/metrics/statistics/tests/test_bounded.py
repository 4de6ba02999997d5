"""Gaffke's interval against published values, against drawn weights, and inside the bounds."""

import numpy as np
import pytest
from arena_metric_statistics.bounded import gaffke
from arena_metric_statistics.clusters import Clusters
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import clopper_pearson
from hypothesis import given, strategies as st


def ends(values, low, high, level=0.95):
    """The interval of single values."""
    return gaffke(Clusters.of(values, None, None), low, high, level)


@pytest.mark.parametrize("trials", [1, 2, 5, 10, 30, 100, 1_000, 100_000])
@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
def test_of_wins_it_is_clopper_and_pearson(trials, level):
    """For values of 0 and 1 both intervals are the same, from one trial to very many."""
    for wins in {0, 1, trials // 3, trials - 1, trials}:
        found = ends([1.0] * wins + [0.0] * (trials - wins), 0.0, 1.0, level)

        assert found == pytest.approx(clopper_pearson(wins, trials, level=level), abs=1e-8)


def test_published_values():
    """Clopper and Pearson's table has 0.187 to 0.813 for five of ten, and 0 to 0.308 for none of ten."""
    assert ends([1.0] * 5 + [0.0] * 5, 0.0, 1.0) == pytest.approx((0.187, 0.813), abs=5e-4)
    assert ends([0.0] * 10, 0.0, 1.0) == pytest.approx((0.0, 0.308), abs=5e-4)


def test_it_is_the_quantile_of_drawn_weights():
    """A million random weights give the same ends, up to the error of drawing."""
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 3, 8)
    weights = rng.exponential(size=(1_000_000, 9))
    weights /= weights.sum(axis=1, keepdims=True)

    drawn = [np.quantile(weights @ np.append(values, end), tail) for end, tail in ((0, 0.025), (3, 0.975))]

    assert ends(values, 0.0, 3.0) == pytest.approx(drawn, abs=0.004)


def test_very_many_values_are_told_apart_well_enough():
    """Of 20,000 different values neighbours count together, which moves the ends by next to nothing."""
    values = np.random.default_rng(3).normal(size=20_000).clip(-50, 50)
    found = ends(values, -50.0, 50.0)
    error = values.std() / 20_000**0.5

    assert found[0] == pytest.approx(values.mean() - 1.96 * error, abs=0.25 * error + 50 / 20_000)
    assert found[1] == pytest.approx(values.mean() + 1.96 * error, abs=0.25 * error + 50 / 20_000)


@given(
    st.lists(st.tuples(st.floats(-3, 5), st.integers(1, 4)), min_size=1, max_size=30),
    st.floats(0, 10),
    st.floats(0.5, 0.99),
)
def test_it_holds_the_mean_within_the_bounds(blocks, more, level):
    """Whatever was seen, the interval has a width, holds the mean and stays within the bounds."""
    values = [value for value, size in blocks for _ in range(size)]
    labels = [place for place, (_, size) in enumerate(blocks) for _ in range(size)]

    found = mean(values, clusters=labels, bounds=(-3.0 - more, 5.0 + more), level=level)

    assert found.low is not None
    assert found.high is not None
    assert -3 - more - 1e-9 <= found.low <= found.value + 1e-9
    assert found.value - 1e-9 <= found.high <= 5 + more + 1e-9
    assert found.low < found.high
