"""Turns conditions, expressions and effects into functions, so that looking at a state takes microseconds.

A condition is asked with a *binding*: a tuple that holds all names of the domain and the values of the variables, in
places that are known beforehand. An atom is then picked out of the binding by one ``itemgetter``, without a loop.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import product
from operator import add, eq, ge, gt, itemgetter, le, lt, mul, neg, sub
from typing import Any, Final, TypeAlias

import attrs

from arena_game_planning.pddl.formulas import (
    And,
    Arithmetic,
    Atom,
    Compare,
    Equal,
    Expression,
    Fluent,
    Formula,
    Not,
    Or,
    Quantified,
    Typed,
)
from arena_game_planning.pddl.problem import Problem
from arena_game_planning.pddl.state import GroundAtom, PlanState

Binding: TypeAlias = tuple[str, ...]
Test: TypeAlias = Callable[[Problem, PlanState, Binding], bool]
Value: TypeAlias = Callable[[PlanState, Binding], Fraction]
Pick: TypeAlias = Callable[[Binding], GroundAtom]

MAX_BITS: Final = 4_096
"""The size of the largest number that is computed; scaling a number up by itself doubles its digits each time."""

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], bool]]] = {"<": lt, "<=": le, "=": eq, ">=": ge, ">": gt}


class Undefined(Exception):
    """A number that has no value: a function that was given none, a quotient by zero, or one of too many digits."""


@attrs.frozen
class Places:
    """Where in a binding each name and each variable stands; ``size`` is how long the binding is."""

    of: Mapping[str, int]
    size: int
    changing: frozenset[str]
    """The predicates that some action changes, which are looked up in another set than those that are fixed."""

    def with_variables(self, names: Sequence[str]) -> "Places":
        """The places in a binding that is longer by the values of ``names``."""
        more = {name: self.size + i for i, name in enumerate(names)}
        return attrs.evolve(self, of={**self.of, **more}, size=self.size + len(names))

    def pick(self, name: str, args: Sequence[str]) -> Pick:
        """The function that takes an atom out of a binding."""
        places = [self.of[name], *(self.of[arg] for arg in args)]
        return picker(places)


def picker(places: Sequence[int]) -> Pick:
    """The function that makes a tuple of what stands at ``places``, be it one thing or several."""
    if len(places) == 1:
        return itemgetter(slice(places[0], places[0] + 1))
    return itemgetter(*places)


def compile_test(formula: Formula, places: Places) -> Test:
    """The function that says whether ``formula`` holds; it raises ``Undefined`` where a number has no value."""
    match formula:
        case Atom(name, args):
            return _atom_test(places.pick(name, args), name in places.changing)
        case Equal(left, right):
            a, b = places.of[left], places.of[right]
            return lambda problem, state, binding: binding[a] == binding[b]
        case Compare(sign, left, right):
            compare, first, second = _COMPARISONS[sign], compile_value(left, places), compile_value(right, places)
            return lambda problem, state, binding: compare(first(state, binding), second(state, binding))
        case Not(part):
            test = compile_test(part, places)
            return lambda problem, state, binding: not test(problem, state, binding)
        case And(parts):
            tests = [compile_test(part, places) for part in parts]
            return lambda problem, state, binding: all(test(problem, state, binding) for test in tests)
        case Or(parts):
            tests = [compile_test(part, places) for part in parts]
            return lambda problem, state, binding: any(test(problem, state, binding) for test in tests)
        case Quantified(kind, variables, part):
            test = compile_test(part, places.with_variables([variable.name for variable in variables]))
            every = all if kind == "all" else any
            return lambda problem, state, binding: every(
                test(problem, state, binding + values) for values in combinations(problem, variables)
            )


def compile_value(expression: Expression, places: Places) -> Value:
    """The function that computes ``expression``; it raises ``Undefined`` where that has no value."""
    match expression:
        case Fluent(name, args):
            return _fluent_value(places.pick(name, args))
        case Arithmetic(sign, parts):
            return _arithmetic([compile_value(part, places) for part in parts], sign)
        case _:
            number = expression
            return lambda state, binding: number


def combinations(problem: Problem, variables: Sequence[Typed]) -> Iterator[tuple[str, ...]]:
    """All values that variables can have together."""
    return product(*(problem.objects_of(variable.types) for variable in variables))


def limited(value: Fraction) -> Fraction:
    """The number itself; ``Undefined`` if it has too many digits to go on with."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise Undefined("a number grows beyond all measure")
    return value


def quotient(value: Fraction, by: Fraction) -> Fraction:
    """The quotient of two numbers; ``Undefined`` if it is one by zero."""
    if not by:
        raise Undefined("a number is divided by zero")
    return value / by


def _atom_test(pick: Pick, is_changing: bool) -> Test:
    if is_changing:
        return lambda problem, state, binding: pick(binding) in state.changing
    return lambda problem, state, binding: pick(binding) in state.fixed


def _fluent_value(pick: Pick) -> Value:
    def value(state: PlanState, binding: Binding) -> Fraction:
        ground = pick(binding)
        found = state.numbers.get(ground)
        if found is None:
            raise Undefined(f"({' '.join(ground)}) has no value")
        return found

    return value


def _arithmetic(parts: Sequence[Value], sign: str) -> Value:
    operation: Callable[[Any, Any], Any] = {"+": add, "-": sub, "*": mul, "/": quotient}[sign]
    if len(parts) == 1:
        (only,) = parts
        return (lambda state, binding: neg(only(state, binding))) if sign == "-" else only
    return lambda state, binding: limited(reduce(operation, (part(state, binding) for part in parts)))
