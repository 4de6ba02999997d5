"""Takes out of a plan what it can do without."""

from collections.abc import Sequence

from arena_game_planning.generators import Draft
from arena_game_planning.pddl import (
    Problem,
    Step,
    atom_text,
    goal_holds,
    is_applicable,
    read_domain,
    read_plan,
    read_problem,
)
from arena_game_planning.pddl.simulator import after
from arena_game_planning.searching import state_key

LONGEST = 200
"""Plans of more steps are left as they are, since every step is tried by itself."""


def constructed(domain_text: str, problem_text: str, draft: Draft) -> tuple[str, ...] | None:
    """The generator's own plan without needless steps; ``None`` where it has none."""
    if draft.plan is None or draft.is_shortest or len(draft.plan) > LONGEST:
        return draft.plan
    problem = read_problem(read_domain(domain_text), problem_text)
    return tuple(atom_text(step) for step in shortened(problem, read_plan("\n".join(draft.plan))))


def shortened(problem: Problem, plan: Sequence[Step]) -> tuple[Step, ...]:
    """A plan without detours that lead back to a state, and without steps that the goal does not need.

    Each step is left out for a try, with all later ones that can then no longer be done; where the goal still holds
    at the end, they stay out. The plan must be valid, and what comes out is valid too.
    """
    steps = _without_circles(problem, plan)
    place = 0
    while place < len(steps):
        shorter = _without(problem, steps, place)
        if shorter is None:
            place += 1
        else:
            steps = _without_circles(problem, shorter)
    return tuple(steps)


def _without_circles(problem: Problem, plan: Sequence[Step]) -> list[Step]:
    states = [problem.initial]
    steps: list[Step] = []
    seen = {state_key(problem.initial): 0}
    for step in plan:
        state = after(problem, states[-1], step)
        if (before := seen.get(state_key(state))) is not None:
            for dropped in states[before + 1 :]:
                del seen[state_key(dropped)]
            del states[before + 1 :], steps[before:]
            continue
        states.append(state)
        steps.append(step)
        seen[state_key(state)] = len(steps)
    return steps


def _without(problem: Problem, plan: Sequence[Step], place: int) -> list[Step] | None:
    """The plan without one step and all later ones that need it; ``None`` if that does not reach the goal."""
    state = problem.initial
    kept: list[Step] = []
    for number, step in enumerate(plan):
        if number < place or (number > place and is_applicable(problem, state, step)):
            state = after(problem, state, step)
            kept.append(step)
    return kept if goal_holds(problem, state) else None
