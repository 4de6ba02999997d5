"""Matches as hypothesis draws them: legal, of any game, and shrunk to what matters."""

import subprocess
import sys

import pytest
from arena.game import FORFEITED
from arena.installing import full_name, install_line
from arena.testing import ConformanceError
from arena_testing.foundation.playthrough import replay
from arena_testing.strategies import action_sequences
from hypothesis import HealthCheck, Phase, find, given, settings, strategies as st

from .games_board import Board, TicTacToe
from .games_cards import KuhnPoker
from .planted import Planted
from .test_games import ALL

PATIENT = settings(deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
FINDING = settings(PATIENT, max_examples=500, database=None, phases=[Phase.generate, Phase.shrink])


@given(st.sampled_from(ALL).flatmap(lambda game: action_sequences(game, max(game.player_counts()))))
@settings(PATIENT, max_examples=60)
def test_sequences_of_any_game_lead_to_their_position(walk):
    """The actions of a walk, applied to the same deal, tell the same story, in games with options and without."""
    again = replay(walk.game, walk.players, walk.line)

    assert again.story == walk.story
    assert all(action is not FORFEITED for step in walk.steps for action in step.values())


@given(action_sequences(TicTacToe(), is_whole=True), action_sequences(TicTacToe(), steps=4))
@settings(PATIENT, max_examples=20)
def test_sequences_are_as_long_as_wanted(whole, short):
    """A whole walk ends with the match; others have at most so many steps."""
    assert whole.is_over
    assert whole.state.returns() is not None
    assert len(short.steps) <= 4


@pytest.mark.campaign
def test_sequences_shrink_to_the_shortest():
    """Of all won matches one is found that takes least: the deal of seed 0 and five steps."""
    walk = find(action_sequences(TicTacToe()), lambda walk: walk.state.returns() == (1.0, -1.0), settings=FINDING)

    assert repr(walk).startswith("TicTacToe().start(Chance(0), 2), then apply {0: ")
    assert len(walk.steps) == 5


def test_sequences_shrink_to_the_first_options():
    """Options that do not matter are the first there are, and steps that do not matter are left out."""
    walk = find(action_sequences(TicTacToe()), lambda walk: len(walk.steps) >= 3, settings=FINDING)

    assert walk.steps == [{0: 0}, {1: 1}, {0: 2}]


def test_luck_is_drawn_as_well():
    """Any deal can come up; a card that seed 0 does not deal is found."""
    cards = action_sequences(KuhnPoker(), steps=0)
    dealt = {
        find(cards, lambda walk, k=k: walk.told[0][0].data == k, settings=FINDING).told[0][0].data
        for k in ("king", "queen")
    }

    assert dealt == {"king", "queen"}


class Torn(Board):
    """Breaks when the centre is taken."""

    def apply(self, actions):
        return [][4] if 4 in actions.values() else super().apply(actions)


def test_what_a_game_raises_comes_with_its_line():
    """A bug of the game is reported with the fewest actions that lead to it."""

    @given(action_sequences(Planted(TicTacToe(), Torn)))
    @FINDING
    def broken(walk):
        pass

    with pytest.raises(ConformanceError, match="IndexError") as caught:
        broken()

    assert caught.value.line is not None
    assert caught.value.line.steps == ({0: 4},)


@pytest.mark.slow
def test_failing_example_is_printed_as_a_line_of_play():
    """What hypothesis prints of a walk is the game, the deal and the actions, and nothing else."""

    @given(action_sequences(TicTacToe()))
    @FINDING
    def short(walk):
        assert len(walk.steps) < 2

    with pytest.raises(AssertionError) as caught:
        short()

    printed = " ".join(" ".join(caught.value.__notes__).split())
    assert "walk=TicTacToe().start(Chance(0), 2), then apply {0: 0}, {1: 1}, )" in printed


def test_needs_hypothesis_and_says_so():
    """Where hypothesis is missing, the import says how to get it, and the rest of ``arena.testing`` works."""
    program = (
        "import sys; sys.modules['hypothesis'] = None; import arena_testing.pytest_plugin, arena_testing.strategies"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert f"needs hypothesis; install it with: {install_line(full_name('testing[strategies]'))}" in done.stderr
