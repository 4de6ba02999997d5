"""How well ``diplomacy-greedy`` plays against neutral powers and against random players."""

from collections import Counter

import pytest
from arena_game_diplomacy import POWERS
from arena_game_diplomacy.game import Diplomacy
from arena_metric_statistics.means import mean
from arena_metric_statistics.proportions import wilson

from .matches import Outcome, played, two_of

ALONE = Diplomacy(hands=(("FRANCE",),), last_year=1910)
FIELD = Diplomacy(negotiation_rounds=0, last_year=1908)


def alone(seed: int) -> Outcome:
    """France against six neutral powers."""
    return played(ALONE, ("FRANCE",), seed, players=1)


def among_random(seed: int) -> bool:
    """Whether one greedy player, of another power in each match, leads six random ones at the end."""
    power = POWERS[seed % len(POWERS)]
    return played(FIELD, (power,), seed).leads((power,))


@pytest.mark.campaign
def test_france_wins_against_neutral_powers():
    """Of twenty matches France holds 18 centres by 1910 in all."""
    outcomes = [alone(seed) for seed in range(20)]

    assert all(outcome.centres["FRANCE"] >= 18 for outcome in outcomes)


@pytest.mark.sample(fast=2, slow=3)
@pytest.mark.parametrize("power", [power for power in POWERS if power != "FRANCE"])
def test_every_power_wins_against_neutral_ones(power: str):
    """What France can, others can as well, those who must cross the sea included."""
    game = Diplomacy(hands=((power,),), last_year=1910)

    assert all(played(game, (power,), seed, players=1).centres[power] >= 18 for seed in range(3))


@pytest.mark.slow
def test_one_leads_six_random_players():
    """Of five matches it has most centres in 1908 in each."""
    assert all(among_random(seed) for seed in range(5))


@pytest.mark.campaign
def test_france_wins_in_a_hundred_matches():
    """Of a hundred matches France holds 18 centres by 1910 in at least 95."""
    outcomes = [alone(seed) for seed in range(100)]

    won = sum(outcome.centres["FRANCE"] >= 18 for outcome in outcomes)
    years = sorted(Counter(outcome.year for outcome in outcomes).items())
    print(f"\n{won} of 100 {wilson(won, 100)}; years {years}")  # noqa: T201 -- shown by pytest -rP
    assert won >= 95


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_one_leads_six_random_players_in_a_hundred_matches():
    """Of a hundred matches it has most centres in 1908 in at least 90."""
    won = sum(among_random(seed) for seed in range(100))

    print(f"\n{won} of 100 {wilson(won, 100)}")  # noqa: T201 -- shown by pytest -rP
    assert won >= 90


@pytest.mark.campaign
@pytest.mark.timeout(900)
def test_two_lead_five_random_players_in_a_hundred_matches():
    """One of two has most centres in 1908 nearly always; together they hold most of the board."""
    outcomes = [played(FIELD, two_of(seed), seed) for seed in range(100)]

    led = sum(outcome.leads(two_of(seed)) for seed, outcome in enumerate(outcomes))
    both = sum(
        min(o.centres[p] for p in two_of(s)) > max(o.centres[p] for p in set(POWERS) - {*two_of(s)})
        for s, o in enumerate(outcomes)
    )
    solos = sum(max(outcome.centres.values()) >= 18 for outcome in outcomes)
    together = mean(
        [sum(outcome.centres[p] for p in two_of(seed)) for seed, outcome in enumerate(outcomes)], bounds=(0, 34)
    )
    print(f"\n{led} led {wilson(led, 100)}, both {both} {wilson(both, 100)}, solos {solos}, together {together}")  # noqa: T201
    assert led >= 90
