"""Checks of games whose matches take long: the time wins over the number of matches, and the report says so."""

import time

import attrs
import pytest
from arena.testing import check_game
from arena_testing.fixtures.reference_game import Count, ReferenceGame
from arena_testing.foundation.conformance import CpuLimit
from arena_testing.game.playouts import play_many

from .planted import Planted

STEP_S = 0.02


class SlowCount(Count):
    def apply(self, actions):
        began = time.process_time()
        while time.process_time() - began < STEP_S:
            pass
        return Count.apply(self, actions)

    def clone(self):
        return SlowCount(self.number, self.turn)


@attrs.frozen
class Slow(ReferenceGame):
    def start(self, chance, players):
        return SlowCount(), []


@pytest.mark.campaign
def test_matches_are_left_out_when_the_time_is_over():
    """With half a second for matches of a tenth each, one is examined, and the report counts those that are not."""
    report = check_game(Slow(), cpu_s=0.5)

    assert report.left_out > 0
    assert 1 <= report.playouts < 16
    assert report.positions >= 1


@pytest.mark.campaign
def test_time_that_is_too_short_is_no_fault():
    """If the time is over before anything hidden could be compared, that is said to be untested, not a fault."""
    report = check_game(Planted(Slow(), facts_changed={"hidden_information": True}), cpu_s=0.5)

    assert any(why.startswith("hidden information: no player had two truths") for why in report.untested)


@pytest.mark.campaign
def test_nothing_is_left_out_without_a_limit():
    """The usual number of matches is examined where no time is given, or enough of it."""
    assert check_game(ReferenceGame()).left_out == 0
    assert check_game(ReferenceGame(), cpu_s=60) == check_game(ReferenceGame())


def test_playouts_end_with_the_time():
    """A tenth of a second allows a few steps, and not the matches that were asked for."""
    report = play_many(Slow(), at_most=1_000, cpu_s=0.1)

    assert 1 <= report.playouts <= 3
    assert report.steps * STEP_S < 0.5


def test_limit_counts_processor_time():
    """A share of the time is over before all of it; without a number it never is."""
    limit = CpuLimit(0.05)
    began = time.process_time()
    while time.process_time() - began < 0.03:
        pass

    assert limit.is_over(0.5)
    assert not CpuLimit(1_000).is_over()
    assert not CpuLimit().is_over()
