"""Looks for a deal after which the same actions lead to a given position, to hold drawn positions against a history.

A position that a game draws for a player must be one that could have come about while the player saw what it saw. To
prove it, the match is dealt again so that it has the drawn position's hidden part; its events are then compared.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import permutations, product
from math import factorial, prod
from typing import TypeAlias

import attrs
from arena.chance import Draw
from arena.errors import RuleError
from arena.game import FORFEITED
from arena.record import JSON

from arena_testing.foundation.conformance import ActionSequence, Forced
from arena_testing.foundation.homogeneity import Place, leaves
from arena_testing.foundation.playthrough import Playthrough, fresh

Outcome: TypeAlias = int | tuple[int, ...]

FEW_DEALS = 200
"""Deals are all tried if there are at most this many; among more, the search changes one draw at a time."""

_MOST_TRIED = 80
"""How often a match is dealt anew in a search that changes one draw at a time."""

_STARTS = 2
"""How many matches with the same history a search begins from."""


@attrs.frozen
class Deals:
    """The deals that lead to a position: each a match with the same actions. ``is_all``: there are no others."""

    found: tuple[Playthrough, ...]
    is_all: bool


@attrs.define(eq=False)
class DealSearch:
    """Finds deals after which the actions of a match lead to a position that the spectator sees in a given way.

    ``lines`` are matches with one history for some player; a search starts from each of them, and ends with the first
    deal that ``fits``.
    """

    lines: Sequence[ActionSequence]
    fits: Callable[[Playthrough], bool]

    def to(self, wanted: JSON) -> Deals:
        """The deals that lead to the position ``wanted``."""
        target = dict(leaves(wanted))
        if (every := self._every) is not None:
            return Deals(tuple(walk for walk in every if _likeness(walk, target) == (0, 0)), is_all=True)
        nearest: list[Playthrough] = []
        for line in self.lines[:_STARTS]:
            if (walk := _nearest(line, target)) is not None:
                nearest.append(walk)
                if self.fits(walk):
                    break
        return Deals(tuple(nearest), is_all=False)

    @cached_property
    def _every(self) -> Sequence[Playthrough] | None:
        """The match after every deal, if there are few and none has other draws; else ``None``."""
        line = self.lines[0]
        trace = _again(line, {}).chance.trace
        if any(other.steps != line.steps for other in self.lines) or _count(trace) > FEW_DEALS:
            return None
        walks = [walk for forced in _all_deals(trace) if (walk := _dealt(line, forced)) is not None]
        sizes = [draw.items for draw in trace]
        return walks if all([draw.items for draw in walk.chance.trace] == sizes for walk in walks) else None


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
    """Change one draw after another to the first outcome that brings the position nearer; ``None`` if that ends before.

    Of an order, two items after two others are exchanged.
    """
    best = _dealt(line, {})
    if best is None:
        return None
    forced: dict[int, Outcome] = dict(line.forced)
    nearest, tried, place = _likeness(best, target), 0, 0
    while nearest != (0, 0) and place < len(best.chance.trace):
        for outcome in _others(best.chance.trace[place]):
            tried += 1
            walk = _dealt(line, {**forced, place: outcome})
            if walk is not None and (near := _likeness(walk, target)) < nearest:
                best, nearest = walk, near
                forced[place] = outcome
                break
            if tried >= _MOST_TRIED:
                return None
        else:
            place += 1
    return best if nearest == (0, 0) else None


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
