"""How a match came out, in words."""

import attrs
import pytest
from arena.metric import Baseline
from arena.record import Ending, Failure, MatchPlan, MatchRecord, Player
from arena_engine import player_names, record_words

PLAN = MatchPlan(id="m", game="g", agents=("alpha", "beta"), pairing="p", repeat=0, rotation=0, chance_seed=1)
WON = MatchRecord(plan=PLAN, seats=("X", "O"), ending=Ending.RULES, returns=(1.0, -1.0), steps=0, events=())
BASELINE = Baseline(random=(0.0, 0.0), random_errors=(), random_n=0, seats=("X", "O"), returns="zero-sum")
BETA = (Player(1),)


@pytest.mark.parametrize(
    ("changes", "why", "words"),
    [
        ({}, "four in a row", "alpha won: four in a row"),
        ({}, "", "alpha won"),
        ({"returns": (0.0, 0.0)}, "stalemate", "drawn: stalemate"),
        ({"ending": Ending.FORFEIT_ILLEGAL, "forfeited": BETA}, "", "alpha won: beta forfeited with an illegal move"),
        ({"ending": Ending.FORFEIT_LEFT, "forfeited": BETA}, "", "alpha won: beta left"),
        ({"ending": Ending.DISQUALIFIED, "forfeited": BETA, "returns": None}, "", "nobody won: beta was disqualified"),
        ({"ending": Ending.TURN_LIMIT, "returns": None}, "", "cut off, no result"),
        ({"ending": Ending.TURN_LIMIT}, "", "alpha won: turn limit"),
        ({"ending": Ending.CANCELLED, "returns": None}, "", "cancelled, no result"),
        ({"ending": Ending.FAILED, "returns": None, "failure": Failure("x")}, "", "no result: a plugin failed"),
    ],
)
def test_who_won_and_why(changes, why, words):
    """One sentence says who won and why, and that nobody did where that is so."""
    assert record_words(attrs.evolve(WON, **changes), baseline=BASELINE, why=why) == words


@pytest.mark.parametrize(
    ("returns", "unit", "words"),
    [
        ("general-sum", "points", "alpha 10, beta 12: agreement"),
        ("cooperative", "points", "together 10 points: agreement"),
    ],
)
def test_what_was_earned_where_nobody_wins(returns, unit, words):
    """Where nobody's gain is another's loss, the words tell what was earned."""
    baseline = attrs.evolve(BASELINE, returns=returns, return_unit=unit)

    assert record_words(attrs.evolve(WON, returns=(10.0, 12.0)), baseline=baseline, why="agreement") == words


def test_an_agent_against_itself_is_told_by_its_seats():
    """Where one agent has several seats, each is told by its seat."""
    assert player_names(("alpha", "alpha"), ("X", "O")) == ("alpha (X)", "alpha (O)")
