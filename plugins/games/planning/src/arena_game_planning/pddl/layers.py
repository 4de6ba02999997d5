"""The order in which derived predicates are worked out: each after those that it depends on."""

from collections.abc import Iterator, Mapping, Sequence

from arena_game_planning.pddl.declarations import Axiom
from arena_game_planning.pddl.formulas import And, Atom, Formula, Not, Or, Quantified


def layers(axioms: Sequence[Axiom]) -> list[list[Axiom]]:
    """The axioms in groups whose predicates depend on each other, every group after those on which it depends."""
    below = _below(axioms)
    groups: dict[frozenset[str], list[Axiom]] = {}
    for axiom in axioms:
        groups.setdefault(below[axiom.head.name] | {axiom.head.name}, []).append(axiom)
    return [groups[names] for names in sorted(groups, key=lambda names: (len(names), sorted(names)))]


def leans_on_its_negation(name: str, axioms: Sequence[Axiom]) -> bool:
    """Whether a predicate is true because it is false, so that no state can be worked out."""
    below = _below(axioms)
    circle = {name, *(used for used in below[name] if name in below[used])}
    return any(
        used in circle and not is_positive
        for axiom in axioms
        if axiom.head.name in circle
        for used, is_positive in _mentioned(axiom.body)
    )


def is_recursive(group: Sequence[Axiom]) -> bool:
    """Whether the predicates of a group depend on themselves, so that they are worked out until nothing is added."""
    heads = {axiom.head.name for axiom in group}
    return any(used in heads for axiom in group for used, _ in _mentioned(axiom.body))


def _below(axioms: Sequence[Axiom]) -> Mapping[str, frozenset[str]]:
    """Each derived predicate with the derived ones on which it depends, in however many steps."""
    direct: dict[str, set[str]] = {axiom.head.name: set() for axiom in axioms}
    for axiom in axioms:
        direct[axiom.head.name].update(used for used, _ in _mentioned(axiom.body) if used in direct)
    found: dict[str, frozenset[str]] = {}
    for name in direct:
        seen, waiting = set[str](), list(direct[name])
        while waiting:
            if (used := waiting.pop()) not in seen:
                seen.add(used)
                waiting.extend(direct[used])
        found[name] = frozenset(seen)
    return found


def _mentioned(formula: Formula, is_positive: bool = True) -> Iterator[tuple[str, bool]]:
    """The predicates in a formula, and whether each stands there without a negation around it."""
    match formula:
        case Atom(name, _):
            yield name, is_positive
        case Not(part):
            yield from _mentioned(part, not is_positive)
        case And(parts) | Or(parts):
            for part in parts:
                yield from _mentioned(part, is_positive)
        case Quantified(_, _, part):
            yield from _mentioned(part, is_positive)
        case _:
            pass
