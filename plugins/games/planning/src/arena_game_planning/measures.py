"""How much there is to choose from in a task: applicable actions along a plan, and how many states there are."""

from collections.abc import Sequence

from arena_game_planning.pddl import PlanState, Problem, Step, applicable
from arena_game_planning.pddl.simulator import after


def mean_legal_actions(problem: Problem, plan: Sequence[Step]) -> float:
    """The mean number of applicable ground actions in the states in which the steps of a valid plan are done."""
    state, total = problem.initial, 0
    for step in plan:
        total += len(list(applicable(problem, state)))
        state = after(problem, state, step)
    return total / len(plan) if plan else 0.0


def count_states(problem: Problem, limit: int) -> int | None:
    """How many states can be reached, counted by search; ``None`` where there are more than ``limit``."""
    seen: set[PlanState] = {problem.initial}
    queue = [problem.initial]
    for state in queue:
        for step in applicable(problem, state):
            following = after(problem, state, step)
            if following not in seen:
                if len(seen) == limit:
                    return None
                seen.add(following)
                queue.append(following)
    return len(seen)
