"""The first legal action, always."""

from random import Random
from typing import cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import ABSENT, Decision
from arena.record import Action


@attrs.frozen
class FirstLegal(Agent):
    """Plays the first legal action offered; where none are listed it skips, or plays one sample that never varies."""

    def join(self, seat: Seat) -> PlayerAgent:
        """Sit down; there is nothing to remember."""
        return FirstLegalPlayer()


class FirstLegalPlayer(PlayerAgent):
    """Takes what comes first."""

    __slots__ = ()

    async def act(self, decision: Decision) -> Reply:
        """Take the first legal action."""
        return Reply(action=first_legal(decision))


def first_legal(decision: Decision) -> Action:
    """The first option; without options the legal ``skip``, else the sample of a fixed seed."""
    if decision.options is not None:
        return decision.options.actions[0]
    if decision.skip is not ABSENT:
        return cast("Action", decision.skip)
    return decision.sample(Random(0))
