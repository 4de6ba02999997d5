"""Random play as in competitions of grid games: any cell of the board, even one that is taken."""

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game


@attrs.frozen
class UniformOverCells(Agent):
    """Names a cell (or column) drawn uniformly from all of them, taken ones included, so it can be refused.

    Plays every game whose actions can be listed beforehand. The agent ``random`` draws only from the legal ones.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        return AnyCellPlayer(seat)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Raise ``ConfigError`` unless the game lists its actions; requires nothing of a backend."""
        if game.actions(players) is None:
            raise ConfigError(f"grid-random draws from all actions of a game, and {game.title} does not list them")
        return {}


class AnyCellPlayer(PlayerAgent):
    """Draws every action anew and remembers nothing."""

    __slots__ = ("_actions", "_rng")
    is_quick = True

    def __init__(self, seat: Seat) -> None:
        self._rng = seat.rng
        self._actions = seat.game.actions(seat.players) or ()

    def act(self, decision: Decision) -> Reply:
        return Reply(action=self._actions[int(self._rng.random() * len(self._actions))])
