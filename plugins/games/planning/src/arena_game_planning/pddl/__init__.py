"""PDDL: domains, problems and plans as values, and what happens when a plan is carried out.

Reads STRIPS with types, equality, negations, disjunctions, quantifiers, conditional effects, derived predicates,
numbers and action costs. Durative actions, processes, preferences and constraints on trajectories are refused by name.
"""

from arena_game_planning.pddl.declarations import Action, Domain
from arena_game_planning.pddl.domain import read_domain
from arena_game_planning.pddl.joining import applicable
from arena_game_planning.pddl.plans import read_plan
from arena_game_planning.pddl.problem import Metric, Problem
from arena_game_planning.pddl.problem_text import read_problem
from arena_game_planning.pddl.simulator import (
    Step,
    apply,
    goal_holds,
    is_applicable,
    plan_cost,
    unmet_conditions,
    unmet_goals,
)
from arena_game_planning.pddl.state import GroundAtom, PlanState
from arena_game_planning.pddl.syntax import PddlError
from arena_game_planning.pddl.texts import atom_text, number_text

__all__ = [
    "Action",
    "Domain",
    "GroundAtom",
    "Metric",
    "PddlError",
    "PlanState",
    "Problem",
    "Step",
    "applicable",
    "apply",
    "atom_text",
    "goal_holds",
    "is_applicable",
    "number_text",
    "plan_cost",
    "read_domain",
    "read_plan",
    "read_problem",
    "unmet_conditions",
    "unmet_goals",
]
