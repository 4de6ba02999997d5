"""The Plackett-Luce model by maximum likelihood, against peers and by hand."""

import itertools
from math import exp, log
from random import Random

import choix
import numpy as np
import pytest
from arena_metric_ratings import plackett_luce
from arena_metric_ratings.bradley_terry import Fit, Model, PairCounts
from arena_metric_ratings.contests import Contest
from arena_metric_ratings.intervals import standing
from arena_metric_ratings.scale import Anchor
from scipy import optimize

AGENTS = ("a", "b", "c", "d", "e")


def ranked(count: int, players: int = 4, seed: int = 1) -> list[Contest]:
    """Matches of several players out of five, by luck and skill, without ties."""
    luck = Random(seed)
    played = []
    for i in range(count):
        agents = luck.sample(AGENTS, players)
        strengths = {agent: 0.4 * AGENTS.index(agent) - log(-log(luck.random())) for agent in agents}
        order = sorted(agents, key=lambda agent: -strengths[agent])
        played.append(Contest(f"m{i}", f"b{i}", tuple(agents), tuple(order.index(agent) for agent in agents)))
    return played


def fitted(played, agents=AGENTS) -> np.ndarray:
    values = Fit.of(plackett_luce.choices(played, agents)).values
    return values - values.mean()


def test_strengths_of_many_players_are_those_of_choix():
    """Of whole rankings of four: choix's estimate by Luce spectral ranking, to 1e-6."""
    played = ranked(80)
    rankings = [[AGENTS.index(c.agents[c.places.index(k)]) for k in range(4)] for c in played]
    peer = choix.ilsr_rankings(5, rankings, max_iter=10_000, tol=1e-12)

    assert list(fitted(played)) == pytest.approx(list(peer - peer.mean()), abs=1e-6)


def test_two_players_are_bradley_and_terrys():
    """Of matches of two with ties, Plackett's and Luce's strengths are Bradley's and Terry's without seats, to 1e-6."""
    luck = Random(4)
    played = [
        Contest(f"m{i}", f"b{i}", tuple(luck.sample(AGENTS, 2)), luck.choice(((0, 1), (0, 1), (1, 0), (0, 0))))
        for i in range(200)
    ]

    peer = Fit.of(PairCounts.of(played, AGENTS, Model(has_seats=False))).values

    assert list(fitted(played)) == pytest.approx(list(peer - peer.mean()), abs=1e-6)


def test_tied_players_count_in_all_their_orders():
    """The likelihood of two who tie behind a third is the mean over both orders, in logarithms."""
    agents = ("a", "b", "c")
    played = [Contest("m", "b", agents, (0, 1, 1)), *ranked_of(agents)]

    def loss(free):
        worths = np.exp(np.r_[0.0, free])

        def order(*chosen):
            left = [worths[i] for i in chosen]
            return sum(log(left[i] / sum(left[i:])) for i in range(len(left)))

        told = [order(*(c.agents.index(c.agents[c.places.index(k)]) for k in range(3))) for c in played[1:]]
        return -((order(0, 1, 2) + order(0, 2, 1)) / 2 + sum(told))

    peer = optimize.minimize(loss, np.zeros(2), tol=1e-12, method="Nelder-Mead").x

    found = fitted(played, agents)
    assert list(found[1:] - found[0]) == pytest.approx(list(peer), abs=1e-5)


def ranked_of(agents):
    return [
        Contest(f"o{i}", f"o{i}", agents, places) for i, places in enumerate(itertools.permutations(range(len(agents))))
    ]


def test_many_who_tie_are_equal():
    """Twelve players who all tie have one strength."""
    agents = tuple(f"p{i:02}" for i in range(12))

    found = fitted([Contest("m", "b", agents, (0,) * 12)], agents)

    assert list(found) == pytest.approx([0.0] * 12)


def test_agent_in_several_seats_of_a_match_is_counted_in_each():
    """An agent that holds two of three seats is chosen twice as often as the other where both are equally strong."""
    agents = ("a", "b")
    first = [Contest(f"m{i}", f"b{i}", ("a", "a", "b"), (0, 1, 2) if i % 3 else (1, 2, 0)) for i in range(300)]

    values = fitted(first, agents)

    # b is first with 1/3, as equals are; of the rest, b against a, it is last: the strengths solve that alone.
    share = optimize.brentq(lambda x: 100 - 300 * exp(x) / (2 + exp(x)) + 0 - 200 * exp(x) / (1 + exp(x)), -10, 10)
    assert values[1] - values[0] == pytest.approx(share, abs=1e-6)


def test_order_of_matches_changes_nothing():
    """The strengths of the same matches are the same in whatever order they come."""
    played = ranked(60, players=3)

    first = fitted(played)

    for seed in range(20):
        other = list(played)
        Random(seed).shuffle(other)
        assert list(fitted(other)) == pytest.approx(list(first), abs=1e-11)


def test_who_is_always_first_has_no_finite_strength():
    """Who won every match of three is unbounded above, and has a limit below."""
    played = [Contest(f"m{i}", f"b{i}", ("a", "b", "c"), (0, 1 + i % 2, 2 - i % 2)) for i in range(12)]

    seen = plackett_luce.choices(played, ("a", "b", "c"))
    best = standing(played, seen, Anchor("b"), resamples=50, level=0.95, seed=0).rated[0]

    assert (best.agent, best.bound, best.rank) == ("a", "above", 1)
    assert best.limit > 1500
