"""The game of planning: its parameters, its rules, and the start of a match."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, cast

import arena_scene
import attrs
from arena.chance import Chance
from arena.errors import ConfigError
from arena.game import Decision, Form, Game, GameFacts, State
from arena.record import Action, GameEvent, Player
from attrs.validators import ge, in_, optional

from arena_game_planning.playing.states import StepByStep, WholePlan, step_limit
from arena_game_planning.showing import telling
from arena_game_planning.showing.touching import task_touches
from arena_game_planning.tasks.folders import every_task, folder, folder_task
from arena_game_planning.tasks.judging import known_problem
from arena_game_planning.tasks.shipped import numbers, stored_tasks, task
from arena_game_planning.tasks.task import Disguise, PlanningTask, disguised

_PLAIN_LIMIT = 1_000


@attrs.frozen(kw_only=True)
class TaskSource:
    """Tasks by another description than their names: so many of each domain, or those of a folder.

    ``file`` is one problem of the folder, and ``left_out`` how many of its problems cannot be read.
    """

    per_domain: int | None = attrs.field(
        default=None, validator=optional(ge(1)), metadata={"help": "so many tasks of each domain, from easy to hard"}
    )
    folder: str | None = attrs.field(
        default=None, metadata={"help": "a folder of PDDL files of your own", "names_file": True, "file_use": "sent"}
    )

    file: str | None = attrs.field(
        default=None, metadata={"help": "the name of one problem there; unset: each of them once"}
    )
    left_out: int = attrs.field(
        default=0, validator=ge(0), metadata={"help": "how many problems there cannot be read; filled in"}
    )

    def __attrs_post_init__(self) -> None:
        if (self.per_domain is None) == (self.folder is None):
            raise ConfigError("tasks: expected per-domain with a number, or folder with a path")
        if self.file is not None and self.folder is None:
            raise ConfigError("tasks.file: expected a folder beside it")


@attrs.frozen(kw_only=True)
class Planning(Game):
    """Find a plan for a task written in PDDL.

    The planning tasks of *SPIN-Bench* (Yao et al. 2025), section 3.1. Where ``tasks`` are several, each match draws
    one of them; a sweep over ``tasks`` gives each of them to everybody, and a benchmark with a folder each of its
    tasks. ``ConfigError`` names tasks that do not exist. Files of a folder that cannot be read are left out.
    """

    tasks: str | tuple[str, ...] | TaskSource = attrs.field(
        default="blocksworld#1-5",
        metadata={
            "help": "'all', a domain, a task such as 'rovers#3', a range 'rovers#3-7', or a list of such",
            "each": every_task,
        },
    )
    mode: Literal["plan", "steps"] = attrs.field(
        default="plan",
        validator=in_(("plan", "steps")),
        metadata={"help": "one answer with all steps, or step by step"},
    )
    show: Literal["pddl", "words", "both"] = attrs.field(
        default="pddl", validator=in_(("pddl", "words", "both")), metadata={"help": "how the task is shown as text"}
    )
    check: int = attrs.field(
        default=0, validator=ge(0), metadata={"help": "how often a plan may be checked before the answer (mode plan)"}
    )
    disguise: Disguise | None = attrs.field(
        default=None,
        validator=optional(in_(("words", "letters"))),
        metadata={"help": "replace every name, by other words or by mere letters"},
    )

    def __attrs_post_init__(self) -> None:
        if self.check and self.mode == "steps":
            raise ConfigError("check: expected 0 in the mode steps, where only what can be done is offered")
        if not self.pool:
            raise ConfigError("tasks: expected at least one task")

    @cached_property
    def pool(self) -> tuple["PoolTask", ...]:
        """The tasks of which a match gets one; shipped ones are made when they are needed."""
        chosen: Any = self.tasks
        if isinstance(chosen, TaskSource):
            if chosen.folder is not None:
                if chosen.file is None:
                    return tuple(PoolTask(own.domain, own.number, own) for own in folder(chosen.folder).tasks)
                own = attrs.evolve(folder_task(chosen.folder, chosen.file), left_out=chosen.left_out)
                return (PoolTask(own.domain, own.number, own),)
            chosen = {"per-domain": chosen.per_domain}
        return tuple(PoolTask(domain, number) for domain, number in numbers(chosen))

    @property
    def rules(self) -> str:
        return telling.rules(self.mode)

    @property
    def twin_of(self) -> Game | None:
        """The same tasks under their own names, where names are replaced."""
        return None if self.disguise is None else attrs.evolve(self, disguise=None)

    def player_counts(self) -> Sequence[int]:
        return (1,)

    def facts(self, players: int) -> GameFacts:
        """Returns are 0 or 1; where a plan is known for all tasks, optimal play earns 1."""
        lengths = [entry.reference_length for entry in self.pool]
        is_solvable = None not in lengths
        limit = max(map(step_limit, lengths)) if self.mode == "steps" else 1
        return GameFacts(
            chance=len(self.pool) > 1,
            min_return=0.0,
            max_return=1.0,
            optimal_returns=(1.0,) if is_solvable else None,
            optimal_source="a valid plan is known for every task" if is_solvable else "",
            max_steps=limit + (limit == _PLAIN_LIMIT),
            on_forfeit="continue",
            forfeit_return=0.0,
            others_return=0.0,
            return_unit="tasks",
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        return telling.forms(self.show, self.mode)

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Take the task, or draw one of several, and show it."""
        pool = self.pool
        found = pool[chance.index("task", len(pool)) if len(pool) > 1 else 0].task
        if self.disguise is not None:
            found = disguised(found, self.disguise)
        opening = telling.posed(found, self.disguise)
        if self.mode == "plan":
            return WholePlan(found, self.disguise, self.check), [opening]
        problem = known_problem(found)
        limit = step_limit(None if found.plan is None else len(found.plan))
        state = StepByStep(found, self.disguise, problem, problem.initial, limit)
        return state, [opening, *state.begin()]

    def touches(self, decision: Decision) -> "arena_scene.Touches | None":
        """Steps as the things that they are about, where these are drawn."""
        return task_touches(decision)

    def describe_action(self, decision: Decision, action: Action) -> str:
        """How many steps a plan has."""
        if decision.phase != "plan":
            return ""
        steps = str(cast("Any", action)["plan"]).count("(")
        return f"a plan of {steps} step{'' if steps == 1 else 's'}"

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        return telling.describe(event)


@attrs.frozen
class PoolTask:
    """A task of the pool, by domain and number; one of a user's own is held itself."""

    domain: str
    number: int
    own: PlanningTask | None = attrs.field(default=None, repr=False)

    @property
    def task(self) -> PlanningTask:
        """The task, made from its number if it is a shipped one."""
        return self.own or task(self.domain, self.number)

    @property
    def reference_length(self) -> int | None:
        """How many steps the reference plan has; ``None`` where none is known."""
        if self.own is None:
            return len(stored_tasks(self.domain)[self.number - 1].plan)
        return None if self.own.plan is None else len(self.own.plan)
