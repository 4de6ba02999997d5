"""Reads problems: objects, the initial state, the goal and the metric."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Final

import attrs

from arena_game_planning.pddl.axioms import with_derived
from arena_game_planning.pddl.conditions import (
    UNSUPPORTED,
    Scope,
    is_number,
    read_condition,
    read_expression,
    read_fluent,
    read_number,
)
from arena_game_planning.pddl.declarations import Domain, Signature
from arena_game_planning.pddl.domain import UNSUPPORTED_SECTIONS, declared_objects, sections
from arena_game_planning.pddl.formulas import (
    And,
    Effects,
    ForEach,
    Formula,
    Not,
    Or,
    Quantified,
    Typed,
    When,
)
from arena_game_planning.pddl.problem import TOTAL_TIME, Metric, Problem
from arena_game_planning.pddl.state import GroundAtom, PlanState
from arena_game_planning.pddl.syntax import Node, fail, group_of, head_of, read_text, unknown, word_of

SECTIONS: Final = (":domain", ":objects", ":init", ":goal", ":metric", ":requirements", ":length")
MAX_INSTANCES: Final = 200_000
"""How many instances the quantifiers of one condition or effect may have, so that every question has an answer soon."""

MAX_DERIVED: Final = 2_000_000
"""How many instances an axiom may have, of which a join meets a small part."""


def read_problem(domain: Domain, text: str, name: str = "problem.pddl") -> Problem:
    """Read a problem of ``domain``; ``PddlError`` says with ``name``, line and column what is wrong with it."""
    return read_text(text, name, lambda node: _problem(domain, node))


def _problem(domain: Domain, node: Node) -> Problem:
    name, parts = sections(node, "problem")
    by_head: dict[str, list[Sequence[Node]]] = {}
    for part in parts:
        head = head_of(part, "a section such as (:init …)")
        if head in UNSUPPORTED_SECTIONS:
            fail(part, UNSUPPORTED_SECTIONS[head])
        if head not in SECTIONS:
            unknown(part[0], "section", SECTIONS)
        by_head.setdefault(head, []).append(part)
    for head in (":domain", ":goal", ":metric"):
        if len(given := by_head.get(head, ())) > 1:
            fail(given[1], f"the section {head!r} is given twice")
    for part in by_head.get(":domain", ()):
        if len(part) > 2 or (len(part) == 2 and word_of(part[1], "the name of a domain") != domain.name):
            fail(part, f"expected (:domain {domain.name})")
    objects = declared_objects(by_head.get(":objects", ()), domain.constants, domain.hierarchy)
    scope = Scope(domain.hierarchy, domain.predicates, domain.functions, objects)
    if ":goal" not in by_head:
        fail(node, "there is no (:goal …)")
    goal = by_head[":goal"][0]
    if len(goal) != 2:
        fail(goal, "expected (:goal CONDITION)")
    formula = read_condition(goal[1], scope)
    problem = Problem(domain, name, objects, _NOWHERE, formula, _metric(by_head.get(":metric", ()), scope))
    problem.initial = _initial(problem, [node for part in by_head.get(":init", ()) for node in part[1:]], scope)
    _refuse_explosions(problem, node)
    problem.initial = with_derived(problem, problem.initial)
    return problem


_NOWHERE: Final = PlanState(frozenset(), {}, frozenset())


def _initial(problem: Problem, nodes: Iterable[Node], scope: Scope) -> PlanState:
    changing = problem.domain.changing
    predicates, functions = (
        {name: [problem.object_sets(types)[1] for types in signature.types] for name, signature in signatures.items()}
        for signatures in (problem.domain.predicates, problem.domain.functions)
    )
    moving: set[GroundAtom] = set()
    fixed: set[GroundAtom] = set()
    numbers: dict[GroundAtom, Fraction] = {}
    for node in nodes:
        # The usual cases first, without a search for what might be wrong: problems have hundreds of these.
        if (atom := _ground(node, predicates)) is not None:
            (moving if atom[0] in changing else fixed).add(atom)
        elif not (
            len(node) == 3
            and node[0] == "="
            and (fluent := _ground(node[1], functions)) is not None
            and fluent not in numbers
            and isinstance(node[2], str)
            and is_number(node[2])
        ):
            _other_fact(problem, node, scope, numbers)
        else:
            numbers[fluent] = read_number(node[2])
    return PlanState(frozenset(moving), numbers, frozenset(fixed))


def _ground(node: Node, allowed: Mapping[str, Sequence[frozenset[str]]]) -> GroundAtom | None:
    """The atom or function that a node is, if there is nothing wrong with it."""
    if isinstance(node, str) or not node or not isinstance(node[0], str) or (sets := allowed.get(node[0])) is None:
        return None
    args = node[1:]
    return tuple(node) if len(sets) == len(args) and all(map(_is_in, args, sets)) else None


def _is_in(node: Node, names: frozenset[str]) -> bool:
    return isinstance(node, str) and node in names


def _other_fact(problem: Problem, node: Node, scope: Scope, numbers: dict[GroundAtom, Fraction]) -> None:
    """Read a fact that is a number or a needless negation, or say what is wrong with it."""
    head = head_of(node, "a fact")
    if head == "=":
        if len(node) != 3:
            fail(node, "expected (= (FUNCTION OBJECT …) NUMBER)")
        fluent = read_fluent(node[1], scope)
        _check_types(problem, node[1][1:] if not isinstance(node[1], str) else (), scope.functions[fluent.name])
        ground = (fluent.name, *fluent.args)
        value = read_number(node[2])
        if numbers.setdefault(ground, value) != value:
            fail(node, f"({' '.join(ground)}) is given two values")
    elif head == "not" and len(node) == 2:
        inner = group_of(node[1], "a predicate")
        _fact(problem, inner, scope)
    elif head == "at" and len(node) == 3 and isinstance(node[1], str) and is_number(node[1]):
        fail(node, "facts that become true at a time are not supported")
    else:
        _fact(problem, node, scope)
        fail(node, "expected a fact")


def _fact(problem: Problem, node: Sequence[Node], scope: Scope) -> None:
    """Refuse what is no fact: an unknown predicate or object, or a wrong number or type of arguments."""
    head = word_of(node[0] if node else node, "a predicate")
    if head in UNSUPPORTED:
        fail(node[0], UNSUPPORTED[head])
    signature = scope.predicates.get(head)
    if signature is None:
        unknown(node[0], "predicate", scope.predicates)
    if len(signature.types) != len(node) - 1:
        fail(node[0], f"{signature.name!r} has {len(signature.types)} arguments, got {len(node) - 1}")
    _check_types(problem, node[1:], signature)


def _check_types(problem: Problem, nodes: Sequence[Node], signature: Signature) -> None:
    for node, types in zip(nodes, signature.types, strict=True):
        name = word_of(node, "an object")
        if name not in problem.objects:
            unknown(node, "object", problem.objects)
        if not problem.is_of(name, types):
            have, want = " and ".join(problem.objects[name]), " or ".join(types)
            fail(node, f"{str(name)!r} is of type {have}, but {signature.name!r} is about {want}")


def _metric(parts: Sequence[Sequence[Node]], scope: Scope) -> Metric | None:
    if not parts:
        return None
    (part,) = parts
    if len(part) != 3 or part[1] not in ("minimize", "maximize"):
        fail(part, "expected (:metric minimize EXPRESSION) or (:metric maximize EXPRESSION)")
    timed = attrs.evolve(scope, functions={**scope.functions, TOTAL_TIME: Signature(TOTAL_TIME, ())})
    return Metric(part[1] == "minimize", read_expression(part[2], timed))


def _refuse_explosions(problem: Problem, node: Node) -> None:
    """Refuse quantifiers over so many objects that one look at a state would take seconds."""
    for action in problem.domain.actions.values():
        if _instances(problem, action.precondition) + _effect_instances(problem, action.effects) > MAX_INSTANCES:
            fail(node, f"the quantifiers of action {action.name!r} have more than {MAX_INSTANCES:,} instances here")
    for axiom in problem.domain.axioms:
        if _combinations(problem, axiom.parameters) * _instances(problem, axiom.body) > MAX_DERIVED:
            fail(node, f"the axiom of {axiom.head.name!r} has more than {MAX_DERIVED:,} instances here")
    if _instances(problem, problem.goal) > MAX_INSTANCES:
        fail(node, f"the quantifiers of the goal have more than {MAX_INSTANCES:,} instances")


def _instances(problem: Problem, formula: Formula) -> int:
    match formula:
        case And(parts) | Or(parts):
            return sum(_instances(problem, part) for part in parts)
        case Not(part):
            return _instances(problem, part)
        case Quantified(_, variables, part):
            return _combinations(problem, variables) * max(1, _instances(problem, part))
        case _:
            return 1


def _effect_instances(problem: Problem, effects: Effects) -> int:
    count = 0
    for effect in effects:
        match effect:
            case ForEach(variables, inner):
                count += _combinations(problem, variables) * max(1, _effect_instances(problem, inner))
            case When(condition, inner):
                count += _instances(problem, condition) + _effect_instances(problem, inner)
            case _:
                count += 1
    return count


def _combinations(problem: Problem, variables: Sequence[Typed]) -> int:
    return prod(len(problem.objects_of(variable.types)) for variable in variables)
