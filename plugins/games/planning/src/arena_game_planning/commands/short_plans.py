"""Short plans: found by search, made by taking out steps, and how much there is to choose along one."""

from collections.abc import Hashable, Sequence

import attrs

from arena_game_planning.generators import Draft
from arena_game_planning.pddl import (
    PlanState,
    Problem,
    Step,
    applicable,
    atom_text,
    goal_holds,
    is_applicable,
    read_domain,
    read_plan,
    read_problem,
)
from arena_game_planning.pddl.simulator import after


@attrs.frozen
class SearchResult:
    """What a search found: a shortest plan, or none.

    ``is_exhausted`` says that every state that can be reached was seen, so that without a plan there is none;
    otherwise the search ended at its bound and nothing is known. ``states`` are those that were seen.
    """

    plan: tuple[Step, ...] | None
    is_exhausted: bool
    states: int


def search(problem: Problem, max_states: int, *, stop_at_goal: bool = True) -> SearchResult:
    """Look for a shortest plan among at most ``max_states`` states; without ``stop_at_goal``, see all of them."""
    seen: set[Hashable] = {state_key(problem.initial)}
    queue: list[tuple[PlanState, int, Step]] = [(problem.initial, -1, ())]
    goal: int | None = None
    for place, (state, _, _) in enumerate(queue):
        if goal is None and goal_holds(problem, state):
            goal = place
            if stop_at_goal:
                break
        for step in applicable(problem, state):
            following = after(problem, state, step)
            if (key := state_key(following)) in seen:
                continue
            if len(seen) >= max_states:
                return SearchResult(_way(queue, goal), False, len(seen))
            seen.add(key)
            queue.append((following, place, step))
    return SearchResult(_way(queue, goal), goal is None or not stop_at_goal, len(seen))


def state_key(state: PlanState) -> Hashable:
    """What two states have in common exactly if they are equal, quick to compare also where only numbers differ."""
    return (state.changing, frozenset(state.numbers.items())) if state.numbers else state.changing


def _way(queue: list[tuple[PlanState, int, Step]], place: int | None) -> tuple[Step, ...] | None:
    if place is None:
        return None
    steps: list[Step] = []
    while place > 0:
        _, place, step = queue[place]
        steps.append(step)
    return tuple(reversed(steps))


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


def mean_legal_actions(problem: Problem, plan: Sequence[Step]) -> float:
    """The mean number of applicable ground actions in the states in which the steps of a valid plan are done."""
    state, total = problem.initial, 0
    for step in plan:
        total += len(applicable(problem, state))
        state = after(problem, state, step)
    return total / len(plan) if plan else 0.0
