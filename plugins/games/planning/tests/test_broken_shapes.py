"""The shapes of tasks that the original could not score, as small files of our own."""

import re

import pytest
from arena_game_planning import validate
from arena_game_planning.pddl import PddlError, applicable, apply, goal_holds, read_domain, read_problem

ASSEMBLY = """
(define (domain assembly)
  (:requirements :strips)
  (:types part whole - thing)
  (:predicates (free ?x) (built ?x) (in ?p ?w) (part-of ?p ?w) (before ?p ?q ?w))
  (:action put-in :parameters (?p - part ?w - whole)
    :precondition (and (free ?p) (part-of ?p ?w)
      (forall (?q - part) (imply (before ?q ?p ?w) (in ?q ?w))))
    :effect (and (in ?p ?w) (not (free ?p))))
  (:action finish :parameters (?w - whole)
    :precondition (forall (?p - part) (imply (part-of ?p ?w) (in ?p ?w)))
    :effect (built ?w)))
"""


def assembly(facts: str) -> str:
    return f"""(define (problem lamp) (:domain assembly)
      (:objects foot pole shade - part lamp - whole)
      (:init (free foot) (free pole) (free shade)
        (part-of foot lamp) (part-of pole lamp) (part-of shade lamp) {facts})
      (:goal (built lamp)))"""


SOLUTION = "(put-in foot lamp) (put-in pole lamp) (put-in shade lamp) (finish lamp)"


def is_solvable(domain_text: str, problem_text: str) -> bool:
    """Whether a search of all states finds the goal."""
    problem = read_problem(read_domain(domain_text), problem_text)
    waiting, seen = [problem.initial], {problem.initial}
    while waiting:
        state = waiting.pop()
        if goal_holds(problem, state):
            return True
        following = {apply(problem, state, step) for step in applicable(problem, state)} - seen
        seen |= following
        waiting.extend(following)
    return False


@pytest.mark.parametrize(
    "facts", ["(order foot pole lamp)", "(order foot pole)", "(before foot pole lamp) (order a b)"]
)
def test_undefined_predicate_is_refused_with_its_place(facts):
    """Three malformed tasks: a fact of a predicate that nobody declared is named with line and column."""
    with pytest.raises(PddlError) as caught:
        validate(ASSEMBLY, assembly(facts), SOLUTION)

    assert re.match(r"problem\.pddl:4:\d+: no predicate called 'order'", str(caught.value))


@pytest.mark.parametrize(
    "facts",
    [
        "(before foot foot lamp)",
        "(before foot pole lamp) (before pole foot lamp)",
        "(before foot pole lamp) (before pole shade lamp) (before shade foot lamp)",
    ],
)
def test_unsolvable_task_is_found_out_by_exhaustion(facts):
    """Three unsolvable tasks: parts that wait for each other can be read, and no state of theirs meets the goal."""
    assert is_solvable(ASSEMBLY, assembly("(before foot pole lamp) (before pole shade lamp)"))
    assert not is_solvable(ASSEMBLY, assembly(facts))


def test_dotted_names_are_read_and_scored():
    """The 48 tasks of grid: names of problems and objects with dots are names like others."""
    domain = """(define (domain grid-visit.all) (:predicates (at.robot ?x) (next ?x ?y) (seen ?x))
      (:action move.to :parameters (?x ?y) :precondition (and (at.robot ?x) (next ?x ?y))
        :effect (and (not (at.robot ?x)) (at.robot ?y) (seen ?y))))"""
    problem = """(define (problem grid-5.5-key.1) (:domain grid-visit.all) (:objects node0.0 node0.1)
      (:init (at.robot node0.0) (next node0.0 node0.1)) (:goal (seen node0.1)))"""

    assert validate(domain, problem, "(move.to node0.0 node0.1)").valid
    assert validate(domain, problem, "(move.to node0.1 node0.0)").error_class == "precondition"


def test_parts_in_order_are_assembled():
    """The same domain with an order that can be kept has a plan."""
    facts = "(before foot pole lamp) (before pole shade lamp)"

    assert validate(ASSEMBLY, assembly(facts), SOLUTION).valid
    assert validate(ASSEMBLY, assembly(facts), "(put-in shade lamp)").error_class == "precondition"
