"""One form for positions of line games, whether they are Arena's own games or OpenSpiel's."""

from collections.abc import Callable
from typing import Any

import attrs
from arena.game import Game, State
from arena.record import Action, Player
from arena_game_grid.board import Board
from arena_game_grid.game import ConnectFour, Mnk, TicTacToe
from arena_game_grid.state import GridState
from arena_game_grid.twins import GridTwin, TwinState


@attrs.frozen(eq=False)
class GridPosition:
    """The stones of both players as bit sets in reading order, as in ``arena_game_grid.board``; the first player's
    first.

    ``action`` gives the action that fills a cell.
    """

    board: Board
    stones: tuple[int, int]
    action: Callable[[int], Action]

    @property
    def player(self) -> Player:
        """The player to move, by the number of stones."""
        return Player((self.stones[0] | self.stones[1]).bit_count() % 2)

    @property
    def own(self) -> int:
        """The cells of the player to move."""
        return self.stones[self.player]

    @property
    def other(self) -> int:
        """The cells of the player who is not to move."""
        return self.stones[1 - self.player]


def rules_of(game: Game, players: int) -> Mnk | None:
    """The rules of a game as an m,n,k-game, or ``None`` if it is not one."""
    if isinstance(game, Mnk):
        return game
    if isinstance(game, GridTwin):
        return game.original
    make = getattr(game, "engine", None)
    engine: Any = make(players) if callable(make) else None
    name = engine.get_type().short_name if engine is not None else ""
    if name == "tic_tac_toe":
        return TicTacToe()
    if engine is not None and name == "connect_four":
        given = engine.get_parameters()
        return ConnectFour(rows=given["rows"], columns=given["columns"], align=given["x_in_row"])
    return None


def position_of(state: State, rules: Mnk) -> GridPosition:
    """Convert a state of a game with these rules."""
    board = rules.board
    if isinstance(state, GridState):
        return GridPosition(board, state.stones, board.action)
    if isinstance(state, TwinState):
        return GridPosition(board, state.base.stones, lambda cell: state.reskin.renamed(board.action(cell)))
    text = "".join(str(state.engine).split())  # type: ignore[attr-defined]  # ``rules_of`` found OpenSpiel's engine
    stones = tuple(sum(1 << cell for cell, mark in enumerate(text) if mark == own) for own in "xo")
    return GridPosition(board, (stones[0], stones[1]), lambda cell: cell % board.columns if board.gravity else cell)
