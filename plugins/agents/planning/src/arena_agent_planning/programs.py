"""Agents that play what a planner finds, which the user has installed and which runs as a program of its own."""

import asyncio
import os
from collections.abc import Mapping
from typing import Any, ClassVar, cast
from weakref import WeakKeyDictionary

import attrs
from arena.agent import Agent, PlayerAgent, Response, Seat
from arena.errors import ConfigError, TransientBackendError
from arena.game import Decision, Game
from arena.record import JSON
from arena_game_planning.commands.planners import ENHSP, FAST_DOWNWARD, PlannerMissing, ask, find_planner
from attrs.validators import ge

from arena_agent_planning.player import MadePlan, PlanningPlayer, check_planning, task_of


def _limit() -> Any:
    return attrs.field(
        default=30,
        validator=ge(1),
        metadata={"help": "seconds that it may look for a plan; then it is killed"},
    )


def _program() -> Any:
    return attrs.field(
        default=None,
        metadata={
            "help": "the program's file; unset: on the path or in your packages. Needs --trust-code",
            "names_code": lambda given: given["program"] is not None,
        },
    )


@attrs.frozen(kw_only=True)
class ByPlanner(Agent):
    """Plays the plan that a planner prints; what it printed is journaled, so a resumed match does not ask again.

    A planner that finds no plan in time has given no answer. One that crashes is a failure of the infrastructure.
    """

    planner: ClassVar[str]
    limit_s: int = _limit()
    program: str | None = _program()

    def join(self, seat: Seat) -> PlayerAgent:
        """Create the player; the program is started when the plan is asked for."""
        return ProgramPlayer(seat, self)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` for other games than planning, and where there is no such program."""
        check_planning(game)
        try:
            find_planner(self.planner, self.program)
        except PlannerMissing as missing:
            raise ConfigError(f"program: unavailable: {missing}") from missing
        return {}


@attrs.frozen(kw_only=True)
class FastDownward(ByPlanner):
    """Plays what Fast Downward finds with the search ``lama-first``; it reads no tasks with numbers but costs."""

    planner: ClassVar[str] = FAST_DOWNWARD


@attrs.frozen(kw_only=True)
class Enhsp(ByPlanner):
    """Plays what ENHSP finds with its usual search; it reads tasks with numbers too."""

    planner: ClassVar[str] = ENHSP


class ProgramPlayer(PlanningPlayer):
    """Asks the program once for the task of its match."""

    def __init__(self, seat: Seat, agent: ByPlanner) -> None:
        super().__init__(seat)
        self._agent = agent

    async def act(self, decision: Decision) -> Response:
        """The program's plan, or its next step; a refusal if it found none."""
        return self.answer(decision, self.plan or await self._asked(decision))

    async def _asked(self, decision: Decision) -> MadePlan:
        """What the program printed, or why it found nothing."""
        domain, problem = task_of(decision)

        async def found() -> JSON:
            return await self._found(domain, problem)

        told = cast("Mapping[str, Any]", await self.seat.once("planner", found))
        note = {"planner": told["planner"]}
        if told["plan"] is None:
            return MadePlan(None, f"{told['planner']}: {told['reason']}", note, is_late=told["is_late"])
        return MadePlan(tuple(told["plan"]), note=note)

    async def _found(self, domain: str, problem: str) -> dict[str, JSON]:
        agent = self._agent
        try:
            async with _turn():
                answer = await ask(domain, problem, agent.planner, agent.limit_s, agent.program)
        except PlannerMissing as missing:
            raise TransientBackendError(f"{agent.planner}: {missing}") from missing
        if answer.has_failed:
            raise TransientBackendError(f"{agent.planner} went wrong: {answer.reason}")
        reason = "it proved that no plan exists" if answer.is_unsolvable else answer.reason
        plan = None if answer.plan is None else list(answer.plan)
        return {"planner": agent.planner, "plan": plan, "reason": reason, "is_late": answer.is_late}


_TURNS: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()


def _turn() -> asyncio.Semaphore:
    """Lets as many planners run at once as there are processors, so that none loses its time to the others."""
    loop = asyncio.get_running_loop()
    if loop not in _TURNS:
        _TURNS[loop] = asyncio.Semaphore(os.cpu_count() or 1)
    return _TURNS[loop]
