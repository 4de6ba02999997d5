"""Random play as in grid-game competitions: any cell of the board, also one that is taken."""

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game


@attrs.frozen
class AnyCell(Agent):
    """Names a cell (or column) drawn uniformly from all there are, taken ones included, so that it can be refused.

    Plays every game whose actions can be listed beforehand. The agent ``random`` draws from the legal ones.
    """

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down with the seat's stream."""
        return AnyCellPlayer(seat)

    def needs(self, game: Game, players: int) -> dict[str, frozenset[str]]:
        """Nothing of a backend; a game that lists its actions."""
        if game.actions(players) is None:
            raise ConfigError(f"grid-random draws from all actions of a game, and {game.title} does not list them")
        return {}


class AnyCellPlayer(PlayerAgent):
    """Draws; remembers nothing."""

    __slots__ = ("_actions", "_rng")

    def __init__(self, seat: Seat) -> None:
        self._rng = seat.rng
        self._actions = seat.game.actions(seat.players) or ()

    async def act(self, decision: Decision) -> Reply:
        """Draw one action, legal or not."""
        return Reply(action=self._actions[int(self._rng.random() * len(self._actions))])
