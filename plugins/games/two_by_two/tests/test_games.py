from typing import Any

import pytest
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Illegal
from arena.record import JSON, NOBODY
from arena.testing import check_game
from arena_game_two_by_two.classic import TwoByTwo
from arena_game_two_by_two.examination import SOLVER
from arena_game_two_by_two.play import TwoByTwoPlay
from arena_game_two_by_two.topology import GAMES


@pytest.mark.parametrize("playouts", [2, pytest.param(None, marks=pytest.mark.slow)])
@pytest.mark.sample(fast=1, slow=2)
@pytest.mark.parametrize("game", [TwoByTwo(), TwoByTwo("322", ("players", "rows")), TwoByTwoPlay("122")])
def test_games_keep_the_contract(game: TwoByTwo | TwoByTwoPlay, playouts: int | None):
    """They pass what every game has to pass."""
    check_game(game, playouts=playouts)


@pytest.mark.parametrize("exchange", [(), ("players",), ("rows",), ("columns",), ("players", "rows", "columns")])
def test_variants_ask_the_same_question(exchange: tuple[str, ...]):
    """However names are exchanged, the right answer is the same set of the original game's cells."""
    for name in GAMES:
        question = TwoByTwo(name, exchange, payoffs_a=(2, 5, 6, 9)).question  # type: ignore[arg-type]

        assert set(question.named(question.right)) == GAMES[name].matrix.equilibria


@pytest.mark.parametrize(
    "written", [[["b1", "a2"]], "A2, B1", ["A2", "B1"], [[["A2", "B1"]]], [["A2", "B1"], ["A2", "B1"]]]
)
def test_other_writings_are_read_as_the_answer(written: JSON):
    """An agent that reads words is told the one action they mean; the action itself is written in one way alone."""
    state, _ = TwoByTwo("111").start(Chance(0), 1)
    decision = state.decision(SOLVER)

    assert decision.interpret(written) == [["A2", "B1"]]
    assert isinstance(state.check(SOLVER, written), Illegal)
    assert state.check(SOLVER, decision.interpret(written)) is None


def test_answers_are_graded_in_the_cells_of_the_original():
    """With exchanged rows, the lower left of the shown table is the upper left of the game."""
    state, _ = TwoByTwo("111", ("rows",)).start(Chance(0), 1)

    answered, graded = state.apply({SOLVER: [["A1", "B1"]]})

    assert answered.data == {"pairs": [["A1", "B1"]]}
    assert graded.data == {
        "number": 1,
        "game": "111",
        "form": "classic",
        "named": [3],
        "right": [3],
        "is_right": True,
        "exchange": ["rows"],
    }
    assert graded.to == NOBODY
    assert state.returns() == (1.0,)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"game": "117"}, "no 2×2 game '117'"),
        ({"payoffs_a": (1, 2, 2, 4)}, "payoffs_a: expected four payoffs that go up"),
    ],
)
def test_bad_parameters_are_refused(parameters: dict[str, Any], sentence: str):
    """One sentence says what was expected."""
    with pytest.raises(ConfigError, match=sentence):
        TwoByTwo(**parameters)
