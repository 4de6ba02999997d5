from itertools import product
from pathlib import Path
from typing import Any

import arena
import pytest
from arena.agent import Agent
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Game
from arena.testing import check_agent
from arena_agent_two_by_two.question import understand
from arena_agent_two_by_two.spectator import Nash, RuleOfThumb
from arena_engine import load_benchmark
from arena_game_two_by_two.casting import STORIES, tell
from arena_game_two_by_two.classic import TwoByTwo
from arena_game_two_by_two.matrix import Choices, Matrix
from arena_game_two_by_two.solutions import RULES
from arena_game_two_by_two.story import Unreadable
from arena_game_two_by_two.story_games import TwoByTwoNested, TwoByTwoStory
from arena_game_two_by_two.topology import GAMES


@pytest.mark.parametrize("every", [7, pytest.param(1, marks=pytest.mark.campaign)])
def test_stories_are_read_rightly(every: int):
    """All 720 stories give their game through their text alone, each seventh of them in the fast set."""
    for game, number in list(product(GAMES, range(STORIES)))[::every]:
        assert understand(tell(game, number).text).game == GAMES[game].matrix


@pytest.mark.campaign
def test_scenarios_alone_are_read_rightly():
    """All 720 stories give their game through their scenario alone, which is all that is shown of them."""
    for game in GAMES:
        for number in range(STORIES):
            (question,) = TwoByTwoStory(game, number).questions(Chance(0))
            assert understand(question.text).game == GAMES[game].matrix


PAPER = """\
In a bustling city, Sarah runs a cozy coffee shop. Recently, Mark's chain has come nearer. Sarah faces a \
critical decision: she can either keep her prices steady (A1) or lower them (A2). Meanwhile, Mark must decide \
whether to maintain his operations (B1) or to expand (B2). If Sarah keeps her prices steady and Mark maintains \
his operations (A1, B1), Sarah struggles to compete (1) while Mark enjoys maximum profits (4). If Sarah lowers \
her prices and Mark stays put (A2, B1), both experience moderate success (2, 2). Should Mark decide to expand \
while Sarah keeps prices steady (A1, B2), both could coexist (3, 3). However, if Sarah lowers her prices as Mark \
expands (A2, B2), Sarah might gain market share (4), but Mark would face costly competition (1)."""


def test_a_scenario_in_the_paper_s_manner_is_read():
    """A scenario in other words than ours is read by its codes and numbers; TMGBench prints one like this for 111."""
    assert understand(PAPER).game == GAMES["111"].matrix


def test_tables_are_read_rightly_in_any_guise():
    """Renamed players and choices and other payoffs leave the question the same."""
    for game in GAMES:
        for exchange in ((), ("players",), ("rows", "columns")):
            question = TwoByTwo(game, exchange, payoffs_a=(-5, 0, 1, 40)).question  # type: ignore[arg-type]
            assert understand(question.text).game.equilibria == question.right


@pytest.mark.sample(fast=1)
@pytest.mark.parametrize("game", [TwoByTwoNested(), TwoByTwoNested("table"), TwoByTwoNested(shows="all")])
def test_nested_questions_are_solved(game: TwoByTwoNested):
    """Both games and the restriction are read from the text, and solved backwards."""
    for seed in range(60):
        (question,) = game.questions(Chance(seed))
        nested = understand(question.text).nested
        assert nested is not None
        assert nested.answer == question.right


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("What now?", "it does not say by name who can choose (A1)"),
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
    "mixed": {"use": "two-by-two-mixed", "game": "122"},
    "dominance": {"use": "two-by-two-dominance", "game": "112"},
}


@pytest.mark.slow
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

    assert len(run.matches) == 84
    assert {match.returns for match in run.matches} == {(1.0,)}


MIXING = [name for name, game in GAMES.items() if game.matrix.mixed is not None]


@pytest.mark.slow
def test_mixed_equilibria_are_answered_exactly(tmp_path: Path):
    """The solver answers all 36 mixed equilibria in fractions, without an answer that cannot be read."""
    run = arena.run(
        {
            "games": {"mixed": {"use": "two-by-two-mixed"}},
            "sweep": {"games.mixed.game": MIXING},
            "agents": {"nash": {"use": "nash"}},
            "schedule": {"use": "self-play"},
            "metrics": [],
        },
        output=tmp_path / "run",
    )

    assert len(run.matches) == 36
    for match in run.matches:
        (graded,) = (event.data for event in match.events if event.kind == "graded")
        assert graded["named"] == graded["right"]
        assert match.returns == (1.0,)


@pytest.mark.parametrize(
    ("agent", "game"),
    [
        ("nash", "two-by-two-play"),
        ("nash", "two-by-two-writing"),
        ("nash", "matching-pennies"),
        ("rule-of-thumb", "two-by-two-mixed"),
        ("rule-of-thumb", "two-by-two-dominance"),
    ],
)
def test_games_that_ask_something_else_are_refused_before_the_run(agent: str, game: str):
    """An agent that cannot answer a game's questions is a mistake of the benchmark, with the reason."""
    with pytest.raises(ConfigError, match=rf"agents\.a: {agent} cannot play this game: it answers questions"):
        load_benchmark({"games": {"g": game}, "agents": {"a": agent}, "schedule": "self-play", "metrics": []})


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
