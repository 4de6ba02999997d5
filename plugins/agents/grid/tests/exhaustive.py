"""The slow way to the same scores: every line of play, through nothing but the contract of a state."""

from functools import cache
from typing import Any

from arena.chance import Chance
from arena.game import Game, State
from arena.record import Player, canonical_json
from arena_game_grid.state import GridState


def started(game: Game, *actions: Any) -> State:
    """The state after some actions."""
    state, _ = game.start(Chance(0), 2)
    for action in actions:
        (player,) = state.to_act()
        state.apply({player: action})
    return state


def after(state: State, action: Any) -> State:
    """The state after one more action."""
    child = state.clone()
    child.apply({child.to_act()[0]: action})
    return child


class Exhaustive:
    """Minimax with scores in the usual convention, without pruning; remembers positions."""

    def __init__(self, cells: int) -> None:
        self._cells = cells
        self.positions: dict[str, State] = {}
        self._known: dict[str, int] = {}

    def scores(self, state: State) -> dict[str, int]:
        """The score of each action for who is to move, by its text."""
        (player,) = state.to_act()
        options = state.decision(player).options
        assert options is not None
        return {canonical_json(action): self._after(after(state, action), player) for action in options.actions}

    def _after(self, state: State, mover: Player) -> int:
        returns = state.returns()
        if returns is None:
            key = canonical_json(state.transposition_key())
            if key not in self._known:
                self.positions[key] = state
                self._known[key] = max(self.scores(state).values())
            return -self._known[key]
        assert isinstance(state, GridState)
        discs = (state.stones[0] | state.stones[1]).bit_count() - 1
        return int(returns[mover]) * ((self._cells + 1 - discs) // 2)


@cache
def every_position(game: Game, cells: int) -> Exhaustive:
    """All positions of a small game, solved."""
    found = Exhaustive(cells)
    found.scores(started(game))
    return found
