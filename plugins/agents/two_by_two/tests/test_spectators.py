from pathlib import Path
from typing import Any

import arena
import pytest
from arena.agent import Agent
from arena.chance import Chance
from arena.game import Game
from arena.testing import check_agent
from arena_agent_two_by_two.question import understand
from arena_agent_two_by_two.spectator import Nash, RuleOfThumb
from arena_game_two_by_two.classic import TwoByTwo
from arena_game_two_by_two.composer import STORIES, tell
from arena_game_two_by_two.matrix import Choices, Matrix
from arena_game_two_by_two.solutions import RULES
from arena_game_two_by_two.story import Unreadable
from arena_game_two_by_two.told import TwoByTwoNested
from arena_game_two_by_two.topology import GAMES


def test_stories_are_read_rightly():
    """All 720 stories give their game through their text alone."""
    for game in GAMES:
        for number in range(STORIES):
            assert understand(tell(game, number).text).game == GAMES[game].matrix


def test_tables_are_read_rightly_in_any_guise():
    """Renamed players and choices and other payoffs leave the question the same."""
    for game in GAMES:
        for exchange in ((), ("players",), ("rows", "columns")):
            question = TwoByTwo(game, exchange, payoffs_a=(-5, 0, 1, 40)).question  # type: ignore[arg-type]
            assert understand(question.text).game.equilibria == question.right


@pytest.mark.parametrize("form", ["story", "table"])
def test_nested_questions_are_solved(form: str):
    """Both games and the restriction are read from the text, and solved backwards."""
    for seed in range(60):
        (question,) = TwoByTwoNested(form).questions(Chance(seed))
        nested = understand(question.text).nested
        assert nested is not None
        assert nested.answer == question.right


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("What now?", "there is no table of payoffs"),
        (tell("111", 0).text.replace("1 \\ 4", "4 \\ 1"), "[Payoff Matrix]"),
        (tell("111", 0).text.replace("(4)", "(3)", 1), "[Scenario]"),
    ],
)
def test_what_contradicts_itself_has_no_answer(text: str, problem: str):
    """A story that tells two games, or a text that tells none, is not answered, and the reason names the place."""
    with pytest.raises(Unreadable) as found:
        understand(text)

    assert problem in str(found.value)


PLAYED: dict[str, dict[str, Any]] = {
    "classic": {"use": "two-by-two", "game": "111"},
    "told": {"use": "two-by-two-story", "game": "122", "story": 2},
    "in-a-row": {"use": "two-by-two-sequence", "stories": 5},
    "at-once": {"use": "two-by-two-parallel", "stories": 10},
    "nested": {"use": "two-by-two-nested"},
}


def test_nash_is_always_right(tmp_path: Path):
    """In whole matches of every form the solver answers every question rightly."""
    run = arena.run(
        {
            "name": "solved",
            "seed": 1,
            "games": PLAYED,
            "agents": {"nash": {"use": "nash"}},
            "schedule": {"use": "self-play", "repeats": 12},
        },
        output=tmp_path / "run",
    )

    assert len(run.matches) == 60
    assert {match.returns for match in run.matches} == {(1.0,)}


@pytest.mark.parametrize("game", [TwoByTwo("322"), TwoByTwoNested()])
@pytest.mark.parametrize("agent", [Nash(), RuleOfThumb("random-cell")])
def test_agents_keep_the_contract(agent: Agent, game: Game):
    """They pass what every agent has to pass."""
    check_agent(agent, game, is_legal=True)


@pytest.mark.parametrize(
    ("rule", "answers"),
    [
        ("nash", [{3}]),
        ("none", [set()]),
        ("first", [{1}]),
        ("joint-payoff", [{2}]),
        ("maximin", [{3}]),
        ("against-uniform", [{3}]),
        ("random-cell", [{1}, {2}, {3}, {4}]),
    ],
)
def test_rules_answer_the_dilemma(rule: str, answers: list[set[int]]):
    """In the prisoner's dilemma cautious and level-1 players defect; the sum is greatest where both cooperate."""
    assert [set(answer) for answer in RULES[rule](GAMES["111"].matrix)] == answers


def test_ties_are_all_named():
    """Where a rule finds two choices equally good it names both."""
    matrix = Matrix.of((1, 4, 2, 3), (1, 2, 4, 3))

    assert RULES["against-uniform"](matrix) == (Choices({1, 2, 3, 4}),)
