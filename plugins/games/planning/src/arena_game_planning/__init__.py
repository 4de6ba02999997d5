"""Planning in PDDL: a reader, a simulator and a validator of plans, and games in which a player plans."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from arena.installing import full_name
from arena.plugin import Plugin, Requirement

if TYPE_CHECKING:
    from arena_game_planning.tasks.validation import PlanVerdict, validate

__all__ = [
    "PLANNING",
    "PLANNING_RECALL",
    "PLANNING_TASKS",
    "PLANNING_TRACKING",
    "SPIN_PLANNING",
    "VALIDATE_PLAN",
    "PlanVerdict",
    "validate",
]

LICENCE = "Apache-2.0"
COMMAND_LINE = (Requirement("arena_cli", package=full_name("game-planning[commands]")),)

PLANNING = Plugin(
    factory="arena_game_planning.playing.game:Planning",
    summary="Find a plan for a task written in PDDL, in one answer or step by step.",
    example={"tasks": ["logistics#1", "rovers#1"], "mode": "steps", "show": "both"},
    licence=LICENCE,
)
VALIDATE_PLAN = Plugin(
    factory="arena_game_planning.commands.validate_command:validate_plan",
    summary="Say whether a plan solves a task written in PDDL, and where it goes wrong if not.",
    requirements=COMMAND_LINE,
    licence=LICENCE,
)
PLANNING_TASKS = Plugin(
    factory="arena_game_planning.commands.tasks_command:planning_tasks",
    summary="List, show, generate, verify and solve tasks of planning.",
    requirements=COMMAND_LINE,
    licence=LICENCE,
)
SPIN_PLANNING = Plugin(
    factory="arena_game_planning:styles/spin-planning.yaml",
    summary="SPIN-Bench's planning tasks: read the state, read the goal, plan, verify, answer",
    licence=LICENCE,
)
PLANNING_TRACKING = Plugin(
    factory="arena_game_planning.questions.tracking:SpatialTracking",
    summary="Say where somebody stands after a list of moves up, down, left and right.",
    licence=LICENCE,
)
PLANNING_RECALL = Plugin(
    factory="arena_game_planning.questions.recall:FactualRecall",
    summary="Say what is true after one step of a trajectory that is told with all its changes.",
    licence=LICENCE,
)


def __getattr__(name: str) -> Any:
    """``PlanVerdict`` and ``validate``, which are loaded when somebody asks for them and not to list plugins."""
    if name not in ("PlanVerdict", "validate"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("arena_game_planning.tasks.validation"), name)
