"""Checks what a game states of random play: that it makes sense, and that fresh random matches agree with it."""

from collections.abc import Iterator, Sequence
from math import fsum, inf, isfinite, sqrt
from statistics import fmean, stdev
from typing import Final

import attrs
from arena.game import Game, GameFacts, RandomReference
from arena_engine.foundation import returns_fault
from arena_engine.references import Playout, Playouts, RandomPlay, is_tied, wins_alone

from arena_testing.foundation.conformance import ConformanceError

MATCHES: Final = 64
TURNS: Final = 2_000
"""The fresh matches that are played of a game, and after how many actions no further one is begun."""

_FIRST: Final = 1_000_000
"""The number of the first fresh match: none of them is one of those that a stated reference rests on."""

_ROUNDED: Final = 1e-5
_ERRORS: Final = 5.0


def problems_of(random: RandomReference, facts: GameFacts, players: int) -> Iterator[str]:
    """What is wrong with numbers that a game states of random play, without playing."""
    if misfit := returns_fault(attrs.evolve(facts, returns="general-sum"), random.returns, players):
        yield f"returns: {misfit}"
        return
    if facts.returns == "zero-sum" and abs(fsum(random.returns)) > _ROUNDED * max(1.0, fsum(map(abs, random.returns))):
        yield f"returns add up to {fsum(random.returns):g} in a zero-sum game"
    if facts.returns == "cooperative" and max(random.returns) - min(random.returns) > _ROUNDED:
        yield "returns differ in a game in which all earn the same"
    if random.n < 0 or len(random.errors) != (players if random.n else 0):
        yield f"expected one error for each of {players} players, or n=0 and none for exact values"
    if not all(isfinite(error) and error >= 0 for error in random.errors):
        yield f"errors are {random.errors!r}, not finite and at least 0"
    if len(random.wins) != players:
        yield f"wins has {len(random.wins)} entries for {players} players"
    elif min(*random.wins, random.draws) < 0 or abs(fsum((*random.wins, random.draws)) - 1) > _ROUNDED * players:
        yield "wins and draws are no shares that add up to 1: one player wins alone, or several tie"
    if random.turns < 0 or not random.source:
        yield "expected turns of at least 0 and a source; say how the numbers were found"


def check_random_play(game: Game, players: int, matches: int = MATCHES, turns: int = TURNS) -> None:
    """Fresh random matches agree with what the facts state of random play, if they do; always the same matches."""
    facts = game.facts(players)
    if facts.random is None:
        return
    ended = _played(game, players, matches, turns).ended
    if len(ended) < 2:
        return
    for what, stated, error, values, width in _compared(facts, facts.random, ended):
        spread = width or max(*values, stated) - min(*values, stated)
        deviation = max(stdev(values), error * sqrt(facts.random.n))
        bound = _ERRORS * (deviation / sqrt(len(values)) + error) + 3 * spread / len(values)
        if abs(fmean(values) - stated) > bound + _ROUNDED:
            found = f"{what} {stated:g}, but {len(values)} random matches gave {fmean(values):g} on average"
            raise ConformanceError("random", f"facts({players}).random states {found} (at most {bound:.2g} apart)")


def _played(game: Game, players: int, matches: int, turns: int) -> Playouts:
    play = RandomPlay(game, players, first=_FIRST)
    while play.is_wanted(matches, 10**12, inf) and sum(each.turns for each in play.playouts.played) < turns:
        play.add()
    return play.playouts


def _compared(
    facts: GameFacts, random: RandomReference, ended: Sequence[Playout]
) -> Iterator[tuple[str, float, float, list[float], float]]:
    """What is stated, with its error, the same number of each match, and how far those can be apart if it is known."""
    is_bounded = facts.min_return is not None and facts.max_return is not None
    width = (facts.max_return or 0.0) - (facts.min_return or 0.0) if is_bounded else 0.0
    errors = random.errors or (0.0,) * len(random.returns)
    for p, (value, error) in enumerate(zip(random.returns, errors, strict=True)):
        yield f"returns[{p}]", value, error, [each.returns[p] for each in ended], width
        yield f"wins[{p}]", random.wins[p], 0.0, [float(wins_alone(each.returns, p)) for each in ended], 1.0
    yield "draws", random.draws, 0.0, [float(is_tied(each.returns)) for each in ended], 1.0
    yield "turns", random.turns, 0.0, [float(each.turns) for each in ended], 0.0
