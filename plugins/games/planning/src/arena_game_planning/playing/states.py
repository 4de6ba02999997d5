"""Matches of the game: one answer with a whole plan, or step by step."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import attrs
from arena.chance import Chance
from arena.game import FORFEITED, Decision, Forfeited, Illegal, Options, Query, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player

from arena_game_planning.pddl import (
    PlanState,
    Problem,
    Step,
    applicable,
    atom_text,
    goal_holds,
    number_text,
    plan_cost,
    unmet_goals,
)
from arena_game_planning.pddl.simulator import after
from arena_game_planning.playing import answer
from arena_game_planning.tasks.judging import NO_ANSWER, judged, known_problem
from arena_game_planning.tasks.task import Disguise, PlanningTask
from arena_game_planning.tasks.validation import PlanVerdict, StateChange, change_between, goal_verdict, judge

PLANNER: Final = Player(0)
"""The only player."""

UNKNOWN_LENGTH: Final = 50
"""How long a reference plan is taken to be where none is known."""


def step_limit(reference_length: int | None) -> int:
    """After how many steps a match in which single steps are chosen is over."""
    return 4 * (UNKNOWN_LENGTH if reference_length is None else reference_length) + 20


def random_plan(problem: Problem, steps: int, rng: Random) -> list[Step]:
    """A random walk of at most so many steps, which ends where the goal is reached or nothing can be done."""
    state, plan = problem.initial, list[Step]()
    while len(plan) < steps and not goal_holds(problem, state):
        if not (options := applicable(problem, state)):
            break
        plan.append(options[int(rng.random() * len(options))])
        state = after(problem, state, plan[-1])
    return plan


@attrs.define(eq=False)
class WholePlan(State):
    """A task that waits for a plan; ``checks`` is how often a plan may be checked before."""

    task: PlanningTask
    disguise: Disguise | None
    checks: int
    verdict: PlanVerdict | None = None

    def to_act(self) -> Sequence[Player]:
        """The one player, until it has answered."""
        return () if self.verdict else (PLANNER,)

    def decision(self, player: Player) -> Decision:
        """Asks for a plan."""
        return Decision(
            player=player,
            phase="plan",
            action_schema=answer.SCHEMA,
            sampler=self._sample,
            aliases=answer.canonical,
            queries=self._queries(),
        )

    def observe(self, player: Player | None) -> JSON:
        """The domain and the problem."""
        return {"domain": self.task.domain_text, "problem": self.task.problem_text}

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse what is no text; a wrong plan is legal."""
        return Illegal("over", "a plan has been given") if self.verdict else answer.refusal(action)

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Validate the plan and tell the verdict as the event ``judged``; a player without an answer is judged too."""
        action: Any = actions[PLANNER]
        self.verdict = NO_ANSWER if action is FORFEITED else judge(known_problem(self.task), action["plan"])
        return [judged(self.task, self.verdict, "plan", self.disguise)]

    def returns(self) -> Sequence[float] | None:
        """1 for a valid plan."""
        return (float(self.verdict.valid),) if self.verdict else None

    def transposition_key(self) -> JSON:
        """The task and whether its plan is valid."""
        return [self.task.name, None if self.verdict is None else self.verdict.valid]

    def clone(self) -> State:
        return attrs.evolve(self)

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        """A copy: nothing is hidden once the task is there."""
        return self.clone()

    def _queries(self) -> tuple[Query, ...]:
        if not self.checks:
            return ()
        checked = Query(
            name="check",
            summary="whether a plan solves the task, and where it goes wrong if not",
            schema=answer.SCHEMA,
            answer=self._checked,
            limit=self.checks,
            example={"plan": ""},
        )
        return (checked,)

    def _checked(self, arguments: Any) -> JSON | Illegal:
        if (refused := answer.refusal(arguments)) is not None:
            return refused
        verdict = judge(known_problem(self.task), arguments["plan"])
        return {"valid": verdict.valid, "reason": verdict.reason}

    def _sample(self, rng: Random) -> Action:
        problem = known_problem(self.task)
        length = UNKNOWN_LENGTH if self.task.plan is None else len(self.task.plan)
        return {"plan": "\n".join(map(atom_text, random_plan(problem, length, rng)))}


@attrs.define(eq=False)
class StepByStep(State):
    """A task that is solved step by step: ``state`` is what is true after ``steps`` steps, of at most ``limit``."""

    task: PlanningTask
    disguise: Disguise | None
    problem: Problem
    state: PlanState
    limit: int
    steps: int = 0
    last: StateChange | None = None
    verdict: PlanVerdict | None = None
    _options: Mapping[str, Step] | None = attrs.field(default=None, alias="_options")

    def begin(self) -> list[GameEvent]:
        """End the match at once if the goal holds already or nothing can be done; returns the events of that."""
        self._settle()
        return [] if self.verdict is None else [judged(self.task, self.verdict, "steps", self.disguise)]

    def to_act(self) -> Sequence[Player]:
        """The one player, until the goal is reached or no step is left."""
        return () if self.verdict else (PLANNER,)

    def decision(self, player: Player) -> Decision:
        """Offers all actions that can be done."""
        return Decision(player=player, phase="step", options=Options(tuple(self.options), str))

    @property
    def options(self) -> Mapping[str, Step]:
        """The actions that can be done, by how they are written, sorted."""
        if self._options is None:
            self._options = {atom_text(step): step for step in applicable(self.problem, self.state)}
        return self._options

    def observe(self, player: Player | None) -> JSON:
        """The task, what is true now, what the last step changed, and how many steps are left."""
        return {
            "domain": self.task.domain_text,
            "problem": self.task.problem_text,
            "atoms": [list(atom) for atom in sorted(self.state.atoms)],
            "numbers": self._numbers(),
            "last": None if self.last is None else self.last.record,
            "steps_left": self.limit - self.steps,
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse what is none of the actions that can be done."""
        if isinstance(action, str) and not self.verdict and action in self.options:
            return None
        return Illegal("not-applicable", f"{str(action)[:80]} cannot be done now")

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Do the step, and say what it changed."""
        action: Any = actions[PLANNER]
        if action is FORFEITED:
            self.verdict = attrs.evolve(NO_ANSWER, length=self.steps)
            return [judged(self.task, self.verdict, "steps", self.disguise)]
        step = self.options[action]
        following = after(self.problem, self.state, step)
        self.last = change_between(self.steps + 1, step, self.state, following)
        self.state, self._options = following, None
        self.steps += 1
        self._settle()
        events = [GameEvent("changed", self.last.record, EVERYONE)]
        if self.verdict is not None:
            events.append(judged(self.task, self.verdict, "steps", self.disguise))
        return events

    def returns(self) -> Sequence[float] | None:
        """1 if the goal was reached."""
        return (float(self.verdict.valid),) if self.verdict else None

    def transposition_key(self) -> JSON:
        """The task, what can change of its state, and the steps that are left."""
        return [
            self.task.name,
            self.limit - self.steps,
            [list(atom) for atom in sorted(self.state.changing)],
            self._numbers(),
        ]

    def clone(self) -> State:
        return attrs.evolve(self)

    def resample_hidden(self, player: Player, chance: Chance) -> State | None:
        """A copy: nothing is hidden once the task is there."""
        return self.clone()

    def _numbers(self) -> dict[str, JSON]:
        return {atom_text(fluent): number_text(value) for fluent, value in sorted(self.state.numbers.items())}

    def _settle(self) -> None:
        """Judge what was done, if the match is over: the goal is reached, no step is left, or none can be done."""
        missing = unmet_goals(self.problem, self.state)
        if not missing or self.steps >= self.limit or not self.options:
            cost = plan_cost(self.problem, self.state, self.steps)
            self.verdict = goal_verdict(missing, self.steps, cost)
