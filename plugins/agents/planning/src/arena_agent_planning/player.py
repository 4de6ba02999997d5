"""A player that makes its plan once, and gives it as one answer or step by step."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Final, cast

import attrs
from arena.agent import PlayerAgent, Refusal, RefusalKind, Reply, Response, Seat
from arena.errors import ConfigError
from arena.game import Decision, Game
from arena.record import JSON
from arena_game_planning.pddl import Problem, read_domain, read_problem
from arena_game_planning.playing.game import Planning

WHOLE: Final = "plan"
"""The phase of a decision that asks for a whole plan; otherwise it asks for one step."""


@attrs.frozen
class MadePlan:
    """A plan as a player made it, with what is to be noted of it; ``None`` as plan means that it found none, and why.

    ``is_late`` says that time was over before one was found.
    """

    steps: tuple[str, ...] | None
    reason: str = ""
    note: JSON = None
    is_late: bool = False


class PlanningPlayer(PlayerAgent):
    """Keeps the plan of a match; where steps are asked for, it does those of its plan one after another."""

    def __init__(self, seat: Seat) -> None:
        self.seat = seat
        self.plan: MadePlan | None = None

    def answer(self, decision: Decision, plan: MadePlan) -> Response:
        """The plan, or its next step; a refusal if there is no plan."""
        self.plan = plan
        if plan.steps is None:
            return Refusal(kind=RefusalKind.LATE if plan.is_late else RefusalKind.EMPTY, reason=plan.reason)
        if decision.phase == WHOLE:
            return Reply(action={"plan": "\n".join(plan.steps)}, note=plan.note)
        if decision.turn < len(plan.steps) and decision.check(step := plan.steps[decision.turn]) is None:
            return Reply(action=step, note=plan.note if decision.turn == 0 else None)
        return self.after(decision)

    def after(self, decision: Decision) -> Response:
        """What to do where the plan does not say: nothing, unless a player has a way."""
        return Refusal(kind=RefusalKind.EMPTY, reason="the plan is over, or its next step cannot be done")


class ThinkingPlayer(PlanningPlayer):
    """Makes its plan itself when it is first asked."""

    def act(self, decision: Decision) -> Response:
        """The plan, or its next step; no coroutine, so that a slow plan is made in a thread."""
        return self.answer(decision, self.plan or self.make(decision))

    @abstractmethod
    def make(self, decision: Decision) -> MadePlan:
        """Make the plan for the task of the match, whose first decision this is."""


def task_of(decision: Decision) -> tuple[str, str]:
    """The texts of the domain and the problem that a decision shows."""
    seen = cast("Mapping[str, Any]", decision.observation)
    return str(seen["domain"]), str(seen["problem"])


def problem_of(decision: Decision) -> Problem:
    """The problem that a decision shows, read."""
    domain, problem = task_of(decision)
    return read_problem(read_domain(domain), problem)


def check_planning(game: Game) -> None:
    """Raise ``ConfigError`` for any other game than planning."""
    if not isinstance(game, Planning):
        raise ConfigError("cannot play this game: it plays tasks of the game 'planning' alone")
