"""States: what is true and which numbers there are at one moment of a plan."""

from collections.abc import Mapping
from fractions import Fraction
from typing import TypeAlias

import attrs

GroundAtom: TypeAlias = tuple[str, ...]
"""A predicate and the objects it holds for, such as ``("on", "a", "b")``; also a function and its objects."""


@attrs.frozen
class PlanState:
    """What is true at one moment; states of the same problem with equal parts are equal.

    ``changing`` are the true atoms of predicates that some action changes, ``fixed`` those of all others (the same set
    in all states of a problem), ``numbers`` the value of each function that has one.
    """

    changing: frozenset[GroundAtom]
    numbers: Mapping[GroundAtom, Fraction]
    fixed: frozenset[GroundAtom] = attrs.field(eq=False, repr=False)

    @property
    def atoms(self) -> frozenset[GroundAtom]:
        """Everything that is true."""
        return self.changing | self.fixed

    def __hash__(self) -> int:
        return hash(self.changing)
