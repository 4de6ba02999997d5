"""Agents that walk through the states of a task: at random, or to where the fewest parts of the goal are unmet."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import attrs
from arena.agent import Agent, PlayerAgent, Reply, Response, Seat
from arena.game import Decision, Game
from arena_game_planning.pddl import (
    PlanState,
    Problem,
    Step,
    applicable,
    apply,
    atom_text,
    goal_holds,
    unmet_goals,
)
from attrs.validators import ge

from arena_agent_planning.player import MadePlan, ThinkingPlayer, check_planning, problem_of

Walk = Callable[[Problem, int, Random], list[Step]]
"""Walks from the initial state, for at most so many steps."""


def _steps() -> Any:
    return attrs.field(default=200, validator=ge(1), metadata={"help": "the most steps of a plan"})


@attrs.frozen(kw_only=True)
class RandomWalk(Agent):
    """Does one of the actions that can be done, each with the same probability, and stops where the goal is reached."""

    steps: int = _steps()

    def join(self, seat: Seat) -> PlayerAgent:
        """Create a player whose draws come from the match's own random stream."""
        return WalkingPlayer(seat, random_walk, self.steps)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` for any other game than planning."""
        check_planning(game)
        return {}


@attrs.frozen(kw_only=True)
class Greedy(Agent):
    """Does the action after which the fewest parts of the goal are unmet; among equals it draws.

    It goes to no state twice, so it also walks over plains and out of dead ends that lead back; where nothing new can
    be reached, its plan ends.
    """

    steps: int = _steps()

    def join(self, seat: Seat) -> PlayerAgent:
        """Create a player that climbs from the state in which it is asked."""
        return WalkingPlayer(seat, hill_climb, self.steps)

    def needs(self, game: Game, players: int) -> Mapping[str, frozenset[str]]:
        """Raise ``ConfigError`` for any other game than planning."""
        check_planning(game)
        return {}


class WalkingPlayer(ThinkingPlayer):
    """Walks through the task in its head first, and then does what it did there."""

    def __init__(self, seat: Seat, walk: Walk, steps: int) -> None:
        super().__init__(seat)
        self._walk = walk
        self._steps = steps

    def make(self, decision: Decision) -> MadePlan:
        """The steps of the walk."""
        return MadePlan(tuple(map(atom_text, self._walk(problem_of(decision), self._steps, self.seat.rng))))

    def after(self, decision: Decision) -> Response:
        """Any action that can be done, where steps are left when the walk is over."""
        return Reply(action=decision.sample(self.seat.rng))


def random_walk(problem: Problem, steps: int, rng: Random) -> list[Step]:
    """A random walk; it ends where the goal is reached or nothing can be done."""
    state, plan = problem.initial, list[Step]()
    while len(plan) < steps and not goal_holds(problem, state):
        if not (options := applicable(problem, state)):
            break
        plan.append(options[rng.randrange(len(options))])
        state = apply(problem, state, plan[-1])
    return plan


def hill_climb(problem: Problem, steps: int, rng: Random) -> list[Step]:
    """A walk to the neighbour with the fewest parts of the goal unmet, among those that were not visited."""
    state, plan = problem.initial, list[Step]()
    visited = {_key(state)}
    while len(plan) < steps and not goal_holds(problem, state):
        best: list[tuple[Step, PlanState]] = []
        fewest: int | None = None
        for step in applicable(problem, state):
            following = apply(problem, state, step)
            if _key(following) in visited:
                continue
            unmet = len(unmet_goals(problem, following))
            if fewest is None or unmet < fewest:
                best, fewest = [], unmet
            if unmet == fewest:
                best.append((step, following))
        if not best:
            break
        step, state = best[rng.randrange(len(best))]
        visited.add(_key(state))
        plan.append(step)
    return plan


def _key(state: PlanState) -> tuple[Any, ...]:
    return state.changing, frozenset(state.numbers.items())
