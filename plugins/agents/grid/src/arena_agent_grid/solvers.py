"""What actions are worth in games of lines on a grid: exact where that can be, estimated where it is said so."""

from collections.abc import Callable, Mapping
from threading import Lock
from typing import ClassVar

import attrs
from arena.game import Game, State
from arena.record import Player, canonical
from arena.solver import Assessment, Solution, Solver, Worth
from arena_game_grid.board import members
from arena_game_grid.game import ConnectFour, Mnk
from attrs.validators import ge

from arena_agent_grid.columns import HEIGHT
from arena_agent_grid.connect_four import ConnectFour as ColumnSearch
from arena_agent_grid.gomoku import FORCED, Effort, Search
from arena_agent_grid.lines import Lines
from arena_agent_grid.positions import Position, position_of, rules_of

ESTIMATED = 2_000
"""A heuristic score that is worth half a win; about three open lines of four."""


def _nodes(default: int) -> int:
    what = "positions looked at in one question before it is given up"
    return attrs.field(default=default, validator=ge(1), metadata={"help": what})


def _quickest() -> bool:
    what = "play only the actions that win soonest or lose latest; otherwise all that keep the result are as good"
    return attrs.field(default=False, metadata={"help": what})


@attrs.frozen(kw_only=True)
class ConnectFourSolver(Solver):
    """Connect four on 6 rows and 7 columns, exact, from any position: a table of openings and alpha-beta after them."""

    is_specialist: ClassVar[bool] = True

    quickest: bool = _quickest()
    nodes: int = _nodes(100_000_000)

    def refusal(self, game: Game, players: int) -> str | None:
        """The usual size and rules."""
        rules = rules_of(game, players)
        if rules is None or not _same_rules(rules, ConnectFour()):
            return "it solves connect four on 6 rows and 7 columns, without variants"
        return None

    def solve(self, game: Game, players: int) -> Solution:
        """Tables are read at the first question."""
        search = ColumnSearch(self.nodes)

        def scores(position: Position) -> Mapping[int, int]:
            found = search.scores(_columns(position.own), _columns(position.own | position.other))
            playable = position.board.playable(position.own | position.other)
            return {cell: found[cell % position.board.columns] for cell in members(playable)}

        method = "table of openings and alpha-beta, exact"
        return Scored(_needed(game, players), scores, method, is_quickest=self.quickest)


@attrs.frozen(kw_only=True)
class GridSolver(Solver):
    """Small m,n,k-games, exact, with every variant; quick up to some 20 cells, ``Unsolved`` beyond ``nodes``."""

    is_specialist: ClassVar[bool] = True

    quickest: bool = _quickest()
    nodes: int = _nodes(2_000_000)

    def refusal(self, game: Game, players: int) -> str | None:
        """Boards that there is hope for."""
        rules = rules_of(game, players)
        if rules is None:
            return "it solves games of lines on a grid"
        cells = rules.rows * rules.columns
        return (
            None if cells <= MOST_CELLS else f"it solves boards of up to {MOST_CELLS} cells, and this one has {cells}"
        )

    def solve(self, game: Game, players: int) -> Solution:
        """A table that fills as positions are asked for."""
        rules = _needed(game, players)
        search = Lines(rules.board, misere=rules.misere, nodes=self.nodes)
        method = "alpha-beta on bit boards, exact"
        return Scored(rules, lambda p: search.scores(p.own, p.other), method, is_quickest=self.quickest)


MOST_CELLS = 25
"""Larger boards are not begun."""


@attrs.frozen(kw_only=True)
class GomokuScorer(Solver):
    """Gomoku and its like by a heuristic search: values are estimates between -1 and 1, and exact nowhere.

    Metrics use it only where a benchmark names it.
    """

    is_exact: ClassVar[bool] = False

    depth: int = attrs.field(default=2, validator=ge(1), metadata={"help": "moves looked ahead"})
    width: int = attrs.field(default=9, validator=ge(1), metadata={"help": "answers considered in each position"})

    def refusal(self, game: Game, players: int) -> str | None:
        """Lines of any length, longer ones included, without gravity or misère."""
        return unfit_for_gomoku(game, players)

    def solve(self, game: Game, players: int) -> Solution:
        """Nothing is kept between questions."""
        effort = Effort(depth=self.depth, width=self.width)

        def scores(position: Position) -> Mapping[int, int]:
            return Search(position.board, position.stones, position.player, effort).scores()

        return Scored(
            _needed(game, players), scores, f"heuristic, {self.depth} moves ahead", is_quickest=True, of=estimate
        )


def unfit_for_gomoku(game: Game, players: int) -> str | None:
    """Why the gomoku engine does not play a game."""
    rules = rules_of(game, players)
    if rules is None:
        return "it knows games of lines on a grid"
    if rules.gravity or rules.misere or not rules.overline or rules.align < 3:
        return "it knows lines of three and more that win, longer ones too, on cells that are freely chosen"
    return None


def estimate(score: int) -> float:
    """A heuristic score as a share of a win; a win that was followed to its end is one."""
    if abs(score) >= FORCED:
        return 1.0 if score > 0 else -1.0
    return score / (abs(score) + ESTIMATED)


def sign(score: int) -> float:
    """What an exact score earns."""
    return float((score > 0) - (score < 0))


class Scored(Solution):
    """Scores of cells as worths of actions; ``of`` makes a value of a score.

    The best are equally likely: those of the best value, and where ``is_quickest`` those of the best score.
    """

    def __init__(
        self,
        rules: Mnk,
        scores: Callable[[Position], Mapping[int, int]],
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

    def assess(self, state: State, player: Player) -> Assessment:
        """A value and a score for every legal action."""
        position = position_of(state, self._rules)
        with self._lock:
            scores = self._scores(position)
        ranked = {cell: score if self._is_quickest else self._of(score) for cell, score in scores.items()}
        best = max(ranked.values())
        share = 1 / sum(rank == best for rank in ranked.values())
        found = {
            canonical(action): Worth(
                action=action, value=self._of(score), probability=share * (ranked[cell] == best), score=score
            )
            for cell, score in scores.items()
            for action in [position.action(cell)]
        }
        options = state.decision(player).options
        assert options is not None  # all games of the family list their actions
        return Assessment(worths=tuple(found[canonical(action)] for action in options.actions))

    def situation(self, state: State, player: Player) -> str:
        """Who holds what."""
        first, second = position_of(state, self._rules).stones
        return f"{first:x}/{second:x}"


def _needed(game: Game, players: int) -> Mnk:
    rules = rules_of(game, players)
    assert rules is not None  # ``refusal`` said so
    return rules


def _same_rules(one: Mnk, other: Mnk) -> bool:
    return one.board is other.board and one.misere == other.misere


def _columns(stones: int) -> int:
    """Cells in reading order as bits by column from the bottom up."""
    height, width = 6, 7
    return sum(1 << HEIGHT * (cell % width) + height - 1 - cell // width for cell in members(stones))
