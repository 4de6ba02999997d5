"""Chains of fleets over which an army can be convoyed."""

from collections.abc import Iterator, Set as AbstractSet
from functools import cache

from arena_game_diplomacy.rules.board import BoardMap


@cache
def chains(board: BoardMap, start: str, target: str) -> tuple[frozenset[str], ...]:
    """Every set of seas over which an army gets to another coast and from which no sea can be left out.

    An order to convoy is legal for a fleet in such a chain, where all seas of the chain hold fleets (4.A.1 and
    4.E.1 of DATC 3.0). Provinces that are not coastal, or the same one twice, have no chains.
    """
    if start == target or {board.provinces[start].kind, board.provinces[target].kind} != {"coastal"}:
        return ()
    return tuple(found for first in board.seas[start] for found in _extended(board, start, target, (first,)))


def _extended(board: BoardMap, start: str, target: str, path: tuple[str, ...]) -> Iterator[frozenset[str]]:
    """The chains that begin so; a sea that touches an earlier one or the start would make those between needless."""
    last = path[-1]
    if last in board.seas[target]:
        yield frozenset(path)
        return
    shortcuts = board.seas[start].union(*(board.seas[sea] for sea in path[:-1]), path)
    for sea in board.seas[last] - shortcuts:
        yield from _extended(board, start, target, (*path, sea))


def possible_chains(
    board: BoardMap, start: str, target: str, fleets: AbstractSet[str], without: str | None = None
) -> Iterator[frozenset[str]]:
    """The chains whose seas all hold fleets; ``without`` leaves out those that need the fleet in this province."""
    return (chain for chain in chains(board, start, target) if chain <= fleets and without not in chain)


def is_connected(board: BoardMap, start: str, target: str, fleets: AbstractSet[str]) -> bool:
    """Say whether these fleets reach from the start to the target; more of them than needed do no harm."""
    edge = board.seas[start] & fleets
    seen = set(edge)
    while edge:
        if edge & board.seas[target]:
            return True
        edge = frozenset().union(*(board.seas[sea] for sea in edge)) & fleets - seen
        seen |= edge
    return False
