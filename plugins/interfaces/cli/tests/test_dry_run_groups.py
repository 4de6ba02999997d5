"""What a dry run says of many numbered tasks: each group, and a part of every group."""

from math import sqrt

import pytest
from arena_cli.forecast.dry_run import error_of_part


def test_all_tasks_have_no_error_of_sampling():
    """Where all of every group are played, nothing is left to be wrong about."""
    assert error_of_part([19, 20, 100], 100) == 0


def test_part_of_one_group_has_the_error_of_a_simple_sample():
    """Ten of a thousand have the interval of ten draws without replacement, half of them solved."""
    assert error_of_part([1_000], 10) == pytest.approx(1.959964 * sqrt(0.25 / 10 * 990 / 999))


def test_more_of_each_group_is_nearer():
    """The error falls with the size of the part, and large groups weigh most in it."""
    errors = [error_of_part([20, 142, 48], taken) for taken in (1, 2, 5, 10, 20)]

    assert errors == sorted(errors, reverse=True)
    assert error_of_part([10, 10], 2) < error_of_part([1, 19], 2)
