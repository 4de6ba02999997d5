"""What our games state of random play: found where it should be, and borne out by fresh matches."""

import runpy
from fractions import Fraction
from pathlib import Path

import pytest
from arena.testing import random_reference
from arena_engine import make_plugin
from arena_testing.game.stated_random_play import check_random_play

SCRIPTS = sorted((Path(__file__).parents[1] / "plugins/games").glob("*/scripts/make_random_play.py"))


def games_of(script):
    """What a script plays: each game with its players and the number of its matches."""
    return runpy.run_path(str(script))["GAMES"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.parents[1].name)
def test_games_state_what_their_script_has_found(script):
    """The facts of each game have the reference that was made for it, with as many matches as the script plays."""
    for name, (game, players, matches) in games_of(script).items():
        stated = game.facts(players).random

        assert stated is not None, name
        assert stated.n == matches, name


@pytest.mark.parametrize(
    ("use", "parameters", "players"),
    [
        ("kuhn-poker", {}, 3),
        ("leduc-poker", {}, 3),
        ("connect-four", {"rows": 5}, 2),
        ("hex", {"rows": 5}, 2),
        ("go", {"komi": 6.5}, 2),
        ("grid-tic-tac-toe", {"misere": True}, 2),
        ("grid-connect-four", {"wraps": "sideways"}, 2),
        ("negotiation", {"rounds": 3}, 2),
        ("diplomacy", {"last-year": 1908}, 7),
        ("diplomacy", {}, 3),
        ("tradecraft", {"max-crafts": 3}, 2),
        ("hanabi", {"lives": 1}, 2),
        ("hanabi", {"hand-size": 4}, 3),
    ],
)
def test_other_parameters_state_nothing(use, parameters, players):
    """What was found for one game is not said of another."""
    assert make_plugin("game", {"use": use, **parameters}).facts(players).random is None


def test_small_games_are_exact():
    """Tic-tac-toe and Kuhn poker state the fractions that are known."""
    for use in ("tic-tac-toe", "grid-tic-tac-toe"):
        found = make_plugin("game", use).facts(2).random
        exact = Fraction(737, 1260), Fraction(121, 420), Fraction(8, 63), Fraction(3203, 420)
        assert (*found.wins, found.draws, found.turns) == pytest.approx([float(share) for share in exact], abs=1e-9)
    assert make_plugin("game", "kuhn-poker").facts(2).random.returns == (1 / 8, -1 / 8)


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.parents[1].name)
@pytest.mark.sample(slow=1)
def test_fresh_matches_bear_out_what_is_stated(script):
    """Exact values are found again; others agree with matches that they do not rest on."""
    for game, players, matches in games_of(script).values():
        if matches:
            check_random_play(game, players, matches=min(matches, 400), turns=20_000)
        else:
            assert random_reference(game, players) == game.facts(players).random
