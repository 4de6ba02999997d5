"""Random walks through a problem: legal actions with a slight preference for those that come closer to the goal."""

from collections.abc import Sequence
from random import Random
from typing import Final

import attrs
from arena.errors import RuleError

from arena_game_planning.pddl import GroundAtom, PlanState, Problem, Step, applicable, apply, unmet_goals
from arena_game_planning.pddl.formulas import changed_names

DRAWN: Final = 3
"""How many actions are drawn for a step; the one after which the fewest parts of the goal are unmet is done."""

ATTEMPTS: Final = 1_000
"""How often a walk is begun anew that has come to a state in which nothing can be done."""


@attrs.frozen(eq=False)
class Walk:
    """Steps from the initial state of a problem; ``states`` holds the state before the first and after each step."""

    problem: Problem
    steps: tuple[Step, ...]
    states: tuple[PlanState, ...]

    def mutable(self) -> tuple[str, ...]:
        """The predicates that some action which is applicable somewhere on the walk changes, sorted."""
        may_change = {name: set(changed_names(action.effects)) for name, action in self.problem.domain.actions.items()}
        found: set[str] = set()
        for state in self.states:
            for step in applicable(self.problem, state):
                if not may_change[step[0]] <= found:
                    following = apply(self.problem, state, step)
                    found |= {atom[0] for atom in state.changing ^ following.changing}
        return tuple(sorted(found))


def walk(problem: Problem, length: int, rng: Random) -> Walk:
    """A walk of so many steps, each legal; ``RuleError`` if there seems to be none."""
    for _ in range(ATTEMPTS):
        steps: list[Step] = []
        states = [problem.initial]
        while len(steps) < length and (found := _step(problem, states[-1], rng)):
            steps.append(found[0])
            states.append(found[1])
        if len(steps) == length:
            return Walk(problem, tuple(steps), tuple(states))
    raise RuleError(
        f"problem {problem.name!r} has no walk of {length} steps: {ATTEMPTS} ended before; take a shorter one"
    )


def _step(problem: Problem, state: PlanState, rng: Random) -> tuple[Step, PlanState] | None:
    actions = applicable(problem, state)
    if not actions:
        return None
    drawn = [(action, apply(problem, state, action)) for action in rng.sample(actions, min(DRAWN, len(actions)))]
    return min(drawn, key=lambda done: len(unmet_goals(problem, done[1])))


def atoms_of(state: PlanState, predicates: Sequence[str]) -> frozenset[GroundAtom]:
    """The true atoms of some predicates."""
    return frozenset(atom for atom in state.atoms if atom[0] in predicates)
