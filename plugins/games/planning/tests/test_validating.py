"""Verdicts on plans: their classes, their order, and what they say."""

from fractions import Fraction

import pytest
from arena_game_planning import validate
from arena_game_planning.pddl import PddlError

from .small_tasks import BLOCKS, CASE, LAMPS, SMALL, TRUCKS


@pytest.mark.parametrize("task", SMALL, ids=lambda task: task.name)
def test_a_plan_that_solves_its_task_is_valid(task):
    """The plan of each small task is valid, and has no class of error, step or reason."""
    verdict = validate(task.domain, task.problem, task.plan)

    assert verdict.valid
    assert (verdict.error_class, verdict.spin, verdict.step, verdict.action, verdict.reason) == (None,) * 5
    assert verdict.length == task.plan.count("(")


@pytest.mark.parametrize(
    ("plan", "error", "spin", "step", "said"),
    [
        ("hello", "unreadable", "other", None, "plan:1:1: expected an action"),
        ("(grab b)", "unknown-action", "BC", 1, "there is no action called 'grab'"),
        ("(unstack d c)(put)", "wrong-arity", "BC", 2, "'put' has 1 arguments, got 0"),
        ("(unstack d c)(put e)", "unknown-object", "BC", 2, "there is no object called 'e'"),
        ("(take a)", "precondition", "BC", 1, "step 1, (take a): (clear a) does not hold"),
        ("(take b)(put e)", "precondition", "BC", 1, "step 1, (take b): (table b) does not hold"),
        ("", "goal", "GS", None, "of the goal (on a b), (on b c) and (on c d) do not hold"),
        ("(unstack d c)(put d)(take c)(stack c d)", "goal", "GS", None, "(on a b) and (on b c) do not hold"),
    ],
)
def test_first_error_is_named(plan, error, spin, step, said):
    """The first error in plan order decides, with its class, the class of SPIN-Bench, the step and what is unmet."""
    verdict = validate(BLOCKS.domain, BLOCKS.problem, plan)

    assert (verdict.valid, verdict.error_class, verdict.spin, verdict.step) == (False, error, spin, step)
    assert said in verdict.reason


def test_within_a_step_type_goes_before_condition():
    """A step that is wrong in two ways is called after the way that comes first in the order of the classes."""
    assert validate(TRUCKS.domain, TRUCKS.problem, "(drive x p r)").error_class == "wrong-type"
    assert validate(TRUCKS.domain, TRUCKS.problem, "(drive x p nowhere)").error_class == "unknown-object"
    assert validate(TRUCKS.domain, TRUCKS.problem, "(drive x nowhere)").error_class == "wrong-arity"
    assert validate(TRUCKS.domain, TRUCKS.problem, "(ride x nowhere)").error_class == "unknown-action"
    assert validate(TRUCKS.domain, TRUCKS.problem, "(drive t p r) (drive x p q)").error_class == "precondition"


def test_cost_is_what_the_metric_says():
    """The cost is exact; a plan that cannot be carried out has none, and neither has one without a metric."""
    assert validate(TRUCKS.domain, TRUCKS.problem, TRUCKS.plan).cost == Fraction(131, 2)
    assert validate(TRUCKS.domain, TRUCKS.problem, "").cost == 4
    assert validate(TRUCKS.domain, TRUCKS.problem, "(drive t p r)").cost is None
    assert validate(CASE.domain, CASE.problem, CASE.plan).cost is None


def test_trace_says_what_each_step_changed():
    """Two numbers that are assigned to each other are swapped, and the trace names them with their new values."""
    trace = validate(TRUCKS.domain, TRUCKS.problem, TRUCKS.plan, trace=True).trace

    assert [change.step for change in trace] == list(range(1, 13))
    assert trace[0].numbers == (("(fuel t)", "9.25"), ("(fuel v)", "4"), ("(total-cost)", "0.5"))
    assert (trace[1].became_true, trace[1].became_false) == (("(in x t)",), ("(at x p)",))


def test_what_is_deleted_and_added_is_there():
    """An action that takes away and gives the same atom leaves it true."""
    verdict = validate(LAMPS.domain, LAMPS.problem, "(cross a a)", trace=True)

    assert verdict.trace[0].became_false == ()


def test_conditions_of_effects_look_at_the_state_before():
    """A lamp that is lit goes out, and is not lit again by the condition that it is out."""
    verdict = validate(LAMPS.domain, LAMPS.problem, "(press d)", trace=True)

    assert verdict.trace[0].became_true == ("(lit c)", "(lit d)", "(odd)")


def domain(effect: str, condition: str = "()") -> str:
    return f"""(define (domain d) (:predicates (p)) (:functions (f) (g) (total-cost))
      (:action a :parameters () :precondition {condition} :effect (and (p) {effect})))"""


def verdict_on(effect: str, condition: str = "()", plan: str = "(a)"):
    problem = """(define (problem x) (:domain d) (:init (= (f) 3)) (:goal (p)) (:metric minimize (f)))"""
    return validate(domain(effect, condition), problem, plan)


@pytest.mark.parametrize(
    ("effect", "cost"),
    [
        ("(increase (f) 1) (increase (f) (f))", 7),
        ("(assign (f) (/ 1 3))", Fraction(1, 3)),
        ("(scale-up (f) 2)", 6),
        ("(scale-down (f) 2)", Fraction(3, 2)),
        ("(decrease (g) 2)", 3),
        ("(assign (f) (- (f)))", -3),
    ],
)
def test_numbers_are_changed_exactly(effect, cost):
    """Sums of one number add up, quotients are fractions, and what had no value is counted from 0."""
    assert verdict_on(effect).cost == cost


@pytest.mark.parametrize(
    ("effect", "condition", "said"),
    [
        ("(assign (f) (g))", "()", "(g) has no value"),
        ("(scale-up (g) 2)", "()", "(g) has no value"),
        ("(assign (f) (/ 1 (- (f) 3)))", "()", "a number is divided by zero"),
        ("(assign (f) 1) (assign (f) 2)", "()", "(f) is changed in two ways at once"),
        ("(assign (f) 1) (increase (f) 2)", "()", "(f) is changed in two ways at once"),
        ("", "(> (g) 1)", "(> (g) 1) does not hold"),
        ("", "(not (> (g) 1))", "(not (> (g) 1)) does not hold"),
    ],
)
def test_numbers_that_are_none_stop_a_plan(effect, condition, said):
    """A step that needs a number which does not exist cannot be done, and the reason names it."""
    verdict = verdict_on(effect, condition)

    assert verdict.error_class == "precondition"
    assert said in verdict.reason


def test_numbers_do_not_grow_for_ever():
    """Squaring a number again and again ends with a sentence and not with all memory."""
    verdict = verdict_on("(scale-up (f) (f))", plan="(a)" * 60)

    assert verdict.error_class == "precondition"
    assert "grows beyond all measure" in verdict.reason


def test_task_that_cannot_be_read_is_an_error():
    """A broken task is no verdict on the plan."""
    with pytest.raises(PddlError, match="no predicate called 'hold'"):
        validate(BLOCKS.domain, BLOCKS.problem.replace("(empty)", "(hold a)"), "")


def test_record_says_class():
    """The plain data has the keys that the command writes, and the cost as a number."""
    record = validate(TRUCKS.domain, TRUCKS.problem, TRUCKS.plan).record

    assert list(record) == ["valid", "class", "spin", "step", "action", "reason", "length", "cost"]
    assert record["cost"] == 65.5
