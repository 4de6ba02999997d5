"""Finds the solver for each game and keeps its solution for all matches of the game."""

from collections.abc import Iterator
from functools import cache

import attrs
from arena.catalog import Catalog, Status
from arena.errors import ArenaError, SolverError
from arena.game import Game, State
from arena.record import Player
from arena.solver import ActionValues, Solution, Solver
from arena_engine import make_plugin


@cache
def installed() -> tuple[tuple[str, Solver], ...]:
    """Every exact solver that works here with its defaults, those for few games first, then by name."""
    catalog = Catalog()
    found: list[tuple[str, Solver]] = []
    for entry in catalog.entries("solver"):
        if entry.status is Status.OK:
            try:
                solver: Solver = make_plugin("solver", entry.name, catalog)
            except ArenaError:  # a solver with required parameters is only used if the metric is given it
                continue
            if solver.is_exact:
                found.append((entry.name, solver))
    return tuple(sorted(found, key=lambda pair: (not pair[1].is_specialist, pair[0])))


@attrs.define(eq=False)
class Verdicts:
    """The solver of one game with its solution, or each solver's reason why it has none.

    A solver that gives up is not asked again in any match.
    """

    game: Game
    players: int
    waiting: Iterator[tuple[str, Solver]] = attrs.field(repr=False)
    name: str = ""
    solution: Solution | None = None
    refusals: dict[str, str] = attrs.field(factory=dict[str, str])

    def advance(self) -> None:
        """Go on to the next solver that supports the game; without one there is no solution."""
        self.solution = None
        for name, solver in self.waiting:
            reason = solver.unsupported_reason(self.game, self.players)
            if reason is None:
                self.name = name
                try:
                    self.solution = solver.solve(self.game, self.players)
                except SolverError as error:
                    reason = str(error)
                else:
                    return
            self.refusals[name] = reason

    def give_up(self, why: SolverError) -> None:
        """Record why the current solver could not answer, and go on to the next one."""
        self.refusals[self.name] = str(why)
        self.advance()

    def assess(self, state: State, player: Player) -> ActionValues | None:
        """The solver's action values; ``SolverError`` if it gives up."""
        assert self.solution is not None
        return self.solution.action_values(state, player)


class Solving:
    """The solvers and solutions of all games seen in this process.

    They are a pure function of game and solvers, so remembering them changes no result.
    """

    def __init__(self) -> None:
        self._known: dict[str, tuple[Game, Verdicts]] = {}

    def of(self, game: Game, players: int, solvers: tuple[Solver, ...]) -> Verdicts:
        """The verdicts for a game with the given solvers, or with all installed ones if none are given."""
        key = f"{type(game).__module__}.{game!r} {players} {solvers!r}"
        if key not in self._known or self._known[key][0] != game:
            named = [(type(solver).__name__, solver) for solver in solvers] or list(installed())
            verdicts = Verdicts(game, players, iter(named))
            verdicts.advance()
            self._known[key] = game, verdicts
        return self._known[key][1]


SOLVING = Solving()
