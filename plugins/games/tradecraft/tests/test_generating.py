"""Problems that are made up are what was asked for, and how hard they are is what the solver says."""

import os
import subprocess
import sys
from pathlib import Path

import attrs
import pytest
from arena.errors import ConfigError
from arena_engine import build_benchmark
from arena_game_tradecraft.commands.problems_command import tradecraft_problems
from arena_game_tradecraft.game import TradeCraft
from arena_game_tradecraft.generation.generating import Generated, generate, grade, parse_generated
from arena_game_tradecraft.match.problem import Difficulty, Problem, load_problems, parse_problems, write_problems
from arena_game_tradecraft.rules.loading import load
from click.testing import CliRunner, Result

SMALL = "procedural?seed=7&items=60&raw=10&depth=4"


@pytest.mark.sample(fast=2, slow=1)
@pytest.mark.parametrize(
    ("players", "level"),
    [
        (1, "easy"),
        (1, "hard"),
        (2, "easy"),
        (2, "medium"),
        pytest.param(2, "hard", marks=pytest.mark.slow),
        (3, "easy"),
    ],
)
def test_what_is_asked_for_is_made(players: int, level: str):
    """Every problem has the players and the level, no target without a trade among several, and no target twice."""
    rules = load(SMALL)

    problems = generate(rules, Generated(seed=3, players=players, count=2 if level == "easy" else 1, level=level))

    assert not any(problem.faults(rules) for problem in problems)
    assert {problem.players for problem in problems} == {players}
    for problem in problems:
        known = grade(rules, problem)
        assert problem.difficulty == known
        assert known.level == level
        assert all(isinstance(n, int) and n >= 1 for n in known.chain)
        assert all(n >= 1 if players > 1 else n == 0 for n in known.trades if isinstance(n, int))
    targets = [item for problem in problems for target in problem.targets for item in target]
    assert len(set(targets)) == len(targets)


@pytest.mark.campaign
def test_levels_come_by_turns_where_none_is_asked_for():
    """Without a level problems are easy, medium and hard in turn."""
    problems = generate(load(SMALL), Generated(seed=1, count=4))

    assert [p.difficulty.level for p in problems if p.difficulty] == ["easy", "medium", "hard", "easy"]


@pytest.mark.slow
def test_all_targets_can_be_asked_to_be_within_reach_together():
    """With ``jointly`` every problem is proved to let everybody hold its target at once."""
    problems = generate(load("workshop"), Generated(count=3, level="easy", jointly=True))

    assert [p.difficulty.jointly for p in problems if p.difficulty] == [True] * 3


@pytest.mark.slow
def test_hands_hold_what_is_not_needed():
    """A hand is given as many needless kinds as asked for, less those it happens to hold."""
    bare, full = (
        generate(load(SMALL), Generated(seed=5, count=3, level="easy", needless=needless)) for needless in (0, 4)
    )

    assert _kinds(full) >= _kinds(bare) + 12


def _kinds(problems: tuple[Problem, ...]) -> int:
    return sum(len(hand) for problem in problems for hand in problem.hands)


@pytest.mark.campaign
def test_equal_seeds_give_equal_problems_in_every_process():
    """The problems do not depend on the order in which a process happens to walk through sets."""
    script = (
        "from arena_game_tradecraft.generation.generating import *;"
        "from arena_game_tradecraft.rules.loading import load;"
        "from arena_game_tradecraft.match.problem import write_problems;"
        f"print(write_problems(generate(load({SMALL!r}), Generated(seed=4, count=3, level='easy'))))"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]

    assert texts[0] == texts[1]
    assert parse_problems("x", texts[0]) == generate(load(SMALL), Generated(seed=4, count=3, level="easy"))
    assert parse_problems("x", texts[0]) != generate(load(SMALL), Generated(seed=5, count=3, level="easy"))


@pytest.mark.slow
def test_fresh_problem_for_fresh_rules_is_one_line_of_a_benchmark():
    """A game may name problems that are made up, and is played with them."""
    game = {"use": "tradecraft", "ruleset": SMALL, "problems": "generated?seed=7&level=easy&count=2", "max-turns": 2}

    made = build_benchmark({"games": {"tc": game}, "agents": {"one": "random", "other": "random"}}).games["tc"].game

    assert isinstance(made, TradeCraft)
    assert made.pool == generate(load(SMALL), Generated(seed=7, level="easy", count=2))


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        ("generated?sed=1", "generated?sed=1: unknown setting 'sed'; there are seed, players, count, level, needless,"),
        ("generated?jointly=1", "generated?jointly=1: jointly: expected bool, got '1'"),
        ("generated?count=0&players=0", "generated: players: expected at least 1, got 0"),
        ("generated?level=simple", "generated: level: expected one of any, easy, medium, hard, got 'simple'"),
    ],
)
def test_wishes_that_mean_nothing_are_named(source: str, problem: str):
    """What is misspelt or out of range is named, with what there is."""
    with pytest.raises(ConfigError) as caught:
        parse_generated(source)

    assert caught.value.problems[0].startswith(problem)
    assert parse_generated("paper") is None


@pytest.mark.campaign
def test_rules_without_such_problems_are_named():
    """Rules that are too small for what is asked say so instead of searching on."""
    with pytest.raises(ConfigError, match="only 0 of 1 hard problems for 2 players were found with procedural"):
        generate(load("procedural?seed=1&items=6&raw=3&depth=3&tags=0"), Generated(count=1, level="hard"))


@pytest.mark.slow
def test_what_the_solver_does_not_settle_is_unknown():
    """With too few nodes nothing is guessed: what is not settled is unknown, and the rest as it is with more."""
    (problem,) = load_problems("paper#1")

    settled, unsettled = (grade(load("minecraft"), problem, nodes=nodes) for nodes in (1_000, 0))

    assert settled == problem.difficulty
    assert unsettled.chain[0] == "unknown"
    assert unsettled.level == "unknown"
    for few, many in zip(_findings(unsettled), _findings(settled), strict=True):
        assert few in ("unknown", many)


def _findings(known: Difficulty) -> list[int | str]:
    return [*known.chain, *known.trades, *known.kinds, known.jointly]


def test_what_cannot_be_made_is_impossible():
    """A target that all hands together do not suffice for is said to be out of reach."""
    problem = Problem(({"oak_log": 1}, {"coal": 1}), ({"torch": 4}, {"torch": 8}))

    known = grade(load("workshop"), problem)

    assert (known.chain[1], known.trades[1], known.kinds[1]) == ("impossible",) * 3
    assert known.chain[0] != "impossible"
    assert (known.jointly, known.level) == (False, "impossible")


def _command(*words: str) -> Result:
    return CliRunner().invoke(tradecraft_problems, words, catch_exceptions=False)


@pytest.mark.campaign
def test_command_writes_what_a_game_names(tmp_path: Path):
    """The command makes problems up, shows how hard they are and keeps them in a file that can be played."""
    file = tmp_path / "mine.json"

    said = _command("--ruleset", SMALL, "--seed", "4", "--count", "3", "-o", str(file))

    assert load_problems(str(file)) == generate(load(SMALL), Generated(seed=4, count=3))
    assert TradeCraft(ruleset=SMALL, problems=f"{file}#hard").player_counts() == [2]
    assert "1 easy, 1 hard, 1 medium" in " ".join(said.output.split())
    assert len(said.stdout.splitlines()) == 5
    assert " ".join(said.stderr.split()) == f"written to {file}"


@pytest.mark.slow
def test_command_finds_out_how_hard_a_file_is(tmp_path: Path):
    """``--grade`` writes beside each problem what the solver proves of it, ``--show`` only reads that."""
    file, graded = tmp_path / "mine.json", tmp_path / "graded.json"
    problems = load_problems("workshop")[:2]
    file.write_text(write_problems(attrs.evolve(p, difficulty=None) for p in problems), "utf-8")

    assert "nothing is known" in _command("--ruleset", "workshop", "--show", str(file)).output
    said = _command("--ruleset", "workshop", "--grade", str(file), "-o", str(graded))

    rules = load("workshop")
    assert [p.difficulty for p in load_problems(str(graded))] == [grade(rules, p) for p in problems]
    shown = _command("--ruleset", "workshop", "--show", str(graded))
    assert shown.output.splitlines() == said.output.splitlines()[: len(shown.output.splitlines())]


def test_command_refuses_what_other_rules_are_for():
    """Problems that cannot be played by the rules are refused."""
    with pytest.raises(ConfigError, match="is no item of the rule set 'workshop'"):
        _command("--ruleset", "workshop", "--grade", "paper#1")
