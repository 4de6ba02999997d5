"""Breadth-first search over the states of a task: shortest plans of small tasks, and proofs that there is none."""

from collections.abc import Hashable

import attrs

from arena_game_planning.pddl import PlanState, Problem, Step, applicable, goal_holds
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
