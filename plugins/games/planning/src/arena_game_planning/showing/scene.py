"""What a planning task looks like: a floor for tasks that have one, towers for blocks, else what is true as a table.

A task that is disguised, or of a domain that is not known here, is a table: nothing is drawn from names alone.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias

import arena_scene
import attrs
from arena.game import Drawing

from arena_game_planning.pddl import read_domain, read_problem
from arena_game_planning.showing.floors import FLOORS, floor
from arena_game_planning.showing.towers import towers
from arena_game_planning.showing.wording import goal_lines

Atoms: TypeAlias = frozenset[tuple[str, ...]]

ROWS: Final = 300
"""How many rows of facts are shown; the words have them all."""


@attrs.frozen
class ToldTask:
    """What a task says: its domain's name, objects by type, what is true at the start, and the goal in words."""

    domain: str
    objects: Mapping[str, Sequence[str]]
    start: Atoms
    numbers: Mapping[str, str]
    goals: Sequence[str]


def planning_scene(view: Any, words: str) -> Drawing:
    """The start of a task, or where its steps have led."""
    task = _read(view["domain"], view["problem"])
    atoms = frozenset(map(tuple, view["atoms"])) if "atoms" in view else task.start
    drawn = _drawn(task, atoms)
    numbers = view.get("numbers", task.numbers)
    facts = [_facts(atoms, numbers)] if numbers or not drawn else []
    parts = [*drawn, *facts, _goal(task), *_steps(view), _task(words)]
    told = arena_scene.shortened(words)
    return Drawing(*arena_scene.Scene(f"Planning: {task.domain}", told, *parts).drawn())


@lru_cache(maxsize=32)
def _read(domain_text: str, problem_text: str) -> ToldTask:
    domain = read_domain(domain_text)
    problem = read_problem(domain, problem_text)
    objects: defaultdict[str, list[str]] = defaultdict(list)
    for thing, kinds in problem.objects.items():
        for kind in kinds:
            objects[kind].append(thing)
    name = re.search(r"\(domain\s+([^\s)]+)", domain_text)
    start = frozenset(tuple(map(str, atom)) for atom in problem.initial.atoms)
    numbers = {f"({' '.join(map(str, own))})": str(value) for own, value in problem.initial.numbers.items()}
    return ToldTask(name[1] if name else "", dict(objects), start, numbers, goal_lines(problem))


def _drawn(task: ToldTask, facts: Atoms) -> "list[arena_scene.Grid | arena_scene.Pieces | arena_scene.Shapes]":
    if task.domain == "blocksworld":
        return towers(facts)
    if task.domain in FLOORS:
        return floor(task.domain, task.objects, facts)
    return []


def _facts(atoms: Atoms, numbers: Mapping[str, object]) -> "arena_scene.SceneTable":
    rows = [arena_scene.TableRow(cells=[name, " ".join(own)]) for name, *own in sorted(atoms)]
    rows += [arena_scene.TableRow(cells=[name[1:-1], f"is {value}"]) for name, value in sorted(numbers.items())]
    columns = [arena_scene.TableColumn(title="what is true"), arena_scene.TableColumn(title="of")]
    note = f"the first {ROWS} of {len(rows)}" if len(rows) > ROWS else ""
    return arena_scene.SceneTable(id="facts", columns=columns, rows=rows[:ROWS], note=note)


def _goal(task: ToldTask) -> "arena_scene.SceneText":
    return arena_scene.SceneText(id="goal", title="to be reached", text=arena_scene.shortened("\n".join(task.goals)))


def _task(words: str) -> "arena_scene.SceneText":
    """What may be done and what there is, which no picture shows."""
    told = words.partition("\n\nWhat is true at the start:")[0]
    return arena_scene.SceneText(id="task", title="the task", text=arena_scene.shortened(told), kind="note")


def _steps(view: Any) -> "list[arena_scene.Meters]":
    if "steps_left" not in view:
        return []
    last = view["last"]["action"] if view["last"] else ""
    left = arena_scene.Meter(id="steps-left", label="steps left", value=view["steps_left"])
    return [arena_scene.Meters(id="steps", meters=[left], note=f"last: {last}" if last else "")]
