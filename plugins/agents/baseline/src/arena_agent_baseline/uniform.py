"""Uniform random play."""

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import Decision


@attrs.frozen
class Uniform(Agent):
    """Plays a legal action drawn uniformly from its own stream (by the game's sampler where none are listed)."""

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down with the seat's stream; two random players never share one."""
        return UniformPlayer(seat)


class UniformPlayer(PlayerAgent):
    """Draws; remembers nothing."""

    __slots__ = ("_rng",)

    def __init__(self, seat: Seat) -> None:
        self._rng = seat.rng

    async def act(self, decision: Decision) -> Reply:
        """Draw one legal action."""
        return Reply(action=decision.sample(self._rng))
