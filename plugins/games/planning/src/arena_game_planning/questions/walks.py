"""Random walks through a problem: legal actions with a slight preference for those that come closer to the goal."""

from collections.abc import Sequence
from random import Random
from typing import Final

import attrs
from arena.errors import RuleError

from arena_game_planning.pddl import GroundAtom, PlanState, Problem, Step, applicable, unmet_goals
from arena_game_planning.pddl.formulas import changed_names
from arena_game_planning.pddl.simulator import after

DRAWN: Final = 3
"""How many actions are drawn for a step; the one after which the fewest parts of the goal are unmet is done."""

ATTEMPTS: Final = 1_000
"""How often a walk is begun anew that has come to a state in which nothing can be done."""


@attrs.frozen(eq=False)
class Walk:
    """Steps from the initial state of a problem.

    ``states`` holds the state before the first and after each step, ``choices`` what was applicable before each step.
    """

    problem: Problem
    steps: tuple[Step, ...]
    states: tuple[PlanState, ...]
    choices: tuple[Sequence[Step], ...] = attrs.field(repr=False)

    def mutable(self) -> tuple[str, ...]:
        """The predicates that some action which is applicable somewhere on the walk changes, sorted."""
        known, actions = self.problem.domain.predicates.keys(), self.problem.domain.actions
        may_change = {name: known & set(changed_names(action.effects)) for name, action in actions.items()}
        found: set[str] = set()
        for state, choices in zip(self.states, (*self.choices, applicable(self.problem, self.states[-1])), strict=True):
            for step in choices:
                if not may_change[step[0]] <= found:
                    following = after(self.problem, state, step)
                    found |= {atom[0] for atom in state.changing ^ following.changing}
        return tuple(sorted(found))


def walk(problem: Problem, length: int, rng: Random) -> Walk:
    """A walk of so many steps, each legal; ``RuleError`` if there seems to be none."""
    for _ in range(ATTEMPTS):
        steps: list[Step] = []
        states, choices = [problem.initial], list[Sequence[Step]]()
        while len(steps) < length and (actions := applicable(problem, states[-1])):
            step, state = _drawn(problem, states[-1], actions, rng)
            steps.append(step)
            states.append(state)
            choices.append(actions)
        if len(steps) == length:
            return Walk(problem, tuple(steps), tuple(states), tuple(choices))
    raise RuleError(
        f"problem {problem.name!r} has no walk of {length} steps: {ATTEMPTS} ended before; take a shorter one"
    )


def _drawn(problem: Problem, state: PlanState, actions: Sequence[Step], rng: Random) -> tuple[Step, PlanState]:
    drawn = [(action, after(problem, state, action)) for action in rng.sample(actions, min(DRAWN, len(actions)))]
    return min(drawn, key=lambda done: len(unmet_goals(problem, done[1])))


def atoms_of(state: PlanState, predicates: Sequence[str]) -> frozenset[GroundAtom]:
    """The true atoms of some predicates."""
    return frozenset(atom for atom in state.atoms if atom[0] in predicates)
