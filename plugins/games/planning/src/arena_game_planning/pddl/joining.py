"""Finds the actions that can be done in a state, by joining the facts that their conditions ask for.

An action's condition is a conjunction; each atom in it is a table of facts, and the actions that can be done are what
a join of the tables leaves. Each time the table is joined that is expected to add the fewest rows, so an action with
five parameters never meets all combinations of five objects. Facts that no action changes are indexed once for each
problem, and what the first tables say is kept if all of them are of this kind.
"""

from collections.abc import Callable, Iterable, Sequence
from math import prod

import attrs

from arena_game_planning.pddl.compiling import Binding, Places, Test, Undefined, compile_test, picker
from arena_game_planning.pddl.declarations import Action
from arena_game_planning.pddl.effects import changed_numbers, compile_effects
from arena_game_planning.pddl.fact_tables import (
    Columns,
    Facts,
    JoinStep,
    Moment,
    enumerate_objects,
    extend,
    keep,
    lookup,
)
from arena_game_planning.pddl.formulas import (
    Atom,
    Change,
    Effects,
    ForEach,
    Formula,
    Not,
    When,
    conjuncts,
    free_variables,
)
from arena_game_planning.pddl.problem import Problem
from arena_game_planning.pddl.state import GroundAtom, PlanState


@attrs.frozen(eq=False)
class Join:
    """How to find all that can be done with one action: what is known before, the steps, and what takes it out."""

    start: list[Binding]
    steps: tuple[JoinStep, ...]
    take: Callable[[Binding], GroundAtom]

    def ground(self, moment: Moment) -> list[GroundAtom]:
        """The ground actions that can be done."""
        bindings = self.start
        for step in self.steps:
            if not bindings:
                return []
            bindings = step(moment, bindings)
        return list(map(self.take, bindings))


def applicable(problem: Problem, state: PlanState) -> list[GroundAtom]:
    """All actions that can be done in ``state``, each with its arguments, sorted."""
    moment = Moment(problem, state, fixed_facts(problem), Facts(state.changing))
    if (joins := problem.compiled.get("joins")) is None:
        joins = problem.compiled["joins"] = [
            join_for(problem, action, (action.name, *(parameter.name for parameter in action.parameters)))
            for action in problem.domain.actions.values()
        ]
    return sorted(ground for join in joins for ground in join.ground(moment))


def join_for(problem: Problem, action: Action, taken: Sequence[str]) -> Join:
    """The join that finds where the condition of ``action`` holds; it gives the values of the names ``taken``."""
    return _Planner(problem, action).join(taken)


def fixed_facts(problem: Problem) -> Facts:
    """The facts of a problem that no action changes, as tables that are kept."""
    if (found := problem.compiled.get("fixed facts")) is None:
        found = problem.compiled["fixed facts"] = Facts(problem.initial.fixed)
    return found


class _Planner:
    """Decides in which order the tables of one action are joined."""

    def __init__(self, problem: Problem, action: Action) -> None:
        names = problem.domain.names
        self._problem = problem
        self._action = action
        self._changing = problem.domain.changing
        self._places = Places({name: i for i, name in enumerate(names)}, len(names), self._changing)
        self._types = {parameter.name: parameter.types for parameter in action.parameters}
        self._moving = Facts(problem.initial.changing)
        self._steps: list[tuple[bool, JoinStep]] = []  # whether it looks at what changes, and the step
        self._waiting: list[Formula] = []

    def join(self, taken: Sequence[str]) -> Join:
        parts = list(conjuncts(self._action.precondition))
        atoms = [part for part in parts if isinstance(part, Atom)]
        self._waiting = [part for part in parts if not isinstance(part, Atom)]
        self._test_what_is_bound()
        while atoms:
            atom = min(atoms, key=self._expected_rows)
            atoms.remove(atom)
            self._join_atom(atom)
            self._test_what_is_bound()
        for name, types in self._types.items():
            if name not in self._places.of:
                self._steps.append((False, enumerate_objects(self._problem.objects_of(types))))
                self._places = self._places.with_variables([name])
                self._test_what_is_bound()
        if any(_changes(self._action.effects)):
            self._steps.append((True, keep(self._numbers_exist())))
        return self._made(taken)

    def _made(self, taken: Sequence[str]) -> Join:
        """The join, whose first steps are worked out if they look at nothing that changes."""
        start = [self._problem.domain.names]
        moment = Moment(self._problem, self._problem.initial, fixed_facts(self._problem), self._moving)
        at = 0
        while at < len(self._steps) and not self._steps[at][0]:
            start = self._steps[at][1](moment, start)
            at += 1
        take = picker([self._places.of[name] for name in taken])
        return Join(start, tuple(step for _, step in self._steps[at:]), take)

    def _expected_rows(self, atom: Atom) -> tuple[float, bool]:
        """How many rows of its table an atom is expected to add to each binding; fixed ones go first among equals."""
        known = [i for i, arg in enumerate(atom.args, start=1) if arg in self._places.of]
        is_moving = atom.name in self._changing
        if len(known) == len(atom.args):
            return 0.0, is_moving
        facts = self._facts(atom)
        rows = max(1, len(facts.rows(atom.name)))
        return rows / prod(max(1, len(facts.index(atom.name, (i,)))) for i in known), is_moving

    def _facts(self, atom: Atom) -> Facts:
        return self._moving if atom.name in self._changing else fixed_facts(self._problem)

    def _join_atom(self, atom: Atom) -> None:
        is_moving = atom.name in self._changing
        known = tuple(i for i, arg in enumerate(atom.args, start=1) if arg in self._places.of)
        if len(known) == len(atom.args):
            self._steps.append((is_moving, lookup(self._places.pick(atom.name, atom.args), is_moving=is_moving)))
            return
        first: dict[str, int] = {}
        same: list[tuple[int, int]] = []
        for column, arg in enumerate(atom.args, start=1):
            if column not in known and first.setdefault(arg, column) != column:
                same.append((first[arg], column))
        places = tuple(self._places.of[atom.args[i - 1]] for i in known)
        new = tuple(first.values())
        columns = Columns(known, places, new, tuple(same), tuple(self._allowed(atom, first)))
        self._steps.append((is_moving, extend(atom.name, columns, picker(new), is_moving=is_moving)))
        self._places = self._places.with_variables(list(first))

    def _allowed(self, atom: Atom, new: dict[str, int]) -> Iterable[tuple[int, frozenset[str]]]:
        """What may stand in the new columns, where the predicate admits more than the parameter."""
        signature = self._problem.domain.predicates[atom.name]
        for name, column in new.items():
            allowed = self._problem.object_sets(self._types[name])[1]
            if not self._problem.object_sets(signature.types[column - 1])[1] <= allowed:
                yield column, allowed

    def _test_what_is_bound(self) -> None:
        """Add a step for each condition whose variables are all bound by now."""
        for part in list(self._waiting):
            if free_variables(part) <= self._places.of.keys():
                self._waiting.remove(part)
                match part:
                    case Not(Atom(name, args)):
                        is_moving = name in self._changing
                        pick = self._places.pick(name, args)
                        self._steps.append((is_moving, lookup(pick, is_moving=is_moving, is_wanted=False)))
                    case _:
                        self._steps.append((True, keep(compile_test(part, self._places))))

    def _numbers_exist(self) -> Test:
        """The test that all numbers in the effects have values."""
        effects = compile_effects(self._action.effects, self._places)

        def test(problem: Problem, state: PlanState, binding: Binding) -> bool:
            try:
                changed_numbers(state, effects.outcome(problem, state, binding).changes)
            except Undefined:
                return False
            return True

        return test


def _changes(effects: Effects) -> Iterable[Change]:
    for effect in effects:
        match effect:
            case Change():
                yield effect
            case When(_, inner) | ForEach(_, inner):
                yield from _changes(inner)
            case _:
                pass
