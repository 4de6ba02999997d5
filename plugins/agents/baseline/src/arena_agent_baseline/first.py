"""An agent that always plays the first legal action."""

from random import Random
from typing import cast

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Seat
from arena.game import ABSENT, Decision
from arena.record import Action


@attrs.frozen
class FirstLegal(Agent):
    """Plays the first legal action offered; if none are listed it skips, or plays one sample that never varies."""

    def join(self, seat: Seat) -> PlayerAgent:
        return FirstLegalPlayer()


class FirstLegalPlayer(PlayerAgent):
    """Always answers with the first legal action."""

    __slots__ = ()
    is_quick = True

    def act(self, decision: Decision) -> Reply:
        """Take the first legal action."""
        return Reply(action=first_legal(decision))


def first_legal(decision: Decision) -> Action:
    """Return the first option; without listed options the legal ``skip``, or else a sample drawn with a fixed seed."""
    if decision.options is not None:
        return decision.options.actions[0]
    if decision.skip is not ABSENT:
        return cast("Action", decision.skip)
    return decision.sample(Random(0))
