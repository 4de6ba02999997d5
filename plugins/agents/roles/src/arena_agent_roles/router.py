"""Decides which roles take part in a decision, by its phase."""

from collections.abc import Mapping
from typing import Final

import attrs
from arena.errors import RuleError

ANY: Final = "*"
"""The key of the route for phases that have none of their own."""


@attrs.frozen
class Router:
    """The roles of each phase in order: the last one acts, those before it write notes for it."""

    routes: Mapping[str, tuple[str, ...]]

    def route(self, phase: str) -> tuple[str, ...]:
        """The roles of a phase in order; ``RuleError`` if it has no route."""
        found = self.routes.get(phase) or self.routes.get(ANY)
        if found is None:
            raise RuleError(
                f"no role is routed to the phase {phase!r} (there is: {', '.join(self.routes)}); "
                f"add it, or {ANY!r} for all others, to the agent's 'routes'"
            )
        return found

    def names(self) -> frozenset[str]:
        """All roles that are part of some route."""
        return frozenset(name for route in self.routes.values() for name in route)


def problem(routes: Mapping[str, tuple[str, ...]]) -> str:
    """Describe what is wrong with routes; empty if nothing is."""
    if not routes:
        return "expected a table of roles by phase, such as {proposal: [planner, proposer]}"
    for phase, route in routes.items():
        if not route:
            return f"{phase}: no role is named; the last one of a route acts"
        if len(set(route)) < len(route):
            return f"{phase}: a role stands twice in {list(route)}; name each once"
    return ""
