"""How much there is to choose from along a plan."""

from collections.abc import Sequence

from arena_game_planning.pddl import Problem, Step, applicable
from arena_game_planning.pddl.simulator import after


def mean_legal_actions(problem: Problem, plan: Sequence[Step]) -> float:
    """The mean number of applicable ground actions in the states in which the steps of a valid plan are done."""
    state, total = problem.initial, 0
    for step in plan:
        total += len(applicable(problem, state))
        state = after(problem, state, step)
    return total / len(plan) if plan else 0.0
