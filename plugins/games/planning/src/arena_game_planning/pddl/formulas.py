"""Conditions, expressions and effects of PDDL as values."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, TypeAlias

import attrs

Types: TypeAlias = tuple[str, ...]
"""What something may be: one type, or several for ``(either …)``."""

Term: TypeAlias = str
"""A variable (``?x``) or the name of an object."""


@attrs.frozen
class Typed:
    """A parameter or quantified variable, and what its values may be."""

    name: str
    types: Types


@attrs.frozen
class Atom:
    """A predicate of some terms; also the effect that makes it true."""

    name: str
    args: tuple[Term, ...]


@attrs.frozen
class Equal:
    """Whether two terms are the same object."""

    left: Term
    right: Term


@attrs.frozen
class Compare:
    """Whether two numbers compare so."""

    sign: Literal["<", "<=", "=", ">=", ">"]
    left: "Expression"
    right: "Expression"


@attrs.frozen
class Not:
    """True where its part is not; as an effect, it makes an atom false."""

    part: "Formula"


@attrs.frozen
class And:
    """True where all its parts are; the empty one always is."""

    parts: tuple["Formula", ...]


@attrs.frozen
class Or:
    """True where one of its parts is; the empty one never is."""

    parts: tuple["Formula", ...]


@attrs.frozen
class Quantified:
    """True where the part is for ``all`` values of the variables, or for one (``any``)."""

    kind: Literal["all", "any"]
    variables: tuple[Typed, ...]
    part: "Formula"


Formula: TypeAlias = Atom | Equal | Compare | Not | And | Or | Quantified


@attrs.frozen
class Fluent:
    """The number that a function has for some terms."""

    name: str
    args: tuple[Term, ...]


@attrs.frozen
class Arithmetic:
    """A sum, difference, product or quotient of its parts; a difference of one part is its negation."""

    sign: Literal["+", "-", "*", "/"]
    parts: tuple["Expression", ...]


Expression: TypeAlias = Fraction | Fluent | Arithmetic


@attrs.frozen
class Change:
    """The effect that a number is increased, decreased, assigned, scaled up or scaled down by an expression."""

    kind: Literal["increase", "decrease", "assign", "scale-up", "scale-down"]
    fluent: Fluent
    by: Expression


@attrs.frozen
class When:
    """Effects that happen where a condition holds before the action."""

    condition: Formula
    effects: "Effects"


@attrs.frozen
class ForEach:
    """Effects that happen for all values of the variables."""

    variables: tuple[Typed, ...]
    effects: "Effects"


Effect: TypeAlias = Atom | Not | Change | When | ForEach
Effects: TypeAlias = tuple[Effect, ...]


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """The conditions that all must hold for ``formula`` to hold, with nested conjunctions opened."""
    if isinstance(formula, And):
        for part in formula.parts:
            yield from conjuncts(part)
    else:
        yield formula


def free_variables(formula: Formula | Expression) -> frozenset[str]:
    """The variables in a formula or expression that no quantifier in it binds."""
    match formula:
        case Atom(_, args) | Fluent(_, args):
            return frozenset(arg for arg in args if arg[0] == "?")
        case Equal(left, right):
            return frozenset(arg for arg in (left, right) if arg[0] == "?")
        case Compare(_, left, right):
            return free_variables(left) | free_variables(right)
        case Not(part):
            return free_variables(part)
        case And(parts) | Or(parts) | Arithmetic(_, parts):
            return frozenset[str]().union(*map(free_variables, parts))
        case Quantified(_, variables, part):
            return free_variables(part) - {variable.name for variable in variables}
        case Fraction():
            return frozenset()


def substituted(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The formula with other names for variables that no quantifier in it binds."""
    match formula:
        case Atom(name, args):
            return Atom(name, tuple(names.get(arg, arg) for arg in args))
        case Equal(left, right):
            return Equal(names.get(left, left), names.get(right, right))
        case Compare(sign, left, right):
            return Compare(sign, _substituted(left, names), _substituted(right, names))
        case Not(part):
            return Not(substituted(part, names))
        case And(parts):
            return And(tuple(substituted(part, names) for part in parts))
        case Or(parts):
            return Or(tuple(substituted(part, names) for part in parts))
        case Quantified(kind, variables, part):
            bound = {variable.name for variable in variables}
            return Quantified(
                kind, variables, substituted(part, {old: new for old, new in names.items() if old not in bound})
            )


def _substituted(expression: Expression, names: Mapping[str, str]) -> Expression:
    match expression:
        case Fluent(name, args):
            return Fluent(name, tuple(names.get(arg, arg) for arg in args))
        case Arithmetic(sign, parts):
            return Arithmetic(sign, tuple(_substituted(part, names) for part in parts))
        case _:
            return expression


def changed_names(effects: Effects) -> Iterator[str]:
    """The names of predicates and functions that effects may change."""
    for effect in effects:
        match effect:
            case Atom(name, _) | Not(Atom(name, _)) | Change(_, Fluent(name, _), _):
                yield name
            case When(_, inner) | ForEach(_, inner):
                yield from changed_names(inner)
            case _:
                pass
