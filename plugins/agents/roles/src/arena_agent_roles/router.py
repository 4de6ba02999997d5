"""Which roles take part in a decision, by its phase."""

from collections.abc import Mapping
from typing import Final

import attrs
from arena.errors import RuleError

ANY: Final = "*"
"""The route of every phase that has none of its own."""


@attrs.frozen
class Router:
    """Roles by phase, in their order; the last one acts, those before it write notes for it."""

    routes: Mapping[str, tuple[str, ...]]

    def route(self, phase: str) -> tuple[str, ...]:
        """The roles of a phase; ``RuleError`` where nobody says which."""
        found = self.routes.get(phase) or self.routes.get(ANY)
        if found is None:
            raise RuleError(
                f"no role is routed to the phase {phase!r} (there is: {', '.join(self.routes)}); "
                f"add it, or {ANY!r} for all others, to the agent's 'routes'"
            )
        return found

    def names(self) -> frozenset[str]:
        """Every role that takes part somewhere."""
        return frozenset(name for route in self.routes.values() for name in route)


def problem(routes: Mapping[str, tuple[str, ...]]) -> str:
    """What is wrong with routes, or nothing."""
    if not routes:
        return "expected a table of roles by phase, such as {proposal: [planner, proposer]}"
    for phase, route in routes.items():
        if not route:
            return f"{phase}: no role is named; the last one of a route acts"
        if len(set(route)) < len(route):
            return f"{phase}: a role stands twice in {list(route)}; name each once"
    return ""
