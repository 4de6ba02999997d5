"""What a domain declares: types, predicates, functions, actions; and the lists of typed names that declare them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

import attrs

from arena_game_planning.pddl.formulas import Atom, Effects, Formula, Typed, Types, changed_names
from arena_game_planning.pddl.syntax import Node, fail, name_of, unknown, word_of

OBJECT: Final = "object"
"""The type that every object has."""


@attrs.frozen
class Hierarchy:
    """Which types there are, and of which others each is a special case; a type may be declared as its own parent."""

    parents: Mapping[str, frozenset[str]]

    @cached_property
    def ancestors(self) -> Mapping[str, frozenset[str]]:
        """Each type with all types that its objects have, itself and ``object`` included."""
        return {name: self._above(name) for name in self.parents}

    @cached_property
    def descendants(self) -> Mapping[str, frozenset[str]]:
        """Each type with all types whose objects it has."""
        found: dict[str, set[str]] = {name: set() for name in self.parents}
        for name, above in self.ancestors.items():
            for ancestor in above:
                found[ancestor].add(name)
        return {name: frozenset(below) for name, below in found.items()}

    def may_share(self, some: Types, others: Types) -> bool:
        """Whether an object can be one of ``some`` and one of ``others``."""
        below = frozenset[str]().union(*(self.descendants[name] for name in some))
        return any(self.descendants[name] & below for name in others)

    def _above(self, name: str) -> frozenset[str]:
        found, waiting = {name, OBJECT}, [name]
        while waiting:  # a type may lead back to itself, so what was found is not followed again
            for parent in self.parents[waiting.pop()]:
                if parent not in found:
                    found.add(parent)
                    waiting.append(parent)
        return frozenset(found)


@attrs.frozen
class Signature:
    """A predicate or function: its name, and what each of its arguments may be."""

    name: str
    types: tuple[Types, ...]


@attrs.frozen(eq=False)
class Action:
    """What can be done: parameters, the condition under which it can be done, and what it changes."""

    name: str
    parameters: tuple[Typed, ...]
    precondition: Formula
    effects: Effects


@attrs.frozen(eq=False)
class Axiom:
    """A derived predicate: ``head`` holds for all values of its variables, ``parameters``, for which ``body`` does."""

    head: Atom
    parameters: tuple[Typed, ...]
    body: Formula


@attrs.frozen(eq=False)
class Domain:
    """A domain as it was read; ``constants`` maps each constant to what it is."""

    name: str
    hierarchy: Hierarchy
    constants: Mapping[str, Types]
    predicates: Mapping[str, Signature]
    functions: Mapping[str, Signature]
    actions: Mapping[str, Action]
    axioms: tuple[Axiom, ...] = ()

    @cached_property
    def changing(self) -> frozenset[str]:
        """The predicates and functions that some action changes, and derived ones; what the others say is fixed."""
        return self.derived.union(name for action in self.actions.values() for name in changed_names(action.effects))

    @cached_property
    def derived(self) -> frozenset[str]:
        """The predicates that hold because axioms say so, and that no action changes."""
        return frozenset(axiom.head.name for axiom in self.axioms)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All names that conditions and effects of actions can mention besides their variables."""
        return tuple(dict.fromkeys((*self.predicates, *self.functions, *self.actions, *self.constants)))

    @cached_property
    def compiled(self) -> dict[str, Any]:
        """What was worked out once for all problems of this domain; filled by the simulator."""
        return {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle what was read, without the functions that were made of it."""
        return Domain, tuple(getattr(self, field.name) for field in attrs.fields(Domain))


def typed_names(nodes: Sequence[Node], what: str, known: Iterable[str] | None) -> list[tuple[str, Types]]:
    """Read ``a b - t c - (either t u) d``, where ``what`` says what is named.

    ``known`` are the types that exist; ``None`` if they are being declared here. Names without a type are objects, and
    a type without names, as in ``(:objects - t)``, declares nothing.
    """
    found: list[tuple[str, Types]] = []
    untyped: list[str] = []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        if node == "-":
            if at + 1 == len(nodes):
                fail(node, "expected a type after '-'")
            types = _types(nodes[at + 1], known)
            found.extend((name, types) for name in untyped)
            untyped = []
            at += 2
        else:
            untyped.append(_variable(node) if what == "a variable" else name_of(node, what))
            at += 1
    return [*found, *((name, (OBJECT,)) for name in untyped)]


def typed_variables(nodes: Sequence[Node], known: Iterable[str]) -> tuple[Typed, ...]:
    """Read the variables of an action, a quantifier or a signature; no two may have one name."""
    variables = tuple(Typed(name, types) for name, types in typed_names(nodes, "a variable", known))
    seen: set[str] = set()
    for variable in variables:
        if variable.name in seen:
            fail(variable.name, f"the variable {variable.name!r} is declared twice")
        seen.add(variable.name)
    return variables


def _variable(node: Node) -> str:
    word = word_of(node, "a variable")
    if word[0] != "?" or len(word) == 1:
        fail(node, f"expected a variable such as ?x, got {word!r}")
    return word


def _types(node: Node, known: Iterable[str] | None) -> Types:
    if isinstance(node, str):
        return (_type(node, known),)
    if len(node) < 2 or node[0] != "either":
        fail(node, "expected a type, or (either …) with several")
    return tuple(dict.fromkeys(_type(part, known) for part in node[1:]))


def _type(node: Node, known: Iterable[str] | None) -> str:
    name = name_of(node, "a type")
    if known is not None and name not in known:
        unknown(node, "type", known)
    return name
