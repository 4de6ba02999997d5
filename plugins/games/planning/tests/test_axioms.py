"""Derived predicates: what follows from axioms in each state, and which axioms are refused."""

import pytest
from arena_game_planning import validate
from arena_game_planning.commands.short_plans import search
from arena_game_planning.pddl import PddlError, applicable, apply, read_domain, read_problem
from arena_game_planning.showing.wording import describe_task
from arena_game_planning.tasks.task import PlanningTask, disguised

from .small_tasks import SIGNALS, TOWERS

ROOMS = """(define (domain rooms)
  (:predicates (door ?a ?b) (at ?a) (reach ?a))
  (:derived (reach ?a) (or (at ?a) (exists (?b) (and (door ?b ?a) (reach ?b)))))
  (:action open :parameters (?a ?b) :precondition (reach ?a) :effect (door ?a ?b))
  (:action close :parameters (?a ?b) :precondition (door ?a ?b) :effect (not (door ?a ?b))))"""


def rooms(facts: str, goal: str, text: str = ROOMS):
    objects = "(:objects a b c d)"
    return read_problem(
        read_domain(text), f"(define (problem p) (:domain rooms) {objects} (:init {facts}) (:goal {goal}))"
    )


def reached(state) -> str:
    return "".join(sorted(atom[1] for atom in state.atoms if atom[0] == "reach"))


def test_what_follows_is_worked_out_in_every_state():
    """Rooms are reached through any number of doors, also in circles, and not after a door is closed."""
    problem = rooms("(at a) (door a b) (door b c) (door c b)", "(reach d)")

    opened = apply(problem, problem.initial, ("open", "c", "d"))
    closed = apply(problem, opened, ("close", "a", "b"))

    assert [reached(state) for state in (problem.initial, opened, closed)] == ["abc", "abcd", "a"]


def test_conditions_see_what_follows():
    """Only what is reached can be opened, so that a search finds the two steps that are needed."""
    problem = rooms("(at a)", "(and (reach c) (not (door a c)))")

    assert {step[1] for step in applicable(problem, problem.initial)} == {"a"}
    assert (found := search(problem, 10_000).plan) is not None
    assert len(found) == 2


def test_given_facts_of_derived_predicates_do_not_count():
    """What the initial state says of a derived predicate is worked out all the same."""
    assert reached(rooms("(at a) (reach d)", "(reach a)").initial) == "a"


@pytest.mark.parametrize("task", [TOWERS, SIGNALS], ids=lambda task: task.name)
def test_recursion_and_negation_in_layers(task):
    """Axioms that lean on others, on themselves and on negations of others are followed in their order."""
    verdict = validate(task.domain, task.problem, task.plan, trace=True)

    assert verdict.valid
    assert search(read_problem(read_domain(task.domain), task.problem), 100_000).plan is not None


@pytest.mark.parametrize(
    ("axioms", "said"),
    [
        ("(:derived (reach ?a) (not (reach ?a)))", "the derived predicate 'reach' depends on its own negation"),
        (
            "(:derived (reach ?a) (not (far ?a))) (:derived (far ?a) (exists (?b) (reach ?b)))",
            "the derived predicate 'reach' depends on its own negation",
        ),
        ("(:derived (door ?a ?b) (at ?a))", "the action 'open' changes 'door', which is derived"),
        ("(:derived (raech ?a) (at ?a))", "no predicate called 'raech' (did you mean 'reach'?)"),
        ("(:derived (reach ?a ?b) (at ?a))", "'reach' has 1 arguments, got 2"),
        ("(:derived (reach ?a) (at ?b))", "no variable called '?b'"),
        ("(:derived (reach ?a))", "expected (:derived (PREDICATE …) CONDITION)"),
        ("(:axiom :vars (?a) :implies (reach ?a))", "expected (:axiom :vars (…) :context CONDITION :implies"),
    ],
)
def test_axioms_without_a_meaning_are_refused(axioms, said):
    """A circle of negations, an action that changes what is derived, and unknown names are named with their place."""
    text = ROOMS.replace("(reach ?a))\n", "(reach ?a) (far ?a))\n", 1)
    start, end = text.index("(:derived"), text.index("(:action open")

    with pytest.raises(PddlError) as caught:
        read_domain(text[:start] + axioms + text[end:])

    assert said in str(caught.value)
    assert str(caught.value).startswith("domain.pddl:")


def test_the_older_form_of_axioms():
    """``:axiom`` with variables, context and what it implies means the same."""
    older = "(:axiom :vars (?a ?b) :context (and (door ?b ?a) (or (at ?b) (reach ?b))) :implies (reach ?a))"
    start, end = ROOMS.index("(:derived"), ROOMS.index("(:action open")

    problem = rooms("(at a) (door a b) (door b c)", "(reach c)", ROOMS[:start] + older + ROOMS[end:])

    assert reached(problem.initial) == "bc"


def test_axioms_over_very_many_objects_are_refused():
    """An axiom with more instances than a state can be asked for is named."""
    objects = " ".join(f"o{number}" for number in range(1_500))
    problem = f"(define (problem p) (:domain rooms) (:objects {objects}) (:init (at o0)) (:goal (reach o1)))"

    with pytest.raises(PddlError, match="the axiom of 'reach' has more than 2,000,000 instances"):
        read_problem(read_domain(ROOMS), problem)


def test_axioms_are_told_and_disguised():
    """A task in words says what follows by itself, and a reskin keeps the meaning."""
    task = PlanningTask("towers", 1, TOWERS.domain, TOWERS.problem, plan=tuple(TOWERS.plan.split("\n")))

    reskin = disguised(task, "letters")

    assert "What follows by itself:\n- above X Y for all X (object), Y (object), if: " in describe_task(
        TOWERS.domain, TOWERS.problem
    )
    assert ":derived" in reskin.domain_text
    assert "above" not in reskin.domain_text
    assert validate(reskin.domain_text, reskin.problem_text, "\n".join(reskin.plan or ())).valid
