from itertools import product

import pytest
from arena.chance import Chance
from arena.testing import check_game
from arena_game_openspiel.strategic_games.matrix import AnyMatrix, MatchingPennies, PrisonersDilemma, RockPaperScissors

MARKET = {
    "rows": ("enter", "stay out"),
    "columns": ("fight", "yield", "bribe"),
    "payoffs": (((-1, 0), (2, 1), (1, 1.5)), ((0, 3), (0, 3), (0, 2))),
}


def _play(game, *steps, chance=None):
    state, events = game.start(chance or Chance(0), 2)
    for step in steps:
        events = state.apply(dict(enumerate(step)))
    return state, events


@pytest.mark.parametrize(
    "game", [RockPaperScissors(), MatchingPennies(), PrisonersDilemma(sucker=-1.0), AnyMatrix(**MARKET)]
)
def test_every_payoff_is_the_engines(game):
    """What the rules say of each pair of choices is what the engine's matrix holds and what is paid."""
    engine = game.engine(2)
    seats, (first, second) = game.seats(2), game.choices
    for a, b in product(range(len(first)), range(len(second))):
        earned = [engine.row_utility(a, b), engine.col_utility(a, b)]
        line = "- {0} chooses {2}, {1} chooses {3}: {0} earns {4:g}, {1} earns {5:g}"
        assert line.format(*seats, first[a], second[b], *earned) in game.rules.splitlines()
        state, (told,) = _play(game, (a, b))
        assert state.returns() == told.data["earned"] == earned


@pytest.mark.parametrize(
    ("game", "leads"),
    [
        (PrisonersDilemma(rounds=3), False),
        (PrisonersDilemma(rounds=60, continues=0.8), True),
        (MatchingPennies(rounds=4), False),
        (AnyMatrix(**MARKET), False),
        (AnyMatrix(**MARKET, rounds=20, continues=0.5), True),
    ],
)
@pytest.mark.parametrize("playouts", [3, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=0)
def test_rounds_keep_the_contract(game, leads, playouts):
    """Games in rounds and with any table pass every shipped check; where luck ends them, it was exchanged."""
    report = check_game(game, playouts=playouts)

    assert report.steps
    assert bool(report.redeals) == leads


def test_rounds_add_up():
    """Over all lines of three rounds the returns are the sums of what the engine's matrix pays."""
    game, once = PrisonersDilemma(rounds=3), PrisonersDilemma().engine(2)
    for steps in product(product((0, 1), repeat=2), repeat=3):
        state, _ = _play(game, *steps)
        assert len(state.observe(None)["rounds"]) == 3
        assert state.returns() == [
            sum(once.row_utility(*step) for step in steps),
            sum(once.col_utility(*step) for step in steps),
        ]


def test_luck_ends_an_open_match():
    """Each round is followed by another with the probability the rules name, and the end is told."""
    game = PrisonersDilemma(rounds=60, continues=0.75)
    chance = Chance(0, {0: 1, 1: 1, 2: 0})

    state, events = _play(game, (0, 0), (0, 0), (0, 0), chance=chance)

    assert [(draw.name, draw.outcome) for draw in chance.trace] == [("end", 1), ("end", 1), ("end", 0)]
    assert [event.kind for event in events] == ["revealed", "ended"]
    assert state.returns() == [15.0, 15.0]
    assert "with probability 0.75" in game.rules


def test_an_open_match_ends_at_its_greatest_length():
    """However often luck goes on, the last round is the last."""
    chance = Chance(0, dict.fromkeys(range(9), 1))

    state, _ = _play(PrisonersDilemma(rounds=4, continues=0.5), *[(1, 1)] * 4, chance=chance)

    assert state.returns() == [4.0, 4.0]


def test_nobody_knows_how_long_an_open_match_is():
    """In imagined matches the rounds so far are the real ones and their number to come varies as luck would have it."""
    state, _ = _play(PrisonersDilemma(rounds=500, continues=0.5), (0, 1), chance=Chance(0, {0: 1, 1: 1, 2: 1, 3: 0}))

    lengths = []
    for seed in range(200):
        other = state.resample_hidden(0, Chance(seed))
        assert other.observe(0) == state.observe(0)
        while other.to_act():
            other.apply({0: 0, 1: 0})
        lengths.append(len(other.observe(None)["rounds"]))

    assert min(lengths) == 2
    assert 2.7 < sum(lengths) / len(lengths) < 3.3  # 2 at least, and one more in the mean


def test_earlier_rounds_are_seen():
    """Who looks sees all earlier rounds, the totals, and how long the match lasts."""
    game = PrisonersDilemma(rounds=3)
    state, _ = _play(game, (0, 1), (1, 1))

    assert str(game.forms["text"](state.observe(0))).splitlines() == [
        "Round 1: player 1 chose cooperate and earns 0; player 2 chose defect and earns 10.",
        "Round 2: player 1 chose defect and earns 1; player 2 chose defect and earns 1.",
        "This is round 3 of 3.",
        "Earned so far: player 1 1, player 2 11.",
        "You are player 1. Everybody moves at the same time.",
    ]


@pytest.mark.parametrize(
    ("payoffs", "returns", "others"),
    [
        ((((1, -1), (-2, 2)),), "zero-sum", 4.0),
        ((((3, 2), (4, 1)),), "constant-sum", 8.0),
        ((((3, 2), (4, 3)),), "general-sum", 8.0),
    ],
)
def test_facts_follow_from_the_table(payoffs, returns, others):
    """Whether sums are constant is seen from the payoffs, and who stays when the other is put out earns the rest."""
    facts = AnyMatrix(rows=("go",), columns=("left", "right"), payoffs=payoffs, rounds=2).facts(2)

    assert (facts.returns, facts.others_return) == (returns, others)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"payoffs": (((1, 2),),)}, "expected 2 rows of 3 pairs"),
        ({"rows": ("1", "2")}, "expected names in words"),
        ({"rows": ("go", "Go")}, "expected different names"),
        ({"rounds": 0}, ">= 1"),
        ({"continues": 0.0}, "> 0"),
    ],
)
def test_tables_that_are_no_game(change, problem):
    """A table with gaps, with choices that cannot be told apart or without words is refused."""
    with pytest.raises(ValueError, match=problem):
        AnyMatrix(**{**MARKET, **change})
