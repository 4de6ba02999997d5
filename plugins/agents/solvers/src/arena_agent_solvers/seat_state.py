"""What all solver agents share: a state to search from, a shared solution, and drawing by weights."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from arena.agent import Seat
from arena.errors import PluginError
from arena.game import Decision, Game, State
from arena.record import Action
from arena.solver import Solution, Solver


def imagined(seat: Seat, decision: Decision) -> State:
    """A state that the player cannot tell from the real one; ``PluginError`` if none can be made."""
    state = seat.resample_hidden(decision.turn)
    if state is None:
        raise PluginError(
            f"{type(seat.game).__name__} gives its players no position to think on, or the benchmark says "
            "'resample-hidden: false'; seat another agent"
        )
    return state


@lru_cache(maxsize=64)
def _shared(solver: Solver, game: Game, players: int) -> Solution:
    return solver.solve(game, players)


def solution(solver: Solver, game: Game, players: int) -> Solution:
    """The solution of a game, shared by everyone in this process; equal games share it if they can be hashed."""
    try:
        return _shared(solver, game, players)
    except TypeError:
        return solver.solve(game, players)


def drawn(weights: Sequence[tuple[Action, float]], rng: Random) -> Action:
    """Draw one of the actions in proportion to its weight."""
    (place,) = rng.choices(range(len(weights)), [weight for _, weight in weights])
    return weights[place][0]
