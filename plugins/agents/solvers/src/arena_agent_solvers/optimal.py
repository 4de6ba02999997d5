"""The agent that plays by whichever installed solver knows the game exactly."""

from collections.abc import Iterator
from functools import cache, lru_cache
from math import log10
from typing import Final

import attrs
from arena.agent import Agent, PlayerAgent, Seat
from arena.catalog import Catalog, Status
from arena.chance import Chance
from arena.errors import ArenaError, ConfigError, SolverError
from arena.game import Game
from arena.solver import Solver

from arena_agent_solvers.seat_state import solution
from arena_agent_solvers.solver import SolverPlayer

MOST_LINES: Final = 10**15
"""The most lines of play of an open game that a solver for many games is asked about.

Counted as if every position had as many actions as the first: tic-tac-toe has 4 * 10**8, connect four on 4 rows and 5
columns 10**14 and on its own board 10**35. A search that remembers positions looks at far fewer.
"""


@attrs.frozen
class ExactSolver:
    """A solver that is installed and exact, with its ``name`` and the ``distribution`` it comes from."""

    name: str
    distribution: str
    solver: Solver


@attrs.frozen
class Optimal(Agent):
    """Plays by the first exact solver that plays the game: those made for few games first, then by name."""

    def join(self, seat: Seat) -> PlayerAgent:
        """Create the player; the game is solved when the first move is asked for."""
        found = solver_for(seat.game, seat.players)
        return SolverPlayer(
            seat, found.solver, {"solver": found.name, "distribution": found.distribution}, f", by {found.name}"
        )

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` with every solver's reason if none plays the game."""
        solver_for(game, players)
        return {}


@cache
def exact_solvers() -> tuple[ExactSolver, ...]:
    """Every exact solver that is installed and needs no parameters: those for few games first, then by name."""
    return tuple(sorted(_exact_solvers(), key=lambda found: (not found.solver.is_specialist, found.name)))


def _exact_solvers() -> Iterator[ExactSolver]:
    for entry in Catalog().entries("solver"):
        if entry.status is Status.OK and entry.plugin and not entry.plugin.preset:
            try:
                solver: Solver = entry.load()()
            except (ArenaError, TypeError):  # it is broken, or has parameters that only a benchmark can give
                continue
            if solver.is_exact:
                yield ExactSolver(entry.name, f"{entry.dist} {entry.version}", solver)


def solver_for(game: Game, players: int) -> ExactSolver:
    """The solver that plays ``game`` exactly; ``ConfigError`` says why none of the installed ones does."""
    try:
        return _found(game, players)
    except TypeError:  # a game that cannot be hashed
        return _found.__wrapped__(game, players)


@lru_cache(maxsize=64)
def _found(game: Game, players: int) -> ExactSolver:
    reasons: list[str] = []
    for found in exact_solvers():
        if not (reason := _unsupported_reason(found.solver, game, players)):
            return found
        reasons.append(f"{found.name}: {reason}")
    raise ConfigError(f"no installed solver plays this game exactly ({'; '.join(reasons) or 'none is installed'})")


def _unsupported_reason(solver: Solver, game: Game, players: int) -> str:
    """Why a solver does not play a game; where it does not know beforehand, it is asked about the first position."""
    if reason := solver.unsupported_reason(game, players):
        return reason
    if solver.is_specialist or not game.facts(players).is_deterministic_perfect_information:
        return ""
    state, _ = game.start(Chance(0), players)
    (player, *_) = state.to_act()
    options, most = state.decision(player).options, game.facts(players).max_steps
    if options is None or most * log10(max(len(options), 2)) > log10(MOST_LINES):
        return "it searches every position, and this game has too many"
    try:
        solution(solver, game, players).action_values(state, player)
    except SolverError as error:
        return str(error)
    return ""
