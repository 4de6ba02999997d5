"""Which solver knows a game, and what it knows; one answer for all matches of a game."""

from collections.abc import Iterator
from functools import cache

import attrs
from arena.catalog import Catalog, Status
from arena.config import structure
from arena.errors import ArenaError, Unsolved
from arena.game import Game, State
from arena.record import Player
from arena.solver import Assessment, Solution, Solver


@cache
def installed() -> tuple[tuple[str, Solver], ...]:
    """Every exact solver that can be used here with its own defaults: specialists first, then by name."""
    catalog = Catalog()
    found: list[tuple[str, Solver]] = []
    for entry in catalog.entries("solver"):
        if entry.status is Status.OK:
            try:
                solver = structure(entry.name, Solver, catalog)
            except ArenaError:  # it needs parameters, so it is used where somebody gives them
                continue
            if solver.is_exact:
                found.append((entry.name, solver))
    return tuple(sorted(found, key=lambda pair: (not pair[1].is_specialist, pair[0])))


@attrs.define(eq=False)
class Verdicts:
    """The solver of one game, or for each solver why it is none; a solver that gives up is out for all matches."""

    game: Game
    players: int
    waiting: Iterator[tuple[str, Solver]] = attrs.field(repr=False)
    name: str = ""
    solution: Solution | None = None
    refusals: dict[str, str] = attrs.field(factory=dict[str, str])

    def advance(self) -> None:
        """Go on to the next solver that takes the game, if there is one."""
        self.solution = None
        for name, solver in self.waiting:
            reason = solver.refusal(self.game, self.players)
            if reason is None:
                self.name = name
                try:
                    self.solution = solver.solve(self.game, self.players)
                except Unsolved as error:
                    reason = str(error)
                else:
                    return
            self.refusals[name] = reason

    def give_up(self, why: Unsolved) -> None:
        """The solver could not answer; the next one takes its place."""
        self.refusals[self.name] = str(why)
        self.advance()

    def assess(self, state: State, player: Player) -> Assessment | None:
        """Ask the solver; ``Unsolved`` where it gives up."""
        assert self.solution is not None
        return self.solution.assess(state, player)


class Solving:
    """The verdicts of all games that came up in this process; a pure function of game and solvers, remembered."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Game, Verdicts]] = {}

    def of(self, game: Game, players: int, solvers: tuple[Solver, ...]) -> Verdicts:
        """The verdicts of a game, from the solvers given or from all that are installed."""
        key = f"{type(game).__module__}.{game!r} {players} {solvers!r}"
        if key not in self._known or self._known[key][0] != game:
            named = [(type(solver).__name__, solver) for solver in solvers] or list(installed())
            verdicts = Verdicts(game, players, iter(named))
            verdicts.advance()
            self._known[key] = game, verdicts
        return self._known[key][1]


SOLVING = Solving()
