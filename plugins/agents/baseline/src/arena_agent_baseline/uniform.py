"""An agent that plays uniformly at random."""

from functools import lru_cache

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import Decision


@attrs.frozen
class Uniform(Agent):
    """Plays a legal action drawn uniformly from its own random stream; uses the game's sampler if none are listed."""

    def join(self, seat: Seat) -> PlayerAgent:
        """Create a player with the seat's own random stream, which no other player shares."""
        return UniformPlayer(seat)


class UniformPlayer(PlayerAgent):
    """Draws every action anew and remembers nothing."""

    __slots__ = ("_rng",)
    is_quick = True

    def __init__(self, seat: Seat) -> None:
        self._rng = seat.rng

    def act(self, decision: Decision) -> Reply:
        action = decision.sample(self._rng)
        return _reply(action) if type(action) is int else Reply(action=action)


@lru_cache(1 << 12)
def _reply(action: int) -> Reply:
    """The reply with a number, as most actions are; made once, since making it takes longer than drawing."""
    return Reply(action=action)
