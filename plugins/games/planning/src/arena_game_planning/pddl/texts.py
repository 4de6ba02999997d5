"""Writes conditions and atoms of a moment as PDDL, with objects in the place of variables."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

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

_LISTED: Final = 4
_LONGEST: Final = 200


def formula_text(formula: Formula | Expression, values: Mapping[str, str]) -> str:
    """The condition or expression as PDDL; ``values`` are the objects that stand for its variables."""
    match formula:
        case Atom(name, args) | Fluent(name, args):
            return _list(name, (values.get(arg, arg) for arg in args))
        case Equal(left, right):
            return _list("=", (values.get(left, left), values.get(right, right)))
        case Compare(sign, left, right):
            return _list(sign, (formula_text(left, values), formula_text(right, values)))
        case Not(part):
            return _list("not", (formula_text(part, values),))
        case And(parts):
            return _list("and", (formula_text(part, values) for part in parts))
        case Or(parts):
            return _list("or", (formula_text(part, values) for part in parts))
        case Arithmetic(sign, parts):
            return _list(sign, (formula_text(part, values) for part in parts))
        case Quantified(kind, variables, part):
            inner = {name: value for name, value in values.items() if name not in {v.name for v in variables}}
            word = "forall" if kind == "all" else "exists"
            return _list(word, (f"({_variables(variables)})", formula_text(part, inner)))
        case _:
            return number_text(formula)


def number_text(number: Fraction) -> str:
    """A number as PDDL writes it where it can, else as a fraction: ``3``, ``0.5``, ``1/3``."""
    if number.denominator == 1:
        return str(number.numerator)
    decimal = float(number)
    return str(decimal) if Fraction(str(decimal)) == number else str(number)


def atom_text(atom: Iterable[str]) -> str:
    """An atom or action as PDDL: ``(on a b)``."""
    return f"({' '.join(atom)})"


def listed(texts: Sequence[str]) -> str:
    """Some texts in one sentence, the first ones only if they are many."""
    shown = [text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …" for text in texts[:_LISTED]]
    if len(texts) > _LISTED:
        shown.append(f"{len(texts) - _LISTED} more")
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _list(head: str, parts: Iterable[Any]) -> str:
    return f"({' '.join((head, *parts))})"


def _variables(variables: Sequence[Typed]) -> str:
    return " ".join(f"{v.name} - {v.types[0] if len(v.types) == 1 else _list('either', v.types)}" for v in variables)
