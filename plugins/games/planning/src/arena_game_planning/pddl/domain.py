"""Reads domains: their types, constants, predicates, functions and actions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from arena_game_planning.pddl.conditions import RESERVED, Scope, read_atom, read_condition, read_effects
from arena_game_planning.pddl.declarations import (
    OBJECT,
    Action,
    Axiom,
    Domain,
    Hierarchy,
    Signature,
    typed_names,
    typed_variables,
)
from arena_game_planning.pddl.formulas import And, Types, changed_names
from arena_game_planning.pddl.layers import leans_on_its_negation
from arena_game_planning.pddl.syntax import Node, fail, group_of, head_of, name_of, read_text, unknown, word_of

SECTIONS: Final = (
    ":requirements",
    ":types",
    ":constants",
    ":predicates",
    ":functions",
    ":derived",
    ":axiom",
    ":action",
)
UNSUPPORTED_SECTIONS: Final[Mapping[str, str]] = {
    ":durative-action": "durative actions are not supported",
    ":process": "processes are not supported",
    ":event": "events are not supported",
    ":constraints": "constraints on trajectories are not supported",
}
TOTAL_COST: Final = "total-cost"
"""The function of action costs, which many domains use without declaring it."""


def read_domain(text: str, name: str = "domain.pddl") -> Domain:
    """Read a domain; ``PddlError`` says with ``name``, line and column what is wrong with it or not supported.

    What ``:requirements`` says is not believed: what is used is read, whether or not it was announced.
    """
    return read_text(text, name, _domain)


def sections(node: Node, kind: str) -> tuple[str, Sequence[Sequence[Node]]]:
    """The name and the parts of ``(define (kind name) part …)``."""
    head = head_of(node, f"(define ({kind} …) …)")
    if head != "define" or len(node) < 2:
        fail(node, f"expected (define ({kind} …) …), got ({head} …)")
    titled = group_of(node[1], f"({kind} …)")
    if head_of(titled, f"({kind} …)") != kind or len(titled) != 2:
        fail(titled, f"expected ({kind} NAME)")
    return str(name_of(titled[1], f"the name of the {kind}")), [group_of(part, "a section") for part in node[2:]]


def _domain(node: Node) -> Domain:
    name, parts = sections(node, "domain")
    for part in parts:
        head = head_of(part, "a section such as (:action …)")
        if head in UNSUPPORTED_SECTIONS:
            fail(part, UNSUPPORTED_SECTIONS[head])
        if head not in SECTIONS:
            unknown(part[0], "section", SECTIONS)
    hierarchy = _hierarchy([node for part in parts if part[0] == ":types" for node in part[1:]])
    constants = declared_objects([part for part in parts if part[0] == ":constants"], {}, hierarchy)
    predicates = _signatures(_predicates(parts), hierarchy, "predicate")
    functions = _signatures(_functions(parts), hierarchy, "function")
    functions.setdefault(TOTAL_COST, Signature(TOTAL_COST, ()))
    scope = Scope(hierarchy, predicates, functions, constants)
    actions: dict[str, Action] = {}
    derived = [(part, _axiom(part, scope)) for part in parts if part[0] in (":derived", ":axiom")]
    axioms = tuple(axiom for _, axiom in derived)
    for part, axiom in derived:
        if leans_on_its_negation(axiom.head.name, axioms):
            fail(part, f"the derived predicate {axiom.head.name!r} depends on its own negation")
    for part in parts:
        if part[0] == ":action":
            action = _action(part, scope)
            if action.name in actions:
                fail(part[1], f"the action {action.name!r} is declared twice")
            for changed in changed_names(action.effects):
                if any(axiom.head.name == changed for axiom in axioms):
                    fail(part[1], f"the action {action.name!r} changes {changed!r}, which is derived")
            actions[action.name] = action
    return Domain(name, hierarchy, constants, predicates, functions, actions, axioms)


def declared_objects(
    parts: Iterable[Sequence[Node]], known: Mapping[str, Types], hierarchy: Hierarchy
) -> dict[str, Types]:
    """The objects ``known`` and those that sections declare; one declared twice is all that it is said to be."""
    objects = dict(known)
    for part in parts:
        for name, types in typed_names(part[1:], "the name of an object", hierarchy.parents):
            before = objects.get(name)
            objects[str(name)] = types if before is None else tuple(dict.fromkeys((*before, *types)))
    return objects


def _hierarchy(nodes: Sequence[Node]) -> Hierarchy:
    declared = typed_names(nodes, "the name of a type", None)
    parents: dict[str, set[str]] = {OBJECT: set()}
    for name, above in declared:
        if name in RESERVED:
            fail(name, f"{str(name)!r} cannot be the name of a type")
        parents.setdefault(str(name), set()).update(map(str, above))
        for parent in above:
            parents.setdefault(str(parent), set())
    return Hierarchy({name: frozenset(above) for name, above in parents.items()})


def _predicates(parts: Sequence[Sequence[Node]]) -> Iterable[Node]:
    return [node for part in parts if part[0] == ":predicates" for node in part[1:]]


def _functions(parts: Sequence[Sequence[Node]]) -> Iterable[Node]:
    for part in parts:
        if part[0] != ":functions":
            continue
        rest = iter(part[1:])
        for node in rest:
            if node != "-":
                yield node
            elif (result := next(rest, None)) != "number":
                fail(node, f"functions are numbers; those with a value of type {result!s} are not supported")


def _signatures(nodes: Iterable[Node], hierarchy: Hierarchy, what: str) -> dict[str, Signature]:
    found: dict[str, Signature] = {}
    for node in nodes:
        group = group_of(node, f"a {what}")
        head_of(group, f"a {what}")
        name = str(name_of(group[0], f"the name of a {what}"))
        if name in RESERVED:
            fail(group[0], f"{name!r} cannot be the name of a {what}")
        # What the arguments are called means nothing, so that (link ?x ?x) has two.
        signature = Signature(
            name, tuple(types for _, types in typed_names(group[1:], "a variable", hierarchy.parents))
        )
        if found.setdefault(name, signature) != signature:
            fail(group[0], f"the {what} {name!r} is declared twice, with different arguments")
    return found


def _action(part: Sequence[Node], scope: Scope) -> Action:
    if len(part) < 2:
        fail(part, "expected the name of an action")
    name = str(name_of(part[1], "the name of an action"))
    if len(part) % 2:
        fail(part[-1], "expected :parameters, :precondition or :effect, each followed by one expression")
    fields: dict[str, Node] = {}
    for key, value in zip(part[2::2], part[3::2], strict=True):
        word = word_of(key, ":parameters, :precondition or :effect")
        if word not in (":parameters", ":precondition", ":effect"):
            unknown(key, f"part of action {name!r}", (":parameters", ":precondition", ":effect"))
        if word in fields:
            fail(key, f"{str(word)!r} is given twice")
        fields[word] = value
    given = group_of(fields.get(":parameters", []), "parameters")
    parameters = typed_variables(given, scope.hierarchy.parents)
    inside = scope.inside(parameters)
    condition = fields.get(":precondition")
    effects = fields.get(":effect")
    return Action(
        name,
        parameters,
        And(()) if condition is None else read_condition(condition, inside),
        () if effects is None else read_effects(effects, inside),
    )


def _axiom(part: Sequence[Node], scope: Scope) -> Axiom:
    """Read ``(:derived (p ?x - t) BODY)``, or ``(:axiom :vars (?x - t) :context BODY :implies (p ?x))``."""
    if part[0] == ":axiom":
        fields = dict(zip(map(str, part[1::2]), part[2::2], strict=False))
        if len(part) % 2 == 0 or not {":context", ":implies"} <= fields.keys() <= {":vars", ":context", ":implies"}:
            fail(part, "expected (:axiom :vars (…) :context CONDITION :implies (PREDICATE …))")
        variables = typed_variables(group_of(fields.get(":vars", []), "variables"), scope.hierarchy.parents)
        head = read_atom(group_of(fields[":implies"], "a predicate"), scope.inside(variables))
        return Axiom(head, variables, read_condition(fields[":context"], scope.inside(variables)))
    if len(part) != 3:
        fail(part, "expected (:derived (PREDICATE …) CONDITION)")
    given = group_of(part[1], "a predicate")
    head_of(given, "a predicate")
    variables = typed_variables(given[1:], scope.hierarchy.parents)
    signature = scope.predicates.get(given[0])
    if signature is not None and len(signature.types) == len(variables):
        variables = tuple(
            attrs.evolve(variable, types=types) if variable.types == (OBJECT,) else variable
            for variable, types in zip(variables, signature.types, strict=True)
        )
    inside = scope.inside(variables)
    head = read_atom([given[0], *(variable.name for variable in variables)], inside)
    return Axiom(head, variables, read_condition(part[2], inside))
