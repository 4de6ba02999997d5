"""The solver that scores all legal moves of chess by one search of an engine."""

from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import ClassVar, TypeVar

import attrs
from arena.errors import BackendError, ConfigError, SolverError
from arena.game import Game, State
from arena.record import JSON, Player
from arena.solver import ActionValue, ActionValues, Solution, Solver
from attrs.validators import ge

from arena_agent_chess.engine import UciEngine
from arena_agent_chess.positions import ChessPosition, position_of, unfit
from arena_agent_chess.program import find_program
from arena_agent_chess.search import SearchLimit, SearchLine, checked, is_mate, ranked
from arena_agent_chess.sharing import ask
from arena_agent_chess.stockfish import program_field, timeout_field

T = TypeVar("T")


@attrs.frozen(kw_only=True)
class StockfishSolver(Solver):
    """Scores every legal move by one search with as many lines as moves: estimates, the same in every run.

    Scores are in centipawns for the player to move. Its values are expected returns: a score of c centipawns counts as
    2 / (1 + 10^(-c/400)) - 1, the logistic curve of Elo's ratings with a pawn for 100 points; a mate is 1 or -1.
    """

    is_exact: ClassVar[bool] = False

    nodes: int = attrs.field(
        default=200_000,
        validator=ge(1),
        metadata={"help": "positions looked at for all moves of a decision together"},
    )
    program: str = program_field()
    timeout_s: float = timeout_field()

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        """Refuse other games than chess, and say what to install where there is no program."""
        if reason := unfit(game, players):
            return reason
        try:
            find_program(self.program)
        except ConfigError as error:
            return str(error)
        return None

    def solve(self, game: Game, players: int) -> Solution:
        """Return a solution that starts the engine at the first question."""
        return EngineScores(self)


@attrs.frozen(kw_only=True)
class EngineValues(ActionValues):
    """Values with what the search was like: ``facts`` are its depth, its number of positions and its engine."""

    facts: dict[str, JSON]


class EngineScores(Solution):
    """Scores by an engine that all solutions of this process share; each position is searched from nothing."""

    score_unit: ClassVar[str] = "centipawns"
    """What the scores of actions are measured in; metrics then report what was lost by choices."""

    score_limit: ClassVar[float] = 1_000.0
    """Scores beyond this, mates included, count as this much, since more than won is no gain."""

    exploitability: float = 2.0

    def __init__(self, solver: StockfishSolver) -> None:
        self._solver = solver
        self._program = find_program(solver.program)
        self._last: tuple[str, EngineValues] | None = None

    @cached_property
    def method(self) -> str:
        """The engine with its version, and how long it searches."""
        name = self._asked(self._name)
        return f"{name}, {self._solver.nodes:,} nodes for all moves of a position, an estimate"

    def action_values(self, state: State, player: Player) -> ActionValues:
        position = position_of(state)
        last = self._last
        if last and last[0] == position.command:  # metrics ask for values and then for the policy
            return last[1]
        engine, lines = self._asked(lambda engine: self._lines(engine, position))
        best = max(line.score for line in lines.values())
        share = 1 / sum(line.score == best for line in lines.values())
        values = tuple(
            ActionValue(action=action, value=value_of(line), probability=share * (line.score == best), score=line.score)
            for move, action in position.actions.items()
            for line in [lines[move]]
        )
        some = next(iter(lines.values()))
        facts: dict[str, JSON] = {"engine": engine, "depth": some.depth, "nodes": self._solver.nodes}
        found = EngineValues(values=values, facts=facts)
        self._last = position.command, found
        return found

    def information_state(self, state: State, player: Player) -> str:
        """The position in Forsyth-Edwards notation, with its counts of moves."""
        return position_of(state).now

    def _asked(self, question: Callable[[UciEngine], Awaitable[T]]) -> T:
        try:
            return ask(self._program, question)
        except BackendError as error:
            raise SolverError(str(error)) from error

    async def _name(self, engine: UciEngine) -> str:
        return await engine.start(self._solver.timeout_s)

    async def _lines(self, engine: UciEngine, position: ChessPosition) -> tuple[str, Mapping[str, SearchLine]]:
        limit, legal = SearchLimit(nodes=self._solver.nodes), position.actions
        timeout_s = self._solver.timeout_s
        result = await engine.search(position.command, limit, lines=len(legal), timeout_s=timeout_s)
        return engine.name, ranked(engine.name, checked(engine.name, result, legal), legal, limit)


def value_of(line: SearchLine) -> float:
    """The expected return that a score stands for, from -1 to 1."""
    if is_mate(line.score):
        return 1.0 if line.score > 0 else -1.0
    return 2 / (1 + 10 ** (-line.score / 400)) - 1
