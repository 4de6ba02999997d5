"""The commands ``arena planning-tasks``, and the planners of the user that they run."""

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from arena.installing import install_line
from arena_game_planning.commands.planners import PlannerMissing, find_planner, solve
from arena_game_planning.commands.tasks_command import planning_tasks
from arena_game_planning.tasks.shipped import task
from arena_game_planning.tasks.validation import validate
from click.testing import CliRunner

NOWHERE = """
(define (domain walk) (:requirements :strips)
  (:predicates (at ?p) (way ?p ?q))
  (:action go :parameters (?p ?q) :precondition (and (at ?p) (way ?p ?q)) :effect (and (at ?q) (not (at ?p)))))
"""


def arena(*words: object):
    """Run ``arena planning-tasks`` with these words."""
    return CliRunner().invoke(planning_tasks, [str(word) for word in words], catch_exceptions=False)


def walk(goal: str, ways: str = "(way a b)") -> str:
    """A problem of going from a to a goal."""
    return f"(define (problem p) (:domain walk) (:objects a b c) (:init (at a) {ways}) (:goal (at {goal})))"


def planner(folder: Path, body: str) -> str:
    """A program of the user's own that stands where Fast Downward would."""
    file = folder / "planner.py"
    file.write_text(
        f"import sys, pathlib, time\nplan = pathlib.Path(sys.argv[sys.argv.index('--plan-file') + 1])\n{body}"
    )
    return str(file)


def test_domains_are_listed_with_what_is_known_of_them():
    """Each domain has a row, and the last line counts the tasks."""
    lines = arena("list").stdout.splitlines()

    assert len(lines) == 24
    assert lines[-2] == "not shown: known shortest (--json)"
    assert lines[0].split()[:3] == ["domain", "tasks", "classes"]
    assert lines[-1] == "1280 tasks"


def test_tasks_are_listed_as_lines_of_json():
    """One object a task says how long its plan is and who found it."""
    rows = [json.loads(line) for line in arena("list", "drone#1-2", "--json").stdout.splitlines()]

    assert [row["task"] for row in rows] == ["drone#1", "drone#2"]
    assert rows[0]["length"] == len(task("drone", 1).plan or ())


def test_a_task_is_shown_and_written(tmp_path):
    """What is written can be read as a folder of tasks, whose plans are valid."""
    shown = arena("show", "drone#1").stdout
    arena("show", "drone#1-2", "-o", tmp_path)
    verified = arena("verify", tmp_path)

    assert task("drone", 1).problem_text in shown
    assert task("drone", 1).plan[0] in shown
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "domain.pddl", "drone-1.pddl", "drone-1.plan", "drone-2.pddl", "drone-2.plan",
    ]  # fmt: skip
    assert (verified.exit_code, verified.stdout) == (0, "2 tasks: 2 valid\n")


def test_new_tasks_are_generated_and_valid(tmp_path):
    """As many tasks as wanted, of another size where it is given, the same for the same seed."""
    arena("generate", "logistics", "--seed", 5, "--count", 3, "-o", tmp_path / "one")
    arena("generate", "logistics", "--seed", 5, "--count", 3, "-o", tmp_path / "two")
    larger = arena("generate", "blocksworld", "--size", "blocks=9").stdout

    assert arena("verify", tmp_path / "one").stdout == "3 tasks: 3 valid\n"
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
    assert "b9 - block" in larger
    assert "b10" not in larger


def test_verify_tells_unsolvable_from_unknown(tmp_path):
    """Without a plan all states are searched: a plan, the proof that there is none, or not enough states."""
    (tmp_path / "domain.pddl").write_text(NOWHERE)
    (tmp_path / "possible.pddl").write_text(walk("b"))
    (tmp_path / "impossible.pddl").write_text(walk("c"))

    far, near = arena("verify", tmp_path), arena("verify", tmp_path, "--states", 1)

    assert "impossible.pddl: unsolvable: 2 states were searched, which are all" in far.stdout
    assert "\npossible.pddl: solvable: in 1 steps, such as (go a b)" in far.stdout
    assert far.exit_code == 1
    assert "impossible.pddl: unknown: 1 states were searched" in near.stdout
    assert near.exit_code == 0


def test_a_planner_of_the_user_is_asked_and_checked(tmp_path):
    """The plan that a program writes is counted beside the reference, and checked by the validator."""
    plan = "\n".join(task("blocksworld", 1).plan or ())
    right = planner(tmp_path, f"plan.write_text({plan!r} + '\\n; cost = 2 (unit cost)\\n')")
    solved = arena("solve", "blocksworld#1", "--program", right, "--plans")
    wrong = planner(tmp_path, "plan.write_text('(put-down b1)')")
    refused = arena("solve", "blocksworld#1", "--program", wrong)

    count = len(plan.splitlines())
    assert solved.stdout.startswith(f"blocksworld#1: {count} steps, reference {count}, valid\n{plan}\n")
    assert solved.exit_code == 0
    assert "valid" not in refused.stdout.splitlines()[0]
    assert refused.exit_code == 1


@pytest.mark.parametrize(
    ("body", "is_unsolvable", "reason"),
    [
        ("sys.exit(11)", True, "the search found no plan"),
        ("sys.exit(12)", False, "the search found no plan"),
        ("sys.exit(23)", False, "no plan within 3 s"),
        ("print('cannot read it'); sys.exit(31)", False, "exit code 31: cannot read it"),
    ],
)
def test_how_a_planner_ends_is_told(tmp_path, body, is_unsolvable, reason):
    """A proof, a search that gave up, a limit and a failure are four things."""
    answer = solve(NOWHERE, walk("c"), limit_s=3, program=planner(tmp_path, body))

    assert (answer.plan, answer.is_unsolvable, answer.reason) == (None, is_unsolvable, reason)


def test_a_missing_planner_says_how_to_get_it(tmp_path, monkeypatch):
    """Where no planner is found, the message names the package; an unknown planner is named too."""
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(PlannerMissing, match=r"enhsp is not installed; .* up-enhsp, or name your program"):
        find_planner("enhsp", str(tmp_path / "nothing.jar"))
    with pytest.raises(PlannerMissing, match="expected one of fast-downward, enhsp"):
        find_planner("smtplan")


def test_programs_in_python_run_with_this_interpreter(tmp_path):
    """The driver of Fast Downward is a script, which need not be executable."""
    program = planner(tmp_path, "")

    assert find_planner("fast-downward", program) == (sys.executable, program)


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("up_fast_downward") is None,
    reason="needs Fast Downward, which the GPL keeps out of our environment: pip install up-fast-downward",
)
def test_fast_downward_solves_a_task():
    """The real program finds a valid plan for a task of a domain without a plan by construction."""
    found = task("grid", 1)
    answer = solve(found.domain_text, found.problem_text)

    assert answer.plan is not None
    assert validate(found.domain_text, found.problem_text, "\n".join(answer.plan)).valid


def test_a_domain_without_construction_asks_for_fast_downward(tmp_path, monkeypatch):
    """``generate`` says that it needs the user's planner, and what to install."""
    monkeypatch.setenv("PATH", str(tmp_path))
    if find_spec("up_fast_downward") is not None:
        pytest.skip("up-fast-downward is installed here")

    from arena.errors import ConfigError

    with pytest.raises(ConfigError, match=re.escape(install_line("up-fast-downward"))):
        arena("generate", "grid")
