"""How often two traders both win the problems that are easy and proved to be within reach of both."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from arena.agent import Agent
from arena.testing import RANDOM
from arena_agent_tradecraft.planner import TradePlanner
from arena_agent_tradecraft.trader import Trader
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.match.problem import Problem, load_problems
from arena_metric_statistics.proportions import wilson
from arena_testing.fixtures.play_match import play

RANDOM_MATCHES = 3
"""Matches of random players on each problem."""


def both_win(ruleset: str, problems: Sequence[Problem], agent: Agent, matches: int, directory: Path) -> list[bool]:
    """Whether both players won, for each match of ``agent`` against itself."""
    return [
        play(
            TradeCraft(ruleset=ruleset, problems=(problem,)), [agent, agent], directory / f"{n}-{m}", seed=m
        ).over.returns
        == (1.0, 1.0)
        for n, problem in enumerate(problems)
        for m in range(matches)
    ]


def said(name: str, wins: Sequence[bool]) -> str:
    """A rate with its interval."""
    low, high = wilson(sum(wins), len(wins))
    return f"{name}: both win {sum(wins)} of {len(wins)} ({sum(wins) / len(wins):.1%}, 95 % {low:.1%} to {high:.1%})"


@pytest.mark.campaign  # some seconds for each set on a quiet machine
@pytest.mark.parametrize("ruleset", ["minecraft", "alchemy"])
def test_two_traders_both_win_nine_of_ten_easy_problems(ruleset: str, tmp_path: Path):
    """Of the shipped two-player problems that are easy and jointly reachable, both traders win at least 90 %."""
    problems = load_problems(f"{ruleset}-pairs#easy+jointly")
    assert len(problems) >= 10

    traders = both_win(ruleset, problems, Trader(), 1, tmp_path / "traders")
    planners = both_win(ruleset, problems, TradePlanner(), 1, tmp_path / "planners")
    chance = both_win(ruleset, problems, RANDOM, RANDOM_MATCHES, tmp_path / "random")

    rates = [said("trader", traders), said("random", chance), said("trade-planner", planners)]
    print(f"\n{ruleset}:", *rates, sep="\n")  # noqa: T201 -- shown by pytest -rP
    assert sum(traders) >= 0.9 * len(traders), said("trader", traders)
    assert all(planners), said("trade-planner", planners)
    assert sum(chance) <= 0.1 * len(chance), said("random", chance)
