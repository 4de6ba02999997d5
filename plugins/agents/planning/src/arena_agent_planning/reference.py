"""The agent that plays the plan shipped with a task: what a table of planning has at its upper end."""

from collections.abc import Mapping

import attrs
from arena.agent import Agent, PlayerAgent, Seat
from arena.errors import PluginError
from arena.game import Decision, Game
from arena_game_planning.playing.states import StepByStep, WholePlan

from arena_agent_planning.player import MadePlan, ThinkingPlayer, check_planning


@attrs.frozen(kw_only=True)
class Reference(Agent):
    """Plays the reference plan of a task, shipped or beside a task of one's own; where there is none, nothing."""

    def join(self, seat: Seat) -> PlayerAgent:
        """Create the player, which looks at what is known of the task."""
        return ReferencePlayer(seat)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` for any other game than planning."""
        check_planning(game)
        return {}


class ReferencePlayer(ThinkingPlayer):
    """Knows the task of its match together with the reference plan."""

    def make(self, decision: Decision) -> MadePlan:
        """The reference plan, with who found it."""
        state = self.seat.resample_hidden(decision.turn)
        if not isinstance(state, StepByStep | WholePlan):
            raise PluginError("the agent 'reference' needs to look at the task; write 'resample-hidden: true'")
        task = state.task
        if task.plan is None:
            return MadePlan(None, f"no reference plan is known for {task.name}")
        return MadePlan(task.plan, note={"found_by": task.found_by})
