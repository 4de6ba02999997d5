"""The simulator: what can be done, and what follows from it, found out by brute force beside it."""

import pickle
from itertools import product
from random import Random

import pytest
from arena_game_planning.pddl import (
    PddlError,
    applicable,
    apply,
    goal_holds,
    is_applicable,
    read_domain,
    read_plan,
    read_problem,
    unmet_goals,
)

from .small_tasks import BLOCKS, CASE, LAMPS, SMALL, TRUCKS


def problem_of(task):
    return read_problem(read_domain(task.domain), task.problem)


def everything(problem):
    """All actions with all objects, whatever their types."""
    for action in problem.domain.actions.values():
        for args in product(problem.objects, repeat=len(action.parameters)):
            yield (action.name, *args)


@pytest.mark.sample(fast=2)
@pytest.mark.parametrize("task", SMALL, ids=lambda task: task.name)
def test_applicable_actions_are_those_that_brute_force_finds(task):
    """Along a random walk of 60 steps, the join finds each action that can be done, once, and no other."""
    problem, rng = problem_of(task), Random(5)
    state = problem.initial

    for _ in range(60):
        found = applicable(problem, state)
        assert found == sorted(step for step in everything(problem) if is_applicable(problem, state, step))
        if not found:
            break
        state = apply(problem, state, rng.choice(found))


@pytest.mark.parametrize("task", SMALL, ids=lambda task: task.name)
def test_plan_leads_to_the_goal(task):
    """Step by step the plan can be done, and the goal holds after the last step and not before."""
    problem = problem_of(task)
    state = problem.initial

    for step in read_plan(task.plan):
        assert not goal_holds(problem, state)
        state = apply(problem, state, step)

    assert goal_holds(problem, state)
    assert unmet_goals(problem, state) == []


def test_states_are_values():
    """A step leaves the state alone that it is done in, and steps that undo each other lead back to an equal state."""
    problem = problem_of(BLOCKS)
    before = problem.initial

    after = apply(problem, before, ("unstack", "d", "c"))
    again = apply(problem, after, ("stack", "d", "c"))

    assert ("on", "d", "c") in before.atoms
    assert ("on", "d", "c") not in after.atoms
    assert (again, hash(again)) == (before, hash(before))
    assert len({before, after, again}) == 2


def test_goal_about_all_objects_counts_once_for_each():
    """Of a goal about all things, what is said is which of them are missing."""
    problem = problem_of(CASE)

    assert len(unmet_goals(problem, problem.initial)) == 4


def test_what_cannot_be_done_is_refused():
    """A step whose condition does not hold, or that is no action of the problem, is an error."""
    problem = problem_of(BLOCKS)

    for step in (("take", "a"), ("take",), ("grab", "a"), ("take", "z"), ()):
        assert not is_applicable(problem, problem.initial, step)
        with pytest.raises(PddlError, match="cannot be done in this state"):
            apply(problem, problem.initial, step)


def test_action_whose_numbers_have_no_value_cannot_be_done():
    """A drive along a road without a length is not offered."""
    problem = problem_of(TRUCKS)
    shorter = read_problem(problem.domain, TRUCKS.problem.replace("(= (far p q) 3)", ""))

    assert ("drive", "v", "p", "q") in applicable(problem, problem.initial)
    assert ("drive", "v", "p", "q") not in applicable(shorter, shorter.initial)


def test_five_parameters_do_not_make_a_product():
    """An action with five parameters over 200 objects is grounded in no time, since its facts are joined."""
    objects = " ".join(f"o{i}" for i in range(200))
    roads = " ".join(f"(next o{i} o{i + 1})" for i in range(199))
    domain = read_domain("""(define (domain d) (:predicates (next ?a ?b) (at ?a))
      (:action jump :parameters (?a ?b ?c ?d ?e)
        :precondition (and (next ?a ?b) (next ?b ?c) (next ?c ?d) (next ?d ?e) (at ?a))
        :effect (and (not (at ?a)) (at ?e))))""")
    text = f"(define (problem p) (:domain d) (:objects {objects}) (:init (at o0) {roads}) (:goal (at o196)))"
    problem = read_problem(domain, text)

    assert applicable(problem, problem.initial) == [("jump", "o0", "o1", "o2", "o3", "o4")]


def test_same_variable_twice_in_a_fact_means_the_same_object():
    """A fact that is asked of one object twice is joined as one object."""
    domain = read_domain("""(define (domain d) (:predicates (r ?a ?b) (p))
      (:action loop :parameters (?a) :precondition (r ?a ?a) :effect (p)))""")
    text = "(define (problem x) (:domain d) (:objects a b c) (:init (r a b) (r b b) (r c c)) (:goal (p)))"
    problem = read_problem(domain, text)

    assert applicable(problem, problem.initial) == [("loop", "b"), ("loop", "c")]


def test_problems_can_be_sent_to_another_process():
    """A problem that was used is pickled with its states, and does the same afterwards."""
    problem = problem_of(LAMPS)
    state = apply(problem, problem.initial, ("press", "b"))

    again, there = pickle.loads(pickle.dumps((problem, state)))

    assert there == state
    assert applicable(again, there) == applicable(problem, state)
