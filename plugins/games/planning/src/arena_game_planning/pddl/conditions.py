"""Reads conditions, expressions and effects."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

import attrs

from arena_game_planning.pddl.declarations import Hierarchy, Signature, typed_variables
from arena_game_planning.pddl.formulas import (
    And,
    Arithmetic,
    Atom,
    Change,
    Compare,
    Effect,
    Effects,
    Equal,
    Expression,
    Fluent,
    ForEach,
    Formula,
    Not,
    Or,
    Quantified,
    Term,
    Typed,
    Types,
    When,
)
from arena_game_planning.pddl.syntax import Node, fail, group_of, head_of, unknown, word_of

CHANGES: Final = frozenset(("increase", "decrease", "assign", "scale-up", "scale-down"))
SIGNS: Final = frozenset(("<", "<=", "=", ">=", ">"))
UNSUPPORTED: Final[Mapping[str, str]] = {
    "preference": "preferences are not supported",
    "at-start": "durative conditions are not supported",
    "over-all": "durative conditions are not supported",
    "at-end": "durative conditions are not supported",
    "always": "constraints on trajectories are not supported",
    "sometime": "constraints on trajectories are not supported",
    "is-violated": "preferences are not supported",
}
RESERVED: Final = frozenset(("and", "or", "not", "imply", "exists", "forall", "when", "either", *CHANGES))
"""Words that name no predicate, function or type."""

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)")
_DIGITS: Final = 40


@attrs.frozen
class Scope:
    """The names that mean something where a condition stands; ``objects`` maps variables and objects to what they are.

    Outside a problem, the objects are the constants of the domain.
    """

    hierarchy: Hierarchy
    predicates: Mapping[str, Signature]
    functions: Mapping[str, Signature]
    objects: Mapping[str, Types]

    def inside(self, variables: Sequence[Typed]) -> "Scope":
        """The scope in which ``variables`` mean something too; they hide others of the same names."""
        return attrs.evolve(self, objects={**self.objects, **{v.name: v.types for v in variables}})


def read_condition(node: Node, scope: Scope) -> Formula:
    """Read a precondition, a goal or the condition of an effect; ``()`` always holds."""
    group = group_of(node, "a condition")
    if not group:
        return And(())
    head = head_of(group, "a condition")
    match head:
        case "and":
            return And(tuple(read_condition(part, scope) for part in group[1:]))
        case "or":
            return Or(tuple(read_condition(part, scope) for part in group[1:]))
        case "not":
            _count(group, 1)
            return Not(read_condition(group[1], scope))
        case "imply":
            _count(group, 2)
            return Or((Not(read_condition(group[1], scope)), read_condition(group[2], scope)))
        case "exists" | "forall":
            variables, body = _binder(group, scope)
            return Quantified(
                "any" if head == "exists" else "all", variables, read_condition(body, scope.inside(variables))
            )
        case _ if head in SIGNS:
            _count(group, 2)
            return _comparison(group, scope)
        case _:
            return read_atom(group, scope)


def read_effects(node: Node, scope: Scope) -> Effects:
    """Read the effect of an action, with nested conjunctions opened."""
    group = group_of(node, "an effect")
    if not group:
        return ()
    head = head_of(group, "an effect")
    match head:
        case "and":
            return tuple(effect for part in group[1:] for effect in read_effects(part, scope))
        case "not":
            _count(group, 1)
            return (Not(read_atom(group_of(group[1], "a predicate"), scope)),)
        case "when":
            _count(group, 2)
            return (When(read_condition(group[1], scope), read_effects(group[2], scope)),)
        case "forall":
            variables, body = _binder(group, scope)
            return (ForEach(variables, read_effects(body, scope.inside(variables))),)
        case _:
            return (_plain_effect(head, group, scope),)


def read_atom(group: Sequence[Node], scope: Scope) -> Atom:
    """Read a predicate with its terms, which must be as many and of such types as it was declared with."""
    head = word_of(group[0] if group else group, "a predicate")
    if head in UNSUPPORTED:
        fail(group[0], UNSUPPORTED[head])
    signature = scope.predicates.get(head)
    if signature is None:
        unknown(group[0], "predicate", scope.predicates)
    return Atom(signature.name, _terms(group, signature, scope))


def read_expression(node: Node, scope: Scope) -> Expression:
    """Read a number, a function with its terms, or arithmetic of such."""
    if isinstance(node, str):
        if is_number(node):
            return read_number(node)
        return _fluent([node], node, scope)
    group = group_of(node, "a number or a function")
    head = head_of(group, "a number or a function")
    if head in ("+", "-", "*", "/"):
        if len(group) < 2 or (head == "/" and len(group) != 3) or (head == "-" and len(group) > 3):
            fail(node, f"{str(head)!r} with {len(group) - 1} parts")
        return Arithmetic(head, tuple(read_expression(part, scope) for part in group[1:]))  # pyright: ignore[reportArgumentType]  # one of the four
    return _fluent(group, group[0], scope)


def read_fluent(node: Node, scope: Scope) -> Fluent:
    """Read a function with its terms."""
    if isinstance(node, str):
        return _fluent([node], node, scope)
    head_of(node, "a function")
    return _fluent(node, node[0], scope)


def is_number(word: str) -> bool:
    """Whether ``word`` is a number such as ``3``, ``-0.5`` or ``.25``."""
    return _NUMBER.fullmatch(word) is not None


def read_number(node: Node) -> Fraction:
    """Read a number exactly."""
    word = word_of(node, "a number")
    if not is_number(word) or len(word) > _DIGITS:
        fail(node, f"expected a number of at most {_DIGITS} digits, got {word[:_DIGITS]!r}")
    return Fraction(word)


def _plain_effect(head: str, group: Sequence[Node], scope: Scope) -> Effect:
    if head not in CHANGES:
        return read_atom(group, scope)
    _count(group, 2)
    return Change(head, read_fluent(group[1], scope), read_expression(group[2], scope))  # pyright: ignore[reportArgumentType]  # one of CHANGES


def _comparison(group: Sequence[Node], scope: Scope) -> Formula:
    left, right = group[1:]
    if group[0] == "=" and all(isinstance(side, str) and not _is_numeric(side, scope) for side in (left, right)):
        return Equal(_term(left, scope), _term(right, scope))
    return Compare(str(group[0]), read_expression(left, scope), read_expression(right, scope))  # pyright: ignore[reportArgumentType]  # one of SIGNS


def _is_numeric(word: str, scope: Scope) -> bool:
    return word not in scope.objects and (is_number(word) or word in scope.functions)


def _fluent(group: Sequence[Node], node: Node, scope: Scope) -> Fluent:
    name = word_of(node, "a function")
    if name in UNSUPPORTED:
        fail(node, UNSUPPORTED[name])
    signature = scope.functions.get(name)
    if signature is None:
        unknown(node, "function", scope.functions)
    return Fluent(signature.name, _terms(group, signature, scope))


def _terms(group: Sequence[Node], signature: Signature, scope: Scope) -> tuple[Term, ...]:
    if len(group) - 1 != len(signature.types):
        fail(group[0], f"{signature.name!r} has {len(signature.types)} arguments, got {len(group) - 1}")
    terms = tuple(_term(node, scope) for node in group[1:])
    for node, term, types in zip(group[1:], terms, signature.types, strict=True):
        if not scope.hierarchy.may_share(scope.objects[term], types):
            have, want = " or ".join(scope.objects[term]), " or ".join(types)
            fail(node, f"{term!r} is of type {have}, but {signature.name!r} is about {want}")
    return terms


def _term(node: Node, scope: Scope) -> Term:
    word = word_of(node, "a variable or an object")
    if word not in scope.objects:
        is_variable = word[0] == "?"
        unknown(
            node, "variable" if is_variable else "object", [o for o in scope.objects if (o[0] == "?") == is_variable]
        )
    return str(word)


def _binder(group: Sequence[Node], scope: Scope) -> tuple[tuple[Typed, ...], Node]:
    _count(group, 2)
    return typed_variables(group_of(group[1], "variables"), scope.hierarchy.parents), group[2]


def _count(group: Sequence[Node], parts: int) -> None:
    if len(group) - 1 != parts:
        fail(group[0], f"expected {parts} part{'s' * (parts > 1)} after {str(group[0])!r}, got {len(group) - 1}")
