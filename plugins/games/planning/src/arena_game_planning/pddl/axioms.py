"""Works out what axioms make true in a state: the predicates that are derived from others."""

from collections.abc import Callable, Iterator
from itertools import count, product
from typing import Final, TypeAlias

import attrs

from arena_game_planning.pddl.declarations import Action, Axiom
from arena_game_planning.pddl.fact_tables import Facts, Moment
from arena_game_planning.pddl.formulas import And, Formula, Or, Quantified, Typed, substituted
from arena_game_planning.pddl.joining import Join, fixed_facts, join_for
from arena_game_planning.pddl.layers import is_recursive, layers
from arena_game_planning.pddl.problem import Problem
from arena_game_planning.pddl.state import GroundAtom, PlanState

_MOST_ALTERNATIVES: Final = 64
"""A body with more alternatives than this is tested as it stands for all values of the variables."""

_Body: TypeAlias = tuple[tuple[Typed, ...], tuple[Formula, ...]]
"""Variables that are looked for, and conditions that must all hold."""


@attrs.frozen(eq=False)
class Layer:
    """Joins that find the atoms of derived predicates; ``is_repeated`` if what they find may let them find more."""

    joins: tuple[Join, ...]
    is_repeated: bool


def with_derived(problem: Problem, state: PlanState) -> PlanState:
    """The state with what follows in it from the axioms, in the place of what followed before."""
    if not (derived := problem.domain.derived):
        return state
    atoms = {atom for atom in state.changing if atom[0] not in derived}
    for layer in _layers(problem):
        while found := _found(problem, state, layer, atoms):
            atoms |= found
            if not layer.is_repeated:
                break
    return attrs.evolve(state, changing=frozenset(atoms))


def _found(problem: Problem, state: PlanState, layer: Layer, atoms: set[GroundAtom]) -> set[GroundAtom]:
    """What a layer adds to ``atoms``."""
    known = attrs.evolve(state, changing=frozenset(atoms))
    moment = Moment(problem, known, fixed_facts(problem), Facts(atoms))
    return {atom for join in layer.joins for atom in join.ground(moment)} - atoms


def _layers(problem: Problem) -> tuple[Layer, ...]:
    if (found := problem.compiled.get("axioms")) is None:
        found = problem.compiled["axioms"] = tuple(
            Layer(tuple(join for axiom in group for join in _joins(problem, axiom)), is_recursive(group))
            for group in layers(problem.domain.axioms)
        )
    return found


def _joins(problem: Problem, axiom: Axiom) -> Iterator[Join]:
    """One join for each alternative in which the body of an axiom holds."""
    numbers = count(1)
    for variables, parts in _alternatives(axiom.body, lambda name: f"{name}/{next(numbers)}"):
        rule = Action(axiom.head.name, (*axiom.parameters, *variables), And(parts), ())
        yield join_for(problem, rule, (axiom.head.name, *axiom.head.args))


def _alternatives(formula: Formula, fresh: Callable[[str], str]) -> list[_Body]:
    """Ways for a formula to hold, one of which applies wherever it does."""
    match formula:
        case And(parts):
            choices = [_alternatives(part, fresh) for part in parts]
            found: list[_Body] = []
            for chosen in product(*choices):
                if len(found) == _MOST_ALTERNATIVES:
                    return [((), (formula,))]
                variables = tuple(variable for some, _ in chosen for variable in some)
                found.append((variables, tuple(part for _, some in chosen for part in some)))
            return found
        case Or(parts):
            found = [body for part in parts for body in _alternatives(part, fresh)]
            return found if len(found) <= _MOST_ALTERNATIVES else [((), (formula,))]
        case Quantified("any", variables, part):
            names = {variable.name: fresh(variable.name) for variable in variables}
            new = tuple(attrs.evolve(variable, name=names[variable.name]) for variable in variables)
            return [((*new, *more), parts) for more, parts in _alternatives(substituted(part, names), fresh)]
        case _:
            return [((), (formula,))]
