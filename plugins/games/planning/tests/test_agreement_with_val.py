"""Our verdicts beside those of VAL, the validator of the planning competitions."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from arena_game_planning import PlanVerdict, validate
from arena_game_planning.pddl import read_domain, read_plan, read_problem

from .small_tasks import SMALL, SmallTask, mutations, plan_text
from .val import PROGRAM, ValVerdict, ask_val

TYPED_BY_VAL = ("unknown-action", "wrong-arity", "unknown-object", "wrong-type")
"""VAL looks for these in the whole plan before it carries out a step of it, and refuses the plan then."""


def agree(ours: PlanVerdict, its: ValVerdict) -> bool:
    """Whether the verdicts are one: class and step where VAL carries the plan out, its refusal where it does not."""
    if its.said == "valid":
        return ours.valid
    if its.said == "goal":
        return ours.error_class == "goal"
    if its.said == "precondition":
        return ours.error_class == "precondition" and ours.step == its.step
    return its.said == "refused" and not ours.valid


def is_loose(ours: PlanVerdict, its: ValVerdict) -> bool:
    """Whether VAL goes past a step because it takes 3 < 3 to be true, as it does in all strict comparisons."""
    is_strict = ours.error_class == "precondition" and re.search(r"\([<>] ", ours.reason or "") is not None
    return is_strict and its.said != "crashed" and (its.step is None or its.step > (ours.step or 0))


def disagreements(task: SmallTask, seed: int, rounds: int, folder: Path) -> tuple[Counter[str], list[str]]:
    """How often which verdicts came of the plan of a task and its mutations, and where the two differ."""
    problem = read_problem(read_domain(task.domain), task.problem)
    rng, plan = Random(seed), read_plan(task.plan)
    plans = [("reference", plan), *(pair for _ in range(rounds) for pair in mutations(problem, plan, rng))]
    counts: Counter[str] = Counter()
    found: list[str] = []
    for kind, steps in plans:
        text = plan_text(steps)
        ours, its = validate(task.domain, task.problem, text), ask_val(task.domain, task.problem, text, folder)
        counts[its.said] += 1
        if its.said == "crashed":
            found.append(f"{task.name}: VAL crashes on {kind}: {text!r}")
        elif not agree(ours, its) and is_loose(ours, its):
            counts["loose"] += 1
        elif not agree(ours, its):
            found.append(f"{task.name}, {kind}: {ours} but VAL: {its.text[-400:]}\n{text}")
    return counts, found


def test_val_can_be_run():
    """The program stands where the package puts it; without it nothing below compares anything."""
    assert PROGRAM.is_file()


@pytest.mark.slow
@pytest.mark.sample(slow=1)
@pytest.mark.parametrize("task", SMALL, ids=lambda task: task.name)
def test_verdicts_are_those_of_val(task, tmp_path):
    """Class and step of the plan and of 60 to 100 mutations of it agree with VAL, which crashes on none."""
    counts, found = disagreements(task, 7, 20, tmp_path)

    assert found == []
    assert counts["valid"] >= 1
    assert counts["precondition"] + counts["refused"] >= 10


def test_val_takes_a_number_to_be_less_than_itself(tmp_path):
    """The one point in which VAL is not followed: 3 < 3 is false here."""
    domain = """(define (domain d) (:requirements :fluents) (:predicates (p)) (:functions (f))
      (:action a :parameters () :precondition (< (f) 3) :effect (p)))"""
    problem = "(define (problem x) (:domain d) (:init (= (f) 3)) (:goal (p)))"

    ours, its = validate(domain, problem, "(a)"), ask_val(domain, problem, "(a)", tmp_path)

    assert (ours.error_class, its.said) == ("precondition", "valid")
    assert is_loose(ours, its)
