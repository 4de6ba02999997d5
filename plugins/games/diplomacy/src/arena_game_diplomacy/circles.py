"""Circles in a graph: what leans on itself and on nothing else."""

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def first_circle(needs: Mapping[Node, Sequence[Node]]) -> list[Node]:
    """The first strongly connected component that needs nothing outside itself (R. Tarjan, 1972).

    ``needs`` says for each node which nodes it needs; nodes that are not among its keys count as settled.
    """
    order: dict[Node, int] = {}
    low: dict[Node, int] = {}
    path: list[Node] = []
    for start in needs:
        if start in order:
            continue
        stack = [(start, iter(needs[start]))]
        order[start] = low[start] = len(order)
        path.append(start)
        while stack:
            node, rest = stack[-1]
            following = next((other for other in rest if other in needs), None)
            if following is None:
                stack.pop()
                if low[node] == order[node]:
                    return path[path.index(node) :]
                low[stack[-1][0]] = min(low[stack[-1][0]], low[node])
            elif following in order:
                low[node] = min(low[node], order[following])
            else:
                order[following] = low[following] = len(order)
                path.append(following)
                stack.append((following, iter(needs[following])))
    raise ValueError("expected at least one node")
