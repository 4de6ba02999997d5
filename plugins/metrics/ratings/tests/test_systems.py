"""Elo, SPIN-Bench's batch procedure, Glicko-2 and Plackett-Luce by published and by hand-made examples."""

from math import exp, log10, sqrt
from random import Random

import evalica
import pytest
from arena_metric_ratings import elo, glicko, plackett_luce
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.glicko import Strength
from arena_metric_ratings.scale import POINTS, Anchor, expected


def duel(score: float, number: int = 0, agents=("a", "b")) -> Contest:
    places = {1.0: (0, 1), 0.5: (0, 0), 0.0: (1, 0)}[score]
    return Contest(f"m{number}", f"b{number}", agents, places)


def test_glicko_example_is_the_published_one():
    """Glickman's example: a player of 1500 beats 1400 and loses to 1550 and 1700."""
    met = [(Strength(1400, 30), 1.0), (Strength(1550, 100), 0.0), (Strength(1700, 300), 0.0)]

    found = glicko.updated(Strength(1500, 200, 0.06), met, tau=0.5)

    assert (found.rating, found.deviation) == (pytest.approx(1464.06, abs=0.01), pytest.approx(151.52, abs=0.01))
    assert found.volatility == pytest.approx(0.05999, abs=1e-5)


def test_glicko_periods_follow_each_other():
    """A period's strengths are the opponents' in the next one; who does not play becomes less sure."""
    played = [duel(1.0), duel(1.0, 1, ("a", "c"))]

    found = glicko.rated(played, period=1)

    first = glicko.updated(Strength(), [(Strength(), 1.0)])
    waited = sqrt(350**2 + (POINTS * 0.06) ** 2)
    assert found["a"] == glicko.updated(first, [(Strength(deviation=waited), 1.0)])
    assert found["b"].deviation > glicko.updated(Strength(), [(Strength(), 0.0)]).deviation


def test_sequential_elo_by_hand():
    """Two matches, one update each."""
    found = elo.sequential([duel(1.0), duel(0.5, 1)])

    assert found["a"] == pytest.approx(1016 + 32 * (0.5 - expected(32)))
    assert found["a"] + found["b"] == pytest.approx(2000)


def test_sequential_elo_is_evalicas():
    """A tournament of four in the same order: evalica's ratings, to 1e-6."""
    luck, agents = Random(7), ("a", "b", "c", "d")
    pairs = [luck.sample(agents, 2) for _ in range(200)]
    scores = [luck.choice((1.0, 0.5, 0.0)) for _ in pairs]
    word = {1.0: evalica.Winner.X, 0.5: evalica.Winner.Draw, 0.0: evalica.Winner.Y}
    firsts, seconds = zip(*pairs, strict=True)
    peer = evalica.elo(firsts, seconds, [word[score] for score in scores], k=32.0)

    found = elo.sequential(duel(s, i, tuple(pair)) for i, (s, pair) in enumerate(zip(scores, pairs, strict=True)))

    assert found == pytest.approx(dict(peer.scores), abs=1e-6)


def test_elo_of_many_players_counts_each_pair_less():
    """Of three equals the first gains what one win brings, the last loses it, the second stays."""
    found = elo.sequential([Contest("m", "b", ("a", "b", "c"), (0, 1, 2))])

    assert found == pytest.approx({"a": 1016.0, "b": 1000.0, "c": 984.0})


def test_elo_over_orders_is_a_mean():
    """Its value lies within its interval and its anchor holds, whatever the order in which matches are named."""
    played = [duel(float(i % 3 > 0), i) for i in range(30)]

    found = elo.over_orders(played, Anchor("b", 1200.0), k=32, draws=100, seed=5, level=0.9)

    assert found["b"].value == pytest.approx(1200.0)
    assert found["a"].low < found["a"].value < found["a"].high
    assert found["a"].n == 30


def test_batch_comes_to_rest_where_scores_are_expected():
    """The procedure ends where a pair's expected score is its score: 7 of 10 are a lead of 400 log10(7/3)."""
    played = [duel(float(i < 7), i) for i in range(10)]

    found = elo.batch(played)

    assert found["a"] - found["b"] == pytest.approx(400 * log10(7 / 3), abs=1e-6)
    assert (found["a"] + found["b"]) / 2 == pytest.approx(1000)


def test_batch_never_rests_for_who_won_everything():
    """Ten of ten drive the two apart for as long as it goes on."""
    played = [duel(1.0, i) for i in range(10)]

    leads = [elo.batch(played, sweeps=n) for n in (10, 100, 1000)]

    gaps = [found["a"] - found["b"] for found in leads]
    assert gaps[0] < gaps[1] < gaps[2]


def test_plackett_luce_update_is_weng_and_lins():
    """One match of two newcomers moves the winner's mean by its variance over c times the loser's chance."""
    found = plackett_luce.rated([duel(1.0)], seed=0)

    beta = POINTS / sqrt(2)
    sigma = 2 * beta
    c = sqrt(2 * (sigma**2 + beta**2))
    assert found["a"][0] - 1500 == pytest.approx(sigma**2 / c / 2, rel=1e-6)
    assert found["a"][0] + found["b"][0] == pytest.approx(3000)
    assert found["a"][1] < sigma


def test_plackett_luce_is_on_the_same_scale():
    """A lead of 400 points is learnt from ten wins in eleven matches, many times over."""
    played = [duel(float(i % 11 > 0), i) for i in range(4400)]

    found = plackett_luce.rated(played, seed=0)

    assert found["a"][0] - found["b"][0] == pytest.approx(400, abs=40)


def test_plackett_luce_ranks_many_players():
    """Three players in every match end in the order of their places."""
    played = [Contest(f"m{i}", f"b{i}", ("a", "b", "c"), (1, 0, 2)) for i in range(20)]

    found = plackett_luce.rated(played, seed=0)

    assert found["b"][0] > found["a"][0] > found["c"][0]


def test_scale_is_elos():
    """400 points are odds of ten to one, on the logistic curve of the logarithm."""
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(100) == pytest.approx(1 / (1 + exp(-100 / POINTS)))
