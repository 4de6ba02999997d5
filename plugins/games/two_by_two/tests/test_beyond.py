import warnings
from fractions import Fraction

import numpy as np
import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Illegal
from arena.record import JSON
from arena.testing import check_game
from arena_game_two_by_two.examination import SOLVER
from arena_game_two_by_two.extra_questions import TwoByTwoDominance, TwoByTwoMixed
from arena_game_two_by_two.topology import GAMES


@pytest.mark.parametrize("playouts", [2, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=2)
@pytest.mark.parametrize("game", [TwoByTwoDominance("111"), TwoByTwoMixed("122")])
def test_further_questions_keep_the_contract(game: TwoByTwoDominance | TwoByTwoMixed, playouts: int | None):
    """They pass what every game has to pass."""
    check_game(game, playouts=playouts)


def test_all_equilibria_agree_with_an_independent_solver():
    """Pure and mixed equilibria of all 144 games are those that nashpy finds by support enumeration."""
    import nashpy  # which takes long to import

    for game in GAMES.values():
        solver = nashpy.Game(np.array(game.matrix.a), np.array(game.matrix.b))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = {(round(float(a[0]), 9), round(float(b[0]), 9)) for a, b in solver.support_enumeration()}

        ours = {(float(n <= 2), float(n % 2 == 1)) for n in game.matrix.equilibria}
        if game.matrix.mixed is not None:
            ours.add((round(float(game.matrix.mixed[0]), 9), round(float(game.matrix.mixed[1]), 9)))
        assert ours == found


def test_dominant_choices_are_right():
    """In the dilemma both players have one, in the stag hunt neither."""
    for name, right in (("111", ["A2", "B1"]), ("322", [])):
        state, _ = TwoByTwoDominance(name).start(Chance(0), 1)
        graded = state.apply({SOLVER: right})[-1]
        assert state.returns() == (1.0,)
        assert graded.data["is_right"] is True  # type: ignore[index,call-overload]


@pytest.mark.parametrize(
    ("answer", "is_right"),
    [
        ({"A1": "1/2", "B1": "1/2"}, True),
        ({"A1": 0.5, "B1": " 2 / 4 "}, True),
        ({"A1": 0.495, "B1": 0.509}, True),
        ({"A1": 0.5, "B1": 0.52}, False),
        ({"A1": 1, "B1": 0}, False),
    ],
)
def test_mixtures_are_compared_as_numbers(answer: JSON, is_right: bool):
    """Fractions and decimals count alike, within a hundredth; in Chicken with ranks both players mix evenly."""
    state, _ = TwoByTwoMixed("122").start(Chance(0), 1)
    assert GAMES["122"].matrix.mixed == (Fraction(1, 2), Fraction(1, 2))

    assert state.check(SOLVER, answer) is None
    state.apply({SOLVER: answer})

    assert state.returns() == (float(is_right),)


@pytest.mark.parametrize(
    "answer", [None, {}, {"A1": 0.5}, {"A1": 1.5, "B1": 0}, {"A1": "1/0", "B1": 0}, {"A1": True, "B1": 0}]
)
def test_what_is_no_mixture_is_refused(answer: JSON):
    """Anything but two probabilities is refused with a reason."""
    state, _ = TwoByTwoMixed("122").start(Chance(0), 1)

    assert isinstance(state.check(SOLVER, answer), Illegal)


def test_games_without_a_mixed_equilibrium_are_refused():
    """A game that somebody's dominant choice decides has no mixed equilibrium, and cannot be asked for one."""
    with pytest.raises(ConfigError, match="'111' has no equilibrium in which both players mix"):
        TwoByTwoMixed("111")
