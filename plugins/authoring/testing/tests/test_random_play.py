"""What random play earns is found exactly in small games, by matches in others, and checked where a game states it."""

import re
import runpy

import attrs
import pytest
from arena.game import RandomReference
from arena.testing import ConformanceError, check_game, random_reference, write_random_play
from arena_testing.game.game_facts import check_facts
from arena_testing.game.stated_random_play import check_random_play

from .games_cards import KuhnPoker
from .games_secrets import Dice
from .games_tables import Proposals
from .games_together import RockPaperScissors
from .planted import Planted, fault_of

KUHN = RandomReference(
    returns=(0.125, -0.125),
    deviations=(1.452368754828, 1.452368754828),
    wins=(0.5625, 0.4375),
    draws=0.0,
    turns=2.25,
    n=0,
    source="all matches enumerated",
)
LONG = attrs.evolve(KUHN, n=900, errors=(0.05, 0.05), deviations=())


def test_kuhn_poker_is_enumerated():
    """Every order of the cards and every bet has its probability; the first player earns 1/8."""
    assert random_reference(KuhnPoker(), 2) == KUHN


def test_simultaneous_moves_and_dice_are_enumerated():
    """Who throws at once, and what is rolled on the way, count with their probabilities."""
    thrown, rolled = random_reference(RockPaperScissors(1), 2), random_reference(Dice(), 2)

    assert (thrown.returns, thrown.draws, thrown.turns) == ((0.0, 0.0), pytest.approx(1 / 3), 2)
    assert (rolled.n, sum(rolled.wins) + rolled.draws) == (0, pytest.approx(1))
    assert rolled.wins[0] > rolled.wins[1]


def test_what_cannot_be_enumerated_is_played():
    """Decisions without options give the mean of so many matches with its error, the same each time."""
    found = random_reference(Proposals(), 3, matches=50)

    assert (found.n, found.source) == (50, "random matches stated by the game")
    assert min(found.errors) > 0
    assert found == random_reference(Proposals(), 3, matches=50)


def test_numbers_are_written_as_a_module(tmp_path):
    """What is known stays as it is, what is missing is found, and the module gives it all back."""
    path = tmp_path / "random_play.py"

    write_random_play(
        path, {"kuhn": (KuhnPoker(), 2, 0), "long": (KuhnPoker(), 2, 9)}, script="x", known={"long": LONG}
    )

    assert runpy.run_path(str(path))["RANDOM_PLAY"] == {"kuhn": KUHN, "long": LONG}


def test_what_is_known_is_found_anew_where_it_is_named(tmp_path):
    """A name that stands for no game is refused before anything is played."""
    path, games = tmp_path / "random_play.py", {"kuhn": (KuhnPoker(), 2, 0), "long": (KuhnPoker(), 2, 0)}

    write_random_play(path, games, script="x", known={"kuhn": LONG, "long": LONG}, anew=["kuhn"])

    assert runpy.run_path(str(path))["RANDOM_PLAY"] == {"kuhn": KUHN, "long": LONG}
    with pytest.raises(ValueError, match="no game called 'kuhm'"):
        write_random_play(path, games, script="x", anew=["kuhm"])


@pytest.mark.parametrize("stated", [None, KUHN, LONG])
def test_sound_numbers_pass(stated):
    """Nothing at all, exact values, and a mean with its error."""
    game = Planted(KuhnPoker(), facts_changed={"random": stated})

    check_facts(game, 2)
    check_random_play(game, 2)


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (attrs.evolve(KUHN, returns=(0.125,)), "expected one number for each of 2 players, got 1"),
        (attrs.evolve(KUHN, returns=(3.0, -3.0)), "returns"),
        (attrs.evolve(KUHN, returns=(0.125, 0.125)), "add up to 0.25 in a zero-sum game"),
        (attrs.evolve(KUHN, errors=(0.1, 0.1)), "n=0 and none for exact values"),
        (attrs.evolve(LONG, errors=(0.1, -0.1)), "not finite and at least 0"),
        (attrs.evolve(KUHN, wins=(0.9, 0.4)), "no shares that add up to 1"),
        (attrs.evolve(KUHN, source=""), "say how the numbers were found"),
    ],
)
def test_numbers_that_make_no_sense_are_found(stated, words):
    """They are a fault of the facts."""
    assert words in fault_of(Planted(KuhnPoker(), facts_changed={"random": stated})).what


@pytest.mark.parametrize(
    ("stated", "words"),
    [
        (attrs.evolve(KUHN, returns=(1.5, -1.5)), "states returns[0] 1.5, but 64 random matches gave"),
        (attrs.evolve(LONG, wins=(0.01, 0.99)), "states wins[0] 0.01"),
        (attrs.evolve(KUHN, turns=3.0), "states turns 3"),
    ],
)
def test_numbers_that_fresh_matches_are_far_from_are_found(stated, words):
    """Random matches that the numbers do not rest on tell that they are of another game."""
    with pytest.raises(ConformanceError, match=re.escape(words)):
        check_random_play(Planted(KuhnPoker(), facts_changed={"random": stated}), 2)


def test_the_check_of_a_game_looks_at_them_too():
    """An author learns of it from ``check_game``."""
    game = Planted(KuhnPoker(), facts_changed={"random": attrs.evolve(KUHN, turns=3.0)})

    with pytest.raises(ConformanceError, match="states turns 3"):
        check_game(game, playouts=1, without=("told", "announced", "resample"))
