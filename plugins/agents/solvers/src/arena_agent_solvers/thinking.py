"""What all engines share: a position to think on, a solution to think with, and a fair draw."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from arena.agent import Seat
from arena.errors import PluginError
from arena.game import Decision, Game, State
from arena.record import Action
from arena.solver import Solution, Solver


def imagined(seat: Seat, decision: Decision) -> State:
    """A position that the player cannot tell from the real one; ``PluginError`` where there is none to be had."""
    state = seat.imagine(decision.turn)
    if state is None:
        raise PluginError(
            f"{type(seat.game).__name__} gives its players no position to think on, or the benchmark says "
            "'imagines: false'; seat another agent"
        )
    return state


@lru_cache(maxsize=64)
def _shared(solver: Solver, game: Game, players: int) -> Solution:
    return solver.solve(game, players)


def solution(solver: Solver, game: Game, players: int) -> Solution:
    """The solution of a game, one for all who ask in this process; equal games share it where they can be hashed."""
    try:
        return _shared(solver, game, players)
    except TypeError:
        return solver.solve(game, players)


def drawn(weights: Sequence[tuple[Action, float]], rng: Random) -> Action:
    """One of the actions, in proportion to its weight."""
    (place,) = rng.choices(range(len(weights)), [weight for _, weight in weights])
    return weights[place][0]
