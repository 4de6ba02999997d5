"""Answers at random are held against as many answers: exact on average, and inside of the range they are said to be."""

from collections.abc import Sequence

import numpy as np
import pytest
from arena.tables import Estimate
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.topology import GAMES
from arena_metric_equilibria.random_answers import RandomAnswers
from arena_metric_equilibria.score_tables import AT_RANDOM, REFERENCES, reference
from arena_metric_equilibria.scores import Answers, score, significance

PAIRS = ("111", "122", "123", "132", "322", "222", "444", "311")


def at_random(rule: str, counts: dict[str, int], seed: int = 1) -> RandomAnswers:
    options = {game: [each for each in given if each is not None] for game, given in reference(rule, counts).items()}
    return RandomAnswers(options=options, counts=counts, level=0.95, seed=seed)


def drawn(rule: str, counts: dict[str, int], seed: int) -> Answers:
    """The answers of one agent that answers at random."""
    rng = np.random.default_rng([7, seed])
    options: dict[str, Sequence[Choices | None]] = dict(reference(rule, counts))
    return {game: [options[game][k] for k in rng.integers(len(options[game]), size=n)] for game, n in counts.items()}


def test_four_answers_are_uneven_by_chance():
    """Four random answers to each game have ID 31 %, and BD 12.5 % where a game is not its own sister."""
    par, degree, bias = at_random("random-set", dict.fromkeys(GAMES, 4)).scores()
    asymmetric = [game for game in GAMES if GAMES[game].sister.id != game]
    *_, of_pairs = at_random("random-set", dict.fromkeys(GAMES, 4)).scores(asymmetric)

    assert (par.value, degree.value) == (1 / 16, 1 / 4 + 1 / 16)
    assert bias.value == pytest.approx((132 / 8 + 12 / 16) / 144)
    assert of_pairs.value == 1 / 8
    assert "2000 simulated" in bias.method


@pytest.mark.parametrize("rule", AT_RANDOM)
def test_endlessly_many_answers_have_the_limits(rule: str):
    """With very many answers the scores are those of every answer once each."""
    exact = score(reference(rule, GAMES))

    found = at_random(rule, dict.fromkeys(GAMES, 10**9)).scores()

    limits = [float(value or 0) for value in (exact.par, exact.id, exact.bd)]
    assert [each.value for each in found if each] == pytest.approx(limits, abs=1e-8)


@pytest.mark.parametrize("rule", AT_RANDOM)
def test_a_random_agent_lies_inside(rule: str):
    """Of 1,000 agents that answer at random, 93.5 to 97.5 % lie inside the range of each score."""
    counts = {game: 4 + (game == "122") for game in PAIRS if GAMES[game].sister.id in PAIRS}
    ranges = at_random(rule, counts)
    wanted = [*ranges.scores(), ranges.preference()]
    held = np.zeros(len(wanted))
    for seed in range(1_000):
        answers = drawn(rule, counts, seed)
        own = score(answers)
        for i, value in enumerate((own.par, own.id, own.bd, significance(answers))):
            place = wanted[i]
            if isinstance(place, Estimate) and value is not None:
                assert place.low is not None
                assert place.high is not None
                held[i] += place.low - 1e-9 <= value <= place.high + 1e-9

    assert [each for each, place in zip(held, wanted, strict=True) if place and not each >= 935] == []


def test_every_other_rule_gives_one_answer():
    """Only the baselines that draw their answers depend on how many there are."""
    fixed = [rule for rule in REFERENCES if rule not in AT_RANDOM]

    assert all(len(given) == 1 for rule in fixed for given in reference(rule, GAMES).values())
