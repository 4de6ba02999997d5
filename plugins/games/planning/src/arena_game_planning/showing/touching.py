"""What can be touched in a planning task: blocks, robots, things and cells that are drawn."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Final

import arena_scene
from arena.game import Decision

from arena_game_planning.pddl import Problem, read_domain, read_problem
from arena_game_planning.showing.floors import FLOORS, place_of
from arena_game_planning.showing.scene import planning_scene

MOST: Final = 1_000
"""How many actions of a task can be touched; a task with more is answered by writing."""

_SAY: Final = {
    "step": "Touch what the next step is about.",
    "plan": "Touch what each step is about, or write the plan.",
}


def task_touches(decision: Decision) -> "arena_scene.Touches | None":
    """Steps as the things that they are about, in the order of their parameters; ``None`` where none is drawn."""
    seen: Any = decision.observation
    path = _paths(seen)
    if decision.options is not None:
        touches = arena_scene.Touches.of(decision.options, lambda option: path(option.action), say=_SAY["step"])
        return touches if any(choice.path for choice in touches.choices) else None
    fills = [
        arena_scene.Fill(path=path(step), label=step, do=[arena_scene.Add(pointer="/plan", value=step)])
        for step in _steps(seen["domain"], seen["problem"])
    ]
    return arena_scene.Touches(fills=fills, say=_SAY["plan"]) if any(fill.path for fill in fills) else None


def _paths(seen: Any) -> Callable[[str], tuple[str, ...]]:
    """A function from a step as it is written to the elements of the things that it names."""
    scene: Any = planning_scene(seen, "a task").data
    drawn = arena_scene.element_ids(scene)
    is_floor = any(name.startswith("floor:") for name in drawn)

    def path(step: str) -> tuple[str, ...]:
        found = (_element(thing, drawn, is_floor=is_floor) for thing in step.strip("()").split()[1:])
        return tuple(name for name in found if name)

    return path


def _element(thing: str, drawn: frozenset[str], *, is_floor: bool) -> str:
    names = [f"block-{thing}", f"the-{thing}"]
    if is_floor and (place := place_of(thing)) is not None:
        names.append("floor:{},{}".format(*place))
    return next((name for name in names if name in drawn), "")


@lru_cache(maxsize=32)
def _steps(domain_text: str, problem_text: str) -> tuple[str, ...]:
    """All actions with things of the right kinds, whether they can be done or not; none where there are too many."""
    domain = read_domain(domain_text)
    if domain.name not in ("blocksworld", *FLOORS):
        return ()
    problem = read_problem(domain, problem_text)
    ranges = {name: [problem.objects_of(p.types) for p in own.parameters] for name, own in domain.actions.items()}
    if sum(prod(map(len, own)) for own in ranges.values()) > MOST:
        return ()
    return tuple(_grounded(problem, ranges))


def _grounded(problem: Problem, ranges: dict[str, list[tuple[str, ...]]]) -> Iterator[str]:
    for name in problem.domain.actions:
        for things in product(*ranges[name]):
            if len(set(things)) == len(things):
                yield f"({' '.join((name, *things))})"
