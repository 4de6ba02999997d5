"""What can be done in a state, what follows from it, and how far the goal is met."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, TypeAlias

import attrs

from arena_game_planning.pddl.axioms import with_derived
from arena_game_planning.pddl.compiling import (
    Binding,
    Pick,
    Places,
    Test,
    Undefined,
    combinations,
    compile_test,
    compile_value,
)
from arena_game_planning.pddl.declarations import Action, Domain
from arena_game_planning.pddl.effects import CompiledEffects, compile_effects
from arena_game_planning.pddl.formulas import Atom, Expression, Formula, Quantified, conjuncts
from arena_game_planning.pddl.problem import TOTAL_TIME, Problem
from arena_game_planning.pddl.state import PlanState
from arena_game_planning.pddl.syntax import PddlError
from arena_game_planning.pddl.texts import atom_text, formula_text

Step: TypeAlias = tuple[str, ...]
"""A ground action: its name and its arguments, such as ``("move", "a", "b")``."""


@attrs.frozen(eq=False)
class CompiledAction:
    """An action whose condition and effects are functions of a state and a binding.

    ``moving`` and ``fixed`` take out of a binding the atoms that must hold, by whether actions change them; ``others``
    are all other conditions.
    """

    action: Action
    places: Places
    moving: tuple[Pick, ...]
    fixed: tuple[Pick, ...]
    others: tuple[Test, ...]
    effects: CompiledEffects
    names: Binding

    def is_met(self, problem: Problem, state: PlanState, args: Sequence[str]) -> bool:
        """Whether the condition holds for ``args``, which are as many and of such types as they should be."""
        binding = (*self.names, *args)
        changing, fixed = state.changing, state.fixed
        for pick in self.moving:
            if pick(binding) not in changing:
                return False
        for pick in self.fixed:
            if pick(binding) not in fixed:
                return False
        try:
            return all(test(problem, state, binding) for test in self.others)
        except Undefined:
            return False


def compiled_action(domain: Domain, name: str) -> CompiledAction:
    """The action ``name`` in compiled form, which is made once for all problems of the domain."""
    if (found := domain.compiled.get(name)) is None:
        found = domain.compiled[name] = _compile(domain, domain.actions[name])
    return found


def is_applicable(problem: Problem, state: PlanState, step: Step) -> bool:
    """Whether ``step`` can be done in ``state``; false also for what is no action of the problem."""
    action = problem.domain.actions.get(step[0]) if step else None
    if action is None or len(action.parameters) != len(step) - 1:
        return False
    if not all(problem.is_of(arg, p.types) for arg, p in zip(step[1:], action.parameters, strict=True)):
        return False
    compiled = compiled_action(problem.domain, step[0])
    if not compiled.is_met(problem, state, step[1:]):
        return False
    try:
        after(problem, state, step)
    except Undefined:
        return False
    return True


def apply(problem: Problem, state: PlanState, step: Step) -> PlanState:
    """The state after ``step``; ``PddlError`` if it cannot be done in ``state``."""
    if not is_applicable(problem, state, step):
        raise PddlError(f"{atom_text(step)} cannot be done in this state")
    return after(problem, state, step)


def after(problem: Problem, state: PlanState, step: Step) -> PlanState:
    """The state after ``step``, whose condition is known to hold; ``Undefined`` if a number in it has no value."""
    compiled = compiled_action(problem.domain, step[0])
    return with_derived(problem, compiled.effects.after(problem, state, (*compiled.names, *step[1:])))


def unmet_conditions(problem: Problem, state: PlanState, step: Step) -> list[str]:
    """The parts of the condition of ``step`` that do not hold in ``state``, as PDDL; the names must be known."""
    compiled = compiled_action(problem.domain, step[0])
    binding = (*compiled.names, *step[1:])
    values = {p.name: arg for p, arg in zip(compiled.action.parameters, step[1:], strict=True)}
    return [
        formula_text(part, values)
        for part in conjuncts(compiled.action.precondition)
        if not _holds(compile_test(part, compiled.places), problem, state, binding)
    ]


def goal_holds(problem: Problem, state: PlanState) -> bool:
    """Whether the goal is reached."""
    binding, goals = _goals(problem)
    return all(_holds(test, problem, state, binding) for _, test in goals)


def unmet_goals(problem: Problem, state: PlanState) -> list[str]:
    """The parts of the goal that do not hold in ``state``, as PDDL.

    A part that is about all objects of a type counts once for each of them.
    """
    binding, goals = _goals(problem)
    return [text for text, test in goals if not _holds(test, problem, state, binding)]


def plan_cost(problem: Problem, state: PlanState, length: int) -> Fraction | None:
    """What a plan of so many steps that ends in ``state`` costs; ``None`` without a metric, or if it has no value."""
    if problem.metric is None:
        return None
    places = _problem_places(problem, TOTAL_TIME)
    numbers = {**state.numbers, (TOTAL_TIME,): Fraction(length)}
    return _value(problem.metric.expression, places, attrs.evolve(state, numbers=numbers))


_GOAL_INSTANCES: Final = 1_000


def _value(expression: Expression, places: tuple[Places, Binding], state: PlanState) -> Fraction | None:
    try:
        return compile_value(expression, places[0])(state, places[1])
    except Undefined:
        return None


def _holds(test: Test, problem: Problem, state: PlanState, binding: Binding) -> bool:
    try:
        return test(problem, state, binding)
    except Undefined:
        return False


def _compile(domain: Domain, action: Action) -> CompiledAction:
    names = domain.names
    start = Places({name: i for i, name in enumerate(names)}, len(names), domain.changing)
    places = start.with_variables([parameter.name for parameter in action.parameters])
    parts = list(conjuncts(action.precondition))
    atoms = [
        (part.name in domain.changing, places.pick(part.name, part.args)) for part in parts if isinstance(part, Atom)
    ]
    return CompiledAction(
        action,
        places,
        tuple(pick for is_moving, pick in atoms if is_moving),
        tuple(pick for is_moving, pick in atoms if not is_moving),
        tuple(compile_test(part, places) for part in parts if not isinstance(part, Atom)),
        compile_effects(action.effects, places),
        names,
    )


def _problem_places(problem: Problem, *more: str) -> tuple[Places, Binding]:
    names = tuple(dict.fromkeys((*problem.domain.names, *problem.objects, *more)))
    return Places({name: i for i, name in enumerate(names)}, len(names), problem.domain.changing), names


def _goals(problem: Problem) -> tuple[Binding, list[tuple[str, Test]]]:
    if (found := problem.compiled.get("goals")) is None:
        places, names = _problem_places(problem)
        goals: list[tuple[str, Test]] = []
        for part in conjuncts(problem.goal):
            goals.extend(_instances(problem, part, places, names))
        found = problem.compiled["goals"] = (names, goals)
    return found


def _instances(problem: Problem, part: Formula, places: Places, names: Binding) -> list[tuple[str, Test]]:
    """A part of the goal, or what it says of each object if it is about all of a type and these are not too many."""
    if isinstance(part, Quantified) and part.kind == "all":
        values = list(combinations(problem, part.variables))
        if len(values) <= _GOAL_INSTANCES:
            return [instance for value in values for instance in _instance(part, value, places)]
    return [(formula_text(part, {}), compile_test(part, places))]


def _instance(part: Quantified, value: tuple[str, ...], places: Places) -> list[tuple[str, Test]]:
    standing = dict(zip((variable.name for variable in part.variables), value, strict=True))
    bound: Mapping[str, int] = {**places.of, **{name: places.of[obj] for name, obj in standing.items()}}
    inner = attrs.evolve(places, of=bound)
    return [(formula_text(piece, standing), compile_test(piece, inner)) for piece in conjuncts(part.part)]
