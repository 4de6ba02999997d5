"""Elo, SPIN-Bench's batch procedure, Glicko-2 and Plackett-Luce by published and by hand-made examples."""

from math import exp, log10, sqrt
from random import Random

import numpy as np
import pytest
from arena_metric_ratings import elo, glicko, weng_lin
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.glicko import Strength
from arena_metric_ratings.orders import Level, OverOrders
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


@pytest.mark.slow  # evalica brings pandas
def test_sequential_elo_is_evalicas():
    """A tournament of four in the same order: evalica's ratings, to 1e-6."""
    import evalica

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


@pytest.mark.parametrize("score", [1.0, 0.5])
def test_elo_has_no_interval_where_all_blocks_went_alike(score):
    """Twenty wins or twenty draws are resampled to the same rating, which is no interval."""
    found = elo.over_orders([duel(score, i) for i in range(20)], Anchor(), k=32, draws=50, seed=5, level=0.95)

    assert (found["a"].low, found["a"].high) == (None, None)
    assert found["a"].method == "no interval: blocks that are all alike"


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


def test_online_update_is_weng_and_lins():
    """One match of two newcomers moves the winner's mean by its variance over c times the loser's chance."""
    found = weng_lin.rated([duel(1.0)])

    beta = POINTS / sqrt(2)
    sigma = 2 * beta
    c = sqrt(2 * (sigma**2 + beta**2))
    assert found["a"].rating - 1500 == pytest.approx(sigma**2 / c / 2, rel=1e-6)
    assert found["a"].rating + found["b"].rating == pytest.approx(3000)
    assert found["a"].deviation < sigma


def test_online_rating_is_on_the_same_scale():
    """A lead of 400 points is learnt from ten wins in eleven matches, many times over."""
    played = [duel(float(i % 11 > 0), i) for i in range(4400)]

    found = weng_lin.rated(played)

    assert found["a"].rating - found["b"].rating == pytest.approx(400, abs=40)


def test_online_rating_ranks_many_players():
    """Three players in every match end in the order of their places."""
    played = [Contest(f"m{i}", f"b{i}", ("a", "b", "c"), (1, 0, 2)) for i in range(20)]

    found = weng_lin.rated(played)

    assert found["b"].rating > found["a"].rating > found["c"].rating


@pytest.mark.campaign
def test_online_rating_is_a_mean_over_orders_whose_spread_is_in_its_deviation():
    """Of results that come in series 200 orders give a mean; its variance is that of each order and that between."""
    played = [duel(float(i < 60), i) for i in range(120)]

    found = OverOrders.of(played, weng_lin.rated, seed=3)

    rng = np.random.default_rng(3)
    each = [weng_lin.rated([played[i] for i in rng.permutation(120)])["a"] for _ in range(200)]
    ratings = [own.rating for own in each]
    assert found.orders == 200
    assert found.levels["a"].rating == pytest.approx(np.mean(ratings))
    assert found.levels["a"].deviation ** 2 == pytest.approx(
        np.mean([own.deviation**2 for own in each]) + np.var(ratings, ddof=1)
    )


def test_many_matches_are_rated_in_fewer_orders():
    """How many orders a mean is over depends on the number of players alone, and is at least two."""
    calls = []

    def rate(played):
        calls.append(len(played))
        return {"a": Level(1500.0, 1.0)}

    several = OverOrders.of([duel(1.0)] * 4_000, rate, seed=0)
    fewest = OverOrders.of([duel(1.0)] * 200_000, rate, seed=0)

    assert (several.orders, fewest.orders, len(calls)) == (16, 2, 18)


def test_scale_is_elos():
    """400 points are odds of ten to one, on the logistic curve of the logarithm."""
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(100) == pytest.approx(1 / (1 + exp(-100 / POINTS)))
