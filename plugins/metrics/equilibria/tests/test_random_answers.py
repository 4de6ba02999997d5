"""Random answers: what they score with as many answers, against the formulas and against drawn ones."""

from random import Random

import pytest
from arena.metric import Measurements
from arena_game_two_by_two.topology import GAMES
from arena_metric_equilibria.score_tables import random_scores, reference
from arena_metric_equilibria.scores import score, significance

NOTHING = Measurements(rows=())
SOME = ["111", "122", "144", "322", "222", "444", "311", "466", "333", "413"]


@pytest.mark.parametrize("answers", [1, 4, 20])
def test_few_random_answers_are_inconsistent_and_biased(answers):
    """Shares of k answers scatter by 1/4k: ID is 1/4 + 1/4k; BD is 1/2k, or 1/4k in games that are their own sister."""
    par, degree, bias, preference = random_scores("random-set", dict.fromkeys(GAMES, answers), NOTHING)

    own = [game for game in GAMES if GAMES[game].sister.id == game]
    expected = (1 - len(own) / len(GAMES) / 2) / (2 * answers)
    assert (par.value, degree.value) == pytest.approx((1 / 16, 1 / 4 + 1 / (4 * answers)))
    assert bias.value == pytest.approx(expected)
    assert preference.value == pytest.approx(0)
    assert all(each.low < each.value < each.high for each in (par, degree, bias, preference))


@pytest.mark.slow  # a thousand agents are scored exactly
@pytest.mark.parametrize("rule", ["random-set", "random-cell"])
def test_random_answers_lie_inside(rule):
    """Of 1,000 random agents with four answers to each of ten games, 93.5 % or more lie inside each interval."""
    rng, held, runs = Random(5), [0, 0, 0, 0], 1_000
    counts = dict.fromkeys(SOME, 4)
    found = random_scores(rule, counts, NOTHING)
    possible = reference(rule, counts)

    for _ in range(runs):
        answers = {game: rng.choices(possible[game], k=4) for game in SOME}
        scores = score(answers)
        drawn = (scores.par, scores.id, scores.bd, significance(answers))
        for place, (value, where) in enumerate(zip(drawn, found, strict=True)):
            held[place] += where.low - 1e-12 <= float(value or 0) <= where.high + 1e-12

    assert min(held) >= 0.935 * runs


def test_answers_drawn_are_the_same_with_a_seed():
    """Equal seeds draw equal answers; each number of equilibria has its own reference, or none if nobody was asked."""
    counts = {"111": 4, "122": 2}

    assert random_scores("random-set", counts, NOTHING) == random_scores("random-set", counts, NOTHING)
    assert random_scores("random-set", counts, NOTHING, 1)[0].n == 1
    assert random_scores("random-set", counts, NOTHING, 0)[0].n == 0
