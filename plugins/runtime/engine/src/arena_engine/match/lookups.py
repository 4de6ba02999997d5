"""What one player looks up in a match: which queries it is offered, and how often it may still ask each."""

from collections.abc import Callable, Sequence

import attrs
from arena.game import Illegal, Query
from arena.record import JSON


class Lookups:
    """The queries of one player; ``asked`` counts them by their scope and name."""

    def __init__(self) -> None:
        self.asked: dict[tuple[str, str], int] = {}

    def still_open(self, offered: Sequence[Query]) -> tuple[Query, ...]:
        """The queries of a new turn, each with what is left of its limit in its ``budget_scope``."""
        self.asked = {key: times for key, times in self.asked.items() if key[0]}
        left = ((query, query.limit - self.asked.get((query.budget_scope, query.name), 0)) for query in offered)
        return tuple(
            query if limit == query.limit else attrs.evolve(query, limit=limit) for query, limit in left if limit > 0
        )

    def answer(self, name: str, offered: Sequence[Query], ask: Callable[[Query], JSON | Illegal]) -> JSON | Illegal:
        """The answer to a query, which ``ask`` gets from the game; why there is none, if it is not offered any more."""
        queries = {query.name: query for query in offered}
        if name not in queries:
            return Illegal("unknown-query", f"there is no query {name!r} (there is: {', '.join(queries) or 'none'})")
        query = queries[name]
        key = (query.budget_scope, name)
        asked = self.asked.get(key, 0)
        if asked >= query.limit:
            within = f"in {query.budget_scope}" if query.budget_scope else "per turn"
            return Illegal("budget", f"{name!r} may be asked {query.limit} times {within}")
        self.asked[key] = asked + 1
        return ask(query)
