"""Solvers of line games on a grid: exact for small ones, estimates where a class says so."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import ClassVar

import attrs
from arena.game import Game, State
from arena.record import Player, canonical_json
from arena.solver import ActionValue, ActionValues, Solution, Solver
from arena_game_grid.board import members
from arena_game_grid.game import ConnectFour, Mnk
from attrs.validators import ge

from arena_agent_grid.columns import HEIGHT
from arena_agent_grid.gomoku import FORCED, Search, SearchLimits
from arena_agent_grid.lines import WinningLines
from arena_agent_grid.positions import GridPosition, position_of, rules_of

ESTIMATED = 2_000
"""The heuristic score that counts as half a win: about three open lines of four."""


def _nodes(default: int) -> int:
    what = "positions looked at in one question before it is given up"
    return attrs.field(default=default, validator=ge(1), metadata={"help": what})


def _quickest() -> bool:
    what = "play only the actions that win soonest or lose latest; otherwise all that keep the result are as good"
    return attrs.field(default=False, metadata={"help": what})


@attrs.frozen(kw_only=True)
class ConnectFourSolver(Solver):
    """Solves connect four on 6 rows and 7 columns exactly: a table of openings, then alpha-beta."""

    is_specialist: ClassVar[bool] = True

    quickest: bool = _quickest()
    nodes: int = _nodes(100_000_000)

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        rules = rules_of(game, players)
        if rules is None or not _same_rules(rules, ConnectFour()):
            return "it solves connect four on 6 rows and 7 columns, without variants"
        return None

    def solve(self, game: Game, players: int) -> Solution:
        """Return a solution that reads its tables at the first question."""
        from arena_agent_grid.connect_four import ConnectFour as ColumnSearch  # numba takes a second to import

        search = ColumnSearch(self.nodes)

        def scores(position: GridPosition) -> Mapping[int, int]:
            found = search.scores(_columns(position.own), _columns(position.own | position.other))
            playable = position.board.playable(position.own | position.other)
            return {cell: found[cell % position.board.columns] for cell in members(playable)}

        method = "table of openings and alpha-beta, exact"
        return Scored(_needed(game, players), scores, method, is_quickest=self.quickest)


@attrs.frozen(kw_only=True)
class GridSolver(Solver):
    """Solves small m,n,k-games exactly, in every variant.

    Boards of up to some 20 cells are quick; ``SolverError`` if a question takes more than ``nodes`` positions.
    """

    is_specialist: ClassVar[bool] = True

    quickest: bool = _quickest()
    nodes: int = _nodes(2_000_000)

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        """Refuse boards that are too large to be searched."""
        rules = rules_of(game, players)
        if rules is None:
            return "it solves games of lines on a grid"
        cells = rules.rows * rules.columns
        return (
            None if cells <= MOST_CELLS else f"it solves boards of up to {MOST_CELLS} cells, and this one has {cells}"
        )

    def solve(self, game: Game, players: int) -> Solution:
        """Return a solution whose transposition table fills as positions are asked for."""
        rules = _needed(game, players)
        search = WinningLines(rules.board, misere=rules.misere, nodes=self.nodes)
        method = "alpha-beta on bit boards, exact"
        return Scored(rules, lambda p: search.scores(p.own, p.other), method, is_quickest=self.quickest)


MOST_CELLS = 25
"""Larger boards are refused without a search."""


@attrs.frozen(kw_only=True)
class GomokuScorer(Solver):
    """Scores gomoku and similar games by a heuristic search: values are estimates from -1 to 1, never exact."""

    is_exact: ClassVar[bool] = False

    depth: int = attrs.field(default=2, validator=ge(1), metadata={"help": "moves looked ahead"})
    width: int = attrs.field(default=9, validator=ge(1), metadata={"help": "answers considered in each position"})

    def unsupported_reason(self, game: Game, players: int) -> str | None:
        """Accept lines of any length if longer ones count too, without gravity or misère."""
        return unfit_for_gomoku(game, players)

    def solve(self, game: Game, players: int) -> Solution:
        """Return a solution that keeps nothing between questions."""
        effort = SearchLimits(depth=self.depth, width=self.width)

        def scores(position: GridPosition) -> Mapping[int, int]:
            return Search(position.board, position.stones, position.player, effort).scores()

        return Scored(
            _needed(game, players), scores, f"heuristic, {self.depth} moves ahead", is_quickest=True, of=estimate
        )


def unfit_for_gomoku(game: Game, players: int) -> str | None:
    """Why the gomoku engine cannot play a game, or ``None`` if it can."""
    rules = rules_of(game, players)
    if rules is None:
        return "it knows games of lines on a grid"
    if rules.gravity or rules.misere or not rules.overline or rules.align < 3:
        return "it knows lines of three and more that win, longer ones too, on cells that are freely chosen"
    return None


def estimate(score: int) -> float:
    """Convert a heuristic score to a share of a win from -1 to 1; 1 and -1 mean a win that was followed to its end."""
    if abs(score) >= FORCED:
        return 1.0 if score > 0 else -1.0
    return score / (abs(score) + ESTIMATED)


def sign(score: int) -> float:
    """The return that an exact score stands for: 1, 0 or -1."""
    return float((score > 0) - (score < 0))


class Scored(Solution):
    """Turns scores of cells into values of actions; ``of`` converts a score to a value.

    The policy is uniform over the actions of the best value, or of the best score if ``is_quickest``.
    """

    def __init__(
        self,
        rules: Mnk,
        scores: Callable[[GridPosition], Mapping[int, int]],
        method: str,
        *,
        is_quickest: bool,
        of: Callable[[int], float] = sign,
    ) -> None:
        self.method = method
        self._rules = rules
        self._scores = scores
        self._is_quickest = is_quickest
        self._of = of
        self._lock = Lock()

    def action_values(self, state: State, player: Player) -> ActionValues:
        position = position_of(state, self._rules)
        with self._lock:
            scores = self._scores(position)
        ranked = {cell: score if self._is_quickest else self._of(score) for cell, score in scores.items()}
        best = max(ranked.values())
        share = 1 / sum(rank == best for rank in ranked.values())
        found = {
            canonical_json(action): ActionValue(
                action=action, value=self._of(score), probability=share * (ranked[cell] == best), score=score
            )
            for cell, score in scores.items()
            for action in [position.action(cell)]
        }
        options = state.decision(player).options
        assert options is not None  # all games of the family list their actions
        return ActionValues(values=tuple(found[canonical_json(action)] for action in options.actions))

    def information_state(self, state: State, player: Player) -> str:
        """The stones of both players."""
        first, second = position_of(state, self._rules).stones
        return f"{first:x}/{second:x}"


def _needed(game: Game, players: int) -> Mnk:
    rules = rules_of(game, players)
    assert rules is not None  # ``refusal`` said so
    return rules


def _same_rules(one: Mnk, other: Mnk) -> bool:
    return one.board is other.board and one.misere == other.misere


def _columns(stones: int) -> int:
    """Convert a bit set in reading order to bits by column from the bottom up."""
    height, width = 6, 7
    return sum(1 << HEIGHT * (cell % width) + height - 1 - cell // width for cell in members(stones))
