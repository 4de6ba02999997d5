"""Other chance outcomes for a match, exchanged in a way that most of the match stays as it was."""

from collections.abc import Callable, Sequence
from random import Random

from arena.chance import Draw

from arena_testing.foundation.conformance import Forced


def exchange(trace: Sequence[Draw], rng: Random) -> Forced | None:
    """Chance outcomes to force for another deal, or ``None`` if nothing can come out differently.

    Half of the time all other outcomes are forced as well, for draws whose weights depend on earlier ones.
    """
    open_places = [place for place, draw in enumerate(trace) if draw.items > 1]
    if not open_places:
        return None
    place = rng.choice(open_places)
    draw = trace[place]
    if isinstance(draw.outcome, tuple):
        changed: Forced | None = {place: _swapped(draw.outcome, rng)}
    else:
        ways: list[Callable[[Sequence[Draw], int, Random], Forced | None]] = [_other, _traded, _dealt]
        rng.shuffle(ways)
        changed = next((found for way in ways if (found := way(trace, place, rng))), None)
    if changed is None or rng.random() < 0.5:
        return changed
    return {**{i: d.outcome for i, d in enumerate(trace)}, **changed}


def _swapped(order: tuple[int, ...], rng: Random) -> tuple[int, ...]:
    i, j = rng.sample(range(len(order)), 2)
    swapped = list(order)
    swapped[i], swapped[j] = swapped[j], swapped[i]
    return tuple(swapped)


def _other(trace: Sequence[Draw], place: int, rng: Random) -> Forced:
    """Change the outcome of one draw."""
    draw = trace[place]
    return {place: rng.choice([i for i in range(draw.items) if i != draw.outcome])}


def _traded(trace: Sequence[Draw], place: int, rng: Random) -> Forced | None:
    """Swap the outcomes of two draws that choose among equally many things."""
    own = trace[place]
    partners = [
        i
        for i, draw in enumerate(trace)
        if draw.items == own.items and draw.outcome != own.outcome and isinstance(draw.outcome, int)
    ]
    if not partners:
        return None
    partner = rng.choice(partners)
    return {place: trace[partner].outcome, partner: own.outcome}


def _dealt(trace: Sequence[Draw], place: int, rng: Random) -> Forced | None:
    """Swap two cards of a deal, which is a series of draws from a shrinking pile."""
    first = last = place
    while first and _continues(trace[first - 1], trace[first]):
        first -= 1
    while last + 1 < len(trace) and _continues(trace[last], trace[last + 1]):
        last += 1
    if last == first and trace[first].items < 2:
        return None
    pile = list(range(trace[first].items))
    dealt = [pile.pop(draw.outcome) for draw in trace[first : last + 1] if isinstance(draw.outcome, int)]
    cards = [*dealt, *pile]
    i = rng.randrange(len(dealt))
    j = rng.choice([k for k in range(len(cards)) if k != i])
    cards[i], cards[j] = cards[j], cards[i]
    left = list(range(trace[first].items))
    forced: dict[int, int] = {}
    for offset, card in enumerate(cards[: len(dealt)]):
        forced[first + offset] = left.index(card)
        left.remove(card)
    return forced


def _continues(draw: Draw, following: Draw) -> bool:
    return following.items == draw.items - 1 and isinstance(draw.outcome, int) and isinstance(following.outcome, int)
