"""The event that says how a player did in a task; metrics of planning read nothing else."""

from functools import lru_cache

from arena.record import EVERYONE, JSON, GameEvent

from arena_game_planning.pddl import Problem, read_problem
from arena_game_planning.tasks.task import Disguise, PlanningTask
from arena_game_planning.tasks.validation import PlanVerdict, judge, known_domain, plain_number

JUDGED = "judged"


@lru_cache(maxsize=64)
def known_problem(task: PlanningTask) -> Problem:
    """The problem of a task; the last ones are kept."""
    return read_problem(known_domain(task.domain_text), task.problem_text)


@lru_cache(maxsize=256)
def reference_cost(task: PlanningTask) -> int | float | None:
    """What the reference plan of a task costs by its metric."""
    if task.plan is None:
        return None
    return plain_number(judge(known_problem(task), "\n".join(task.plan)).cost)


def judged(task: PlanningTask, verdict: PlanVerdict, mode: str, disguise: Disguise | None) -> GameEvent:
    """The event that ends a match: the verdict beside what is known of the task."""
    data: dict[str, JSON] = {
        "task": task.name,
        "domain": task.domain,
        "classes": list(task.classes),
        "mode": mode,
        "valid": verdict.valid,
        "error_class": verdict.error_class,
        "spin": verdict.spin,
        "step": verdict.step,
        "reason": verdict.reason,
        "length": verdict.length,
        "cost": plain_number(verdict.cost),
        "reference_length": None if task.plan is None else len(task.plan),
        "reference_cost": reference_cost(task),
        "legal_actions": task.legal_actions,
        "state_space": task.state_space,
        "is_counted": task.is_counted,
        "disguise": disguise,
    }
    if task.left_out:
        data["left_out"] = task.left_out
    return GameEvent(JUDGED, data, EVERYONE)


NO_ANSWER = PlanVerdict(
    valid=False, error_class="unreadable", reason="the player gave no answer that could be read and was allowed"
)
"""The verdict on a player that is eliminated because its answers were refused."""
