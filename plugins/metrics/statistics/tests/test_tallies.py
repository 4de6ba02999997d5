"""Entropy and agreement, against values computed by hand."""

from math import isclose, log

import pytest
from arena_metric_statistics.tallies import cohens_kappa, entropy, jackknife, kappa, miller_madow, plug_in
from hypothesis import given, strategies as st


@pytest.mark.parametrize(("counts", "bits"), [([4], 0.0), ([1, 1], 1.0), ([2, 1, 1], 1.5), ([3, 3, 3, 3, 0], 2.0)])
def test_entropy_in_bits(counts, bits):
    """Equal shares of 2^k categories have k bits; a category without a case adds nothing."""
    assert isclose(plug_in(counts), bits, abs_tol=1e-12)


def test_miller_madow_adds_the_bias():
    """Two categories in ten cases: (2 - 1) / (2 * 10 * ln 2) bits on top."""
    assert isclose(miller_madow([5, 5]), 1 + 1 / (20 * log(2)))


def test_kappa_of_a_table():
    """Agreement in 35 of 50 where chance gives a half is a kappa of 0.4."""
    assert isclose(cohens_kappa([[20, 5], [10, 15]]) or 0, 0.4)


def test_kappa_is_not_made_up():
    """Where both put everything into one category there is no kappa, and the estimate says so."""
    found = kappa(["a", "a"], ["a", "a"], clusters=["m", "n"])

    assert (found.value, found.n) == (None, 2)
    assert "not defined" in found.method


def test_entropy_is_over_matches():
    """Moves of one match count as one unit, and one match alone has no interval."""
    alone = entropy(["a", "b", "a"], clusters=["m", "m", "m"])
    several = entropy(["a", "b", "a", "a", "b", "a"], clusters=["m", "m", "n", "o", "p", "q"])

    assert (alone.n, alone.low, alone.method) == (1, None, "plug-in, no interval: fewer than 5 matches")
    assert several.n == 5
    assert several.low is not None
    assert several.low <= (several.value or 0) <= (several.high or 0)


def test_jackknife_of_a_mean_is_student():
    """For a mean the jackknife has the standard error that everybody knows."""
    import numpy as np

    rows = np.array([[1.0, 1.0], [2.0, 1.0], [6.0, 1.0], [0.0, 1.0], [3.0, 1.0]])
    found = jackknife(rows, lambda total: float(total[0] / total[1]))

    assert found is not None
    assert isclose(found.standard_error or 0, float(np.std([1, 2, 6, 0, 3], ddof=1)) / 5**0.5)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(0, 4)), min_size=1, max_size=40))
def test_estimates_hold_themselves(moves):
    """Whatever is counted, an estimate lies in its interval, entropy is at most that of equal shares, and kappa at
    most one."""
    first, second, clusters = (list(column) for column in zip(*moves, strict=True))
    found = [entropy(first, clusters=clusters), kappa(first, second, clusters=clusters)]

    for estimate in found:
        if estimate.low is not None and estimate.value is not None and estimate.high is not None:
            assert estimate.low <= estimate.value <= estimate.high
    assert -1e-12 <= (found[0].value or 0) <= plug_in([1] * len(set(first))) + 1e-12
    assert (found[1].value or 0) <= 1 + 1e-12
