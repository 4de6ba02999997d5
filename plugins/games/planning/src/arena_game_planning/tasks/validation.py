"""Says whether a plan solves a task, and where it goes wrong if it does not."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, TypeAlias

import attrs
from arena.record import JSON

from arena_game_planning.pddl import (
    Domain,
    PddlError,
    PlanState,
    Problem,
    Step,
    atom_text,
    number_text,
    plan_cost,
    read_domain,
    read_plan,
    read_problem,
    unmet_conditions,
    unmet_goals,
)
from arena_game_planning.pddl.compiling import Undefined
from arena_game_planning.pddl.simulator import after, compiled_action
from arena_game_planning.pddl.texts import listed

ErrorClass: TypeAlias = Literal[
    "unreadable", "unknown-action", "wrong-arity", "unknown-object", "wrong-type", "precondition", "goal"
]
"""What is wrong with a plan, in the order in which one step is looked at."""

Spin: TypeAlias = Literal["BC", "GS", "other"]
"""The classes of SPIN-Bench: a constraint is broken, the goal is not satisfied, or the plan cannot be read."""

SPIN: Final[Mapping[ErrorClass, Spin]] = {
    "unreadable": "other",
    "unknown-action": "BC",
    "wrong-arity": "BC",
    "unknown-object": "BC",
    "wrong-type": "BC",
    "precondition": "BC",
    "goal": "GS",
}


@attrs.frozen
class StateChange:
    """What one step of a plan changed: atoms that became true and false, and numbers with their new values."""

    step: int
    action: str
    became_true: tuple[str, ...]
    became_false: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]

    @property
    def record(self) -> JSON:
        """The change as plain data."""
        return {
            "step": self.step,
            "action": self.action,
            "true": list(self.became_true),
            "false": list(self.became_false),
            "numbers": dict(self.numbers),
        }


@attrs.frozen(kw_only=True)
class PlanVerdict:
    """Whether a plan is valid, and if not, what is wrong with it.

    ``step`` counts from 1 and names the first step that cannot be done, with ``action``; it is ``None`` where the plan
    cannot be read or is only not enough. ``length`` is the number of steps, ``None`` for a plan that cannot be read;
    ``cost`` is what the problem's metric says of a plan that can be carried out to its end, else ``None``. ``trace``
    holds what each step changed that was carried out, if it was asked for.
    """

    valid: bool
    error_class: ErrorClass | None = None
    step: int | None = None
    action: str | None = None
    reason: str | None = None
    length: int | None = None
    cost: Fraction | None = None
    trace: tuple[StateChange, ...] = ()

    @property
    def spin(self) -> Spin | None:
        """The class of SPIN-Bench, or ``None`` for a valid plan."""
        return None if self.error_class is None else SPIN[self.error_class]

    @property
    def record(self) -> dict[str, JSON]:
        """The verdict as plain data, where ``class`` is the class of the error and the cost a number."""
        return {
            "valid": self.valid,
            "class": self.error_class,
            "spin": self.spin,
            "step": self.step,
            "action": self.action,
            "reason": self.reason,
            "length": self.length,
            "cost": plain_number(self.cost),
        }


def validate(domain_text: str, problem_text: str, plan_text: str, *, trace: bool = False) -> PlanVerdict:
    """Whether the plan solves the problem; ``PddlError`` if the domain or the problem cannot be read.

    A domain that is met again is not read again. With ``trace`` the verdict says what each step changed.
    """
    return judge(read_problem(known_domain(domain_text), problem_text), plan_text, trace=trace)


@lru_cache(maxsize=64)
def known_domain(text: str) -> Domain:
    """The domain that ``text`` describes; the last ones are kept."""
    return read_domain(text)


def judge(problem: Problem, plan_text: str, *, trace: bool = False) -> PlanVerdict:
    """Whether the plan solves a problem that was read before."""
    try:
        steps = read_plan(plan_text, actions=problem.domain.actions)
    except PddlError as error:
        return PlanVerdict(valid=False, error_class="unreadable", reason=str(error))
    state = problem.initial
    changes: list[StateChange] = []
    for number, step in enumerate(steps, start=1):
        error = _misfit(problem, step)
        if error is None:
            compiled = compiled_action(problem.domain, step[0])
            if compiled.is_met(problem, state, step[1:]):
                try:
                    following = after(problem, state, step)
                except Undefined as undefined:
                    error = "precondition", f"its effects cannot be worked out, since {undefined}"
                else:
                    if trace:
                        changes.append(change_between(number, step, state, following))
                    state = following
                    continue
            else:
                error = "precondition", _unmet(unmet_conditions(problem, state, step))
        return PlanVerdict(
            valid=False,
            error_class=error[0],
            step=number,
            action=atom_text(step),
            reason=f"step {number}, {atom_text(step)}: {error[1]}",
            length=len(steps),
            trace=tuple(changes),
        )
    verdict = goal_verdict(unmet_goals(problem, state), len(steps), plan_cost(problem, state, len(steps)))
    return attrs.evolve(verdict, trace=tuple(changes))


def goal_verdict(missing: Sequence[str], length: int, cost: Fraction | None) -> PlanVerdict:
    """The verdict on a plan that can be carried out, where ``missing`` are the parts of the goal that do not hold."""
    return PlanVerdict(
        valid=not missing,
        error_class="goal" if missing else None,
        reason=f"after the last step, of the goal {_unmet(missing)}" if missing else None,
        length=length,
        cost=cost,
    )


def change_between(number: int, step: Step, before: PlanState, following: PlanState) -> StateChange:
    """What step ``number`` of a plan changed between two states."""
    return StateChange(
        number,
        atom_text(step),
        tuple(sorted(map(atom_text, following.changing - before.changing))),
        tuple(sorted(map(atom_text, before.changing - following.changing))),
        tuple(
            (atom_text(fluent), number_text(value))
            for fluent, value in sorted(following.numbers.items())
            if before.numbers.get(fluent) != value
        ),
    )


def plain_number(value: Fraction | None) -> int | float | None:
    """A fraction as JSON has it: a whole number, or the nearest one with a decimal point."""
    if value is None:
        return None
    return int(value) if value.denominator == 1 else float(value)


def _misfit(problem: Problem, step: Step) -> tuple[ErrorClass, str] | None:
    """Why a step is none of the problem's actions, in whatever state; ``None`` if it is one."""
    action = problem.domain.actions.get(step[0])
    if action is None:
        return "unknown-action", f"there is no action called {step[0]!r}"
    args, parameters = step[1:], action.parameters
    if len(args) != len(parameters):
        return "wrong-arity", f"{step[0]!r} has {len(parameters)} arguments, got {len(args)}"
    objects = problem.objects
    for arg in args:
        if arg not in objects:
            return "unknown-object", f"there is no object called {arg!r}"
    for arg, parameter in zip(args, parameters, strict=True):
        if not problem.is_of(arg, parameter.types):
            have, want = " and ".join(objects[arg]), " or ".join(parameter.types)
            return "wrong-type", f"{arg!r} is of type {have}, expected {want} for {parameter.name}"
    return None


def _unmet(parts: Sequence[str]) -> str:
    return f"{listed(parts)} {'does' if len(parts) == 1 else 'do'} not hold"
