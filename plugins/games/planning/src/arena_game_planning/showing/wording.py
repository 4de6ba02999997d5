"""Describes a task in English, from the same data that PDDL is read into."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from arena_game_planning.pddl import Action, Domain, GroundAtom, Problem, number_text, read_domain, read_problem
from arena_game_planning.pddl.declarations import Axiom
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
    Typed,
    Types,
    When,
    conjuncts,
)

_COMPARISONS = {"<": "is less than", "<=": "is at most", "=": "equals", ">=": "is at least", ">": "is more than"}
_SIGNS = {"+": " plus ", "-": " minus ", "*": " times ", "/": " divided by "}
_CHANGES = {
    "increase": "{} grows by {}",
    "decrease": "{} shrinks by {}",
    "assign": "{} becomes {}",
    "scale-up": "{} is multiplied by {}",
    "scale-down": "{} is divided by {}",
}


@lru_cache(maxsize=64)
def describe_task(domain_text: str, problem_text: str) -> str:
    """What may be done, what there is, what is true and what is wanted, in English."""
    domain = read_domain(domain_text)
    problem = read_problem(domain, problem_text)
    lines = ["What may be done:"]
    for action in domain.actions.values():
        lines += ["", *_action(domain, action)]
    if domain.axioms:
        lines += ["", "What follows by itself:", *map(_axiom, domain.axioms)]
    lines += ["", "What there is:", *_objects(problem)]
    lines += ["", "What is true at the start:", *state_lines(problem.initial.atoms, problem.initial.numbers.items())]
    lines += ["", "What is to be true at the end:", *(f"- {goal}" for goal in goal_lines(problem))]
    if problem.metric is not None:
        aim = "small" if problem.metric.is_minimized else "large"
        lines += ["", f"What is best kept {aim}: {_expression(problem.metric.expression)}"]
    return "\n".join(lines)


def goal_lines(problem: Problem) -> list[str]:
    """What is to be true at the end, one line for each condition."""
    return [_condition(part) for part in conjuncts(problem.goal)]


def state_lines(atoms: Iterable[GroundAtom], numbers: Iterable[tuple[GroundAtom, object]]) -> list[str]:
    """The facts of a state as lines of a list: one line for each predicate, then the numbers."""
    by_name: dict[str, list[str]] = {}
    for name, *args in sorted(atoms):
        by_name.setdefault(name, []).append(" ".join(args))
    lines = [f"- {name}: {', '.join(rows)}" if any(rows) else f"- {name}" for name, rows in by_name.items()]
    return [*lines, *(f"- {' '.join(fluent)} is {_number(value)}" for fluent, value in sorted(numbers))]  # pyright: ignore[reportArgumentType]


def _action(domain: Domain, action: Action) -> Iterator[str]:
    parameters = ", ".join(_typed(parameter) for parameter in action.parameters)
    yield f"{action.name}{f' with {parameters}' if parameters else ', of nothing'}"
    conditions = [_condition(part) for part in conjuncts(action.precondition)]
    yield f"  can be done if: {'; '.join(conditions)}" if conditions else "  can always be done"
    yield f"  then: {'; '.join(_effects(action.effects)) or 'nothing changes'}"


def _axiom(axiom: Axiom) -> str:
    named = ", ".join(_typed(parameter) for parameter in axiom.parameters)
    return f"- {_condition(axiom.head)}{f' for all {named}' if named else ''}, if: {_condition(axiom.body)}"


def _objects(problem: Problem) -> Iterator[str]:
    by_type: dict[Types, list[str]] = {}
    for name, types in problem.objects.items():
        by_type.setdefault(types, []).append(name)
    for types, names in by_type.items():
        yield f"- {' and '.join(types)}: {', '.join(names)}"


def _condition(formula: Formula) -> str:
    match formula:
        case Atom(name, args):
            return " ".join((name, *map(_term, args)))
        case Equal(left, right):
            return f"{_term(left)} is the same as {_term(right)}"
        case Compare(sign, left, right):
            return f"{_expression(left)} {_COMPARISONS[sign]} {_expression(right)}"
        case Not(Equal(left, right)):
            return f"{_term(left)} is not {_term(right)}"
        case Not(part):
            return f"not ({_condition(part)})"
        case And(parts):
            return " and ".join(f"({_condition(part)})" for part in parts) or "whatever is true"
        case Or(parts):
            return " or ".join(f"({_condition(part)})" for part in parts) or "never"
        case Quantified(kind, variables, part):
            names = ", ".join(map(_typed, variables))
            return f"for {'all' if kind == 'all' else 'some'} {names}: ({_condition(part)})"


def _effects(effects: Effects) -> list[str]:
    return [_effect(effect) for effect in effects]


def _effect(effect: Effect) -> str:
    match effect:
        case Atom(name, args):
            return " ".join((name, *map(_term, args)))
        case Not(part):
            return f"no longer {_condition(part)}"
        case Change(kind, fluent, by):
            return _CHANGES[kind].format(_expression(fluent), _expression(by))
        case When(condition, inner):
            return f"where {_condition(condition)} was true before: ({'; '.join(_effects(inner))})"
        case ForEach(variables, inner):
            return f"for all {', '.join(map(_typed, variables))}: ({'; '.join(_effects(inner))})"


def _expression(expression: Expression) -> str:
    match expression:
        case Fluent(name, args):
            return " ".join((name, *map(_term, args)))
        case Arithmetic("-", (only,)):
            return f"minus {_expression(only)}"
        case Arithmetic(sign, parts):
            return f"({_SIGNS[sign].join(map(_expression, parts))})"
        case _:
            return number_text(expression)


def _number(value: object) -> str:
    return value if isinstance(value, str) else number_text(value)  # pyright: ignore[reportArgumentType]


def _term(term: str) -> str:
    return term.removeprefix("?").upper() if term[0] == "?" else term


def _typed(variable: Typed) -> str:
    return f"{_term(variable.name)} ({' or '.join(variable.types)})"
