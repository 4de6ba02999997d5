"""Looks for a deal after which the same actions lead to a given position, to hold drawn positions against a history.

A position that a game draws for a player must be one that could have come about while the player saw what it saw. To
prove it, the match is dealt again so that it has the drawn position's hidden part; its events are then compared.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, permutations, product
from math import factorial, prod
from typing import TypeAlias

import attrs
from arena.chance import Draw
from arena.errors import RuleError
from arena.game import FORFEITED
from arena.record import JSON

from arena_testing.conformance import ActionSequence, Forced
from arena_testing.homogeneity import Place, leaves
from arena_testing.playthrough import Playthrough, fresh

Outcome: TypeAlias = int | tuple[int, ...]

FEW_DEALS = 200
"""Deals are all tried if there are at most this many; among more, the search changes one draw at a time."""

_MOST_TRIED = 250
"""How often a match is dealt anew in a search that changes one draw at a time."""


@attrs.frozen
class Deals:
    """The deals that lead to a position: each a match with the same actions. ``is_all``: there are no others."""

    found: tuple[Playthrough, ...]
    is_all: bool


def deals_to(lines: Sequence[ActionSequence], wanted: JSON) -> Deals:
    """Find deals after which the actions of a match lead to a position that the spectator sees as ``wanted``.

    ``lines`` are matches with one history for some player; the search starts from each of them.
    """
    target = dict(leaves(wanted))
    trace = _again(lines[0], {}).chance.trace
    if all(line.steps == lines[0].steps for line in lines) and _count(trace) <= FEW_DEALS:
        walks = [walk for forced in _all_deals(trace) if (walk := _dealt(lines[0], forced)) is not None]
        found = tuple(walk for walk in walks if _likeness(walk, target) == (0, 0))
        sizes = [draw.items for draw in trace]
        return Deals(found, is_all=all([draw.items for draw in walk.chance.trace] == sizes for walk in walks))
    nearest = (_nearest(line, target) for line in lines)
    return Deals(tuple(walk for walk in nearest if walk is not None), is_all=False)


def _again(line: ActionSequence, forced: Forced) -> Playthrough:
    walk = Playthrough.begin(line.game, line.players, line.seed, {**line.forced, **forced})
    for step in line.steps:
        if any(a is not FORFEITED and walk.state.check(p, a) is not None for p, a in fresh(step).items()):
            raise RuleError("the actions of the match are not legal after this deal")
        walk.step(fresh(step))
    return walk


def _dealt(line: ActionSequence, forced: Forced) -> Playthrough | None:
    """The match after another deal; ``None`` if it cannot be dealt or its actions cannot be played then."""
    try:
        return _again(line, forced)
    except Exception:
        return None


def _likeness(walk: Playthrough, target: dict[Place, JSON]) -> tuple[int, int]:
    """How many places differ from the position looked for, and how many there are more or fewer; less is more alike."""
    seen = dict(leaves(walk.state.observe(None)))
    return sum(place not in seen or not _same(seen[place], value) for place, value in target.items()), abs(
        len(seen) - len(target)
    )


def _same(one: JSON, other: JSON) -> bool:
    return type(one) is type(other) and one == other


def _nearest(line: ActionSequence, target: dict[Place, JSON]) -> Playthrough | None:
    """Change one draw after another to what brings the position nearest; ``None`` if it is not reached."""
    best = _dealt(line, {})
    if best is None:
        return None
    forced: dict[int, Outcome] = dict(line.forced)
    nearest, tried = _likeness(best, target), 0
    for place in range(len(best.chance.trace)):
        for outcome in islice(_others(best.chance.trace[place]), _MOST_TRIED - tried):
            tried += 1
            walk = _dealt(line, {**forced, place: outcome})
            if walk is not None and (near := _likeness(walk, target)) < nearest:
                best, nearest = walk, near
                forced[place] = outcome
        if nearest == (0, 0):
            return best
        if place >= len(best.chance.trace) - 1 or tried >= _MOST_TRIED:
            break
    return None


def _others(draw: Draw) -> Iterator[Outcome]:
    """Other outcomes of a draw; of an order those with two items exchanged."""
    if isinstance(draw.outcome, int):
        yield from (outcome for outcome in range(draw.items) if outcome != draw.outcome)
        return
    for i, j in product(range(draw.items), repeat=2):
        if i < j:
            order = list(draw.outcome)
            order[i], order[j] = order[j], order[i]
            yield tuple(order)


def _count(trace: Sequence[Draw]) -> int:
    """How many deals there are, if each draw has the outcomes that it has in this match."""
    return prod(draw.items if isinstance(draw.outcome, int) else factorial(min(draw.items, 20)) for draw in trace)


def _all_deals(trace: Sequence[Draw]) -> Iterator[Forced]:
    ways: list[Sequence[Outcome]] = [
        range(draw.items) if isinstance(draw.outcome, int) else list(permutations(range(draw.items))) for draw in trace
    ]
    for outcomes in product(*ways):
        yield dict(enumerate(outcomes))
