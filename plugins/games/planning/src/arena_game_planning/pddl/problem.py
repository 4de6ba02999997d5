"""Problems: objects, the initial state, the goal, and what a plan costs; and how they are read."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any, Final

import attrs

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
    Expression,
    ForEach,
    Formula,
    Not,
    Or,
    Quantified,
    Typed,
    Types,
    When,
)
from arena_game_planning.pddl.state import GroundAtom, PlanState
from arena_game_planning.pddl.syntax import Node, fail, group_of, head_of, read_text, unknown, word_of

SECTIONS: Final = (":domain", ":objects", ":init", ":goal", ":metric", ":requirements")
MAX_INSTANCES: Final = 200_000
"""How many instances the quantifiers of one condition or effect may have, so that every question has an answer soon."""


@attrs.frozen
class Metric:
    """What a plan costs: the value of an expression at its end, which is to be small or large."""

    is_minimized: bool
    expression: Expression


@attrs.define(eq=False)
class Problem:
    """A problem as it was read, with its domain; ``objects`` maps each object, constants included, to what it is."""

    domain: Domain
    name: str
    objects: Mapping[str, Types]
    initial: PlanState
    goal: Formula
    metric: Metric | None
    compiled: dict[Any, Any] = attrs.field(factory=dict[Any, Any], repr=False)
    """What was worked out once for this problem; filled by the simulator."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was read, without the functions that were made of it."""
        return Problem, (self.domain, self.name, self.objects, self.initial, self.goal, self.metric)

    def objects_of(self, types: Types) -> tuple[str, ...]:
        """The objects that are of one of ``types``, in the order of their declaration."""
        return self.object_sets(types)[0]

    def is_of(self, name: str, types: Types) -> bool:
        """Whether the object ``name`` is of one of ``types``."""
        return name in self.object_sets(types)[1]

    def object_sets(self, types: Types) -> tuple[tuple[str, ...], frozenset[str]]:
        """The objects that are of one of ``types``, in order and as a set."""
        if (found := self.compiled.get(types)) is None:
            found = self.compiled[types] = _objects_of(self.domain, self.objects, types)
        return found


def read_problem(domain: Domain, text: str, name: str = "problem.pddl") -> Problem:
    """Read a problem of ``domain``; ``PddlError`` says with ``name``, line and column what is wrong with it."""
    return read_text(text, name, lambda node: _problem(domain, node))


def _objects_of(domain: Domain, objects: Mapping[str, Types], types: Types) -> tuple[tuple[str, ...], frozenset[str]]:
    below = frozenset[str]().union(*(domain.hierarchy.descendants[name] for name in types))
    found = tuple(name for name, own in objects.items() if not below.isdisjoint(own))
    return found, frozenset(found)


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
        if len(part) != 2 or word_of(part[1], "the name of a domain") != domain.name:
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


TOTAL_TIME: Final = "total-time"
"""The number of steps of a plan, in metrics."""


def _refuse_explosions(problem: Problem, node: Node) -> None:
    """Refuse quantifiers over so many objects that one look at a state would take seconds."""
    for action in problem.domain.actions.values():
        if _instances(problem, action.precondition) + _effect_instances(problem, action.effects) > MAX_INSTANCES:
            fail(node, f"the quantifiers of action {action.name!r} have more than {MAX_INSTANCES:,} instances here")
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
