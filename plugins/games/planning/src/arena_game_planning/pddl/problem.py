"""Problems as values: objects, the initial state, the goal, and what a plan costs."""

from collections.abc import Mapping
from typing import Any, Final

import attrs

from arena_game_planning.pddl.declarations import Domain
from arena_game_planning.pddl.formulas import Expression, Formula, Types
from arena_game_planning.pddl.state import PlanState

TOTAL_TIME: Final = "total-time"
"""The number of steps of a plan, in metrics."""


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


def _objects_of(domain: Domain, objects: Mapping[str, Types], types: Types) -> tuple[tuple[str, ...], frozenset[str]]:
    below = frozenset[str]().union(*(domain.hierarchy.descendants[name] for name in types))
    found = tuple(name for name, own in objects.items() if not below.isdisjoint(own))
    return found, frozenset(found)
